"""Copies of a PostgreSQL database, made with PostgreSQL's own programs."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import asyncpg
from attrs import field, frozen

from service_server.store.failures import DatabaseAway, DatabaseUnusable
from service_server.store.postgresql import connected
from service_server.store.postgresql_failures import FAILURES, reason
from service_server.store.postgresql_programs import Program, run
from service_server.store.snapshot import Snapshot, Watch

_NOT_OF_AN_EXTENSION = "NOT EXISTS (SELECT FROM pg_depend WHERE objid = part.oid AND deptype = 'e')"
# In the schema that the service uses: tables that hold rows themselves, and partitioned ones with their partitions.
_TABLES = (
    "SELECT part.relname AS name, quote_ident(nspname) || '.' || quote_ident(relname) AS quoted, relispartition "  # noqa: S608 - no values
    "FROM pg_class part JOIN pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE relkind IN ('r', 'p') AND relnamespace = "
    "(SELECT relnamespace FROM pg_class WHERE oid = to_regclass('alembic_version')) "
    f"AND {_NOT_OF_AN_EXTENSION} ORDER BY relname"
)
_ANYTHING = (
    "SELECT quote_ident(nspname) || '.' || quote_ident(relname) "  # noqa: S608 - no values
    "FROM pg_class part JOIN pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND nspname <> 'information_schema' AND nspname !~ '^pg_' "
    f"AND NOT relispartition AND {_NOT_OF_AN_EXTENSION} "
)
_ANY_TABLE = f"{_ANYTHING} AND relkind IN ('r', 'p')"
# A copy may take long, and the transaction that shares its state with pg_dump waits until it is done.
_SESSION = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
_LOCK_SECONDS = 10
_CLOSE_SECONDS = 5.0


@frozen
class PostgreSQLCopies:
    """Copies of one database, in the custom format of pg_dump."""

    dsn: str = field(repr=False)
    name: str

    @property
    def kind(self) -> str:
        """PostgreSQL."""
        return "postgresql"

    def folder(self, data_directory: Path) -> Path:
        """The data directory."""
        return data_directory

    def take(self, path: Path, watch: Watch) -> Snapshot:
        """Have pg_dump write what one transaction sees; that same transaction counts the rows."""
        return asyncio.run(self._take(path, watch))

    def refuse_unless_empty(self) -> None:
        """Refuse if there is a table, view or sequence that belongs to no extension."""
        found = asyncio.run(self._found(_ANYTHING))
        if found:
            raise DatabaseUnusable(
                f"The database {self.name} is not empty: it holds {', '.join(found[:3])}"
                f"{' and more' if len(found) > 3 else ''}. Restore into a new one, made by CREATE DATABASE."
            )

    @contextlib.contextmanager
    def put(self, path: Path, watch: Watch) -> Iterator[str]:
        """Have pg_restore fill it in one transaction; if something fails after that, empty it again."""
        asyncio.run(self._fill(path))
        try:
            yield self.dsn
        except BaseException:
            asyncio.run(self._empty())
            raise

    async def _take(self, path: Path, watch: Watch) -> Snapshot:
        async with self._session() as session:
            server = int(await session.fetchval("SHOW server_version_num")) // 10_000
            program = await Program.found("pg_dump", server)
            async with session.transaction(isolation="repeatable_read", readonly=True):
                tables = await session.fetch(_TABLES)
                names = {each["name"]: each["quoted"] for each in tables if not each["relispartition"]}
                if "alembic_version" not in names or "vault_keys" not in names:
                    raise DatabaseUnusable(f"The database {self.name} is not one of this service.")
                snapshot = Snapshot(
                    str(await session.fetchval(f"SELECT version_num FROM {names['alembic_version']}")),  # noqa: S608 - quoted
                    {name: await session.fetchval(f"SELECT count(*) FROM {quoted}") for name, quoted in names.items()},  # noqa: S608
                    dict(await session.fetch(f"SELECT key_id, sealed_proof FROM {names['vault_keys']}")),  # noqa: S608
                )
                shared = await session.fetchval("SELECT pg_export_snapshot()")
                await run(
                    program,
                    self.dsn,
                    "--format=custom",
                    f"--file={path}",
                    f"--snapshot={shared}",
                    f"--lock-wait-timeout={_LOCK_SECONDS}s",
                    *(f"--table={each['quoted']}" for each in tables),
                    meanwhile=lambda: watch(path.stat().st_size if path.exists() else 0, None),
                )
                return snapshot

    async def _fill(self, path: Path) -> None:
        server = await self._found("SHOW server_version_num")
        program = await Program.found("pg_restore", int(server[0]) // 10_000)
        options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
        await run(program, self.dsn, *options, str(path))
        if (await self._found("SELECT to_regclass('alembic_version')"))[0] is None:
            await self._empty()
            raise DatabaseUnusable(
                f"What was restored into {self.name} can't be seen there: the backup's tables are in another schema "
                "than this user's search_path names. Set the search_path, then restore again."
            )

    async def _empty(self) -> None:
        async with self._session() as session:
            if found := [each[0] for each in await session.fetch(_ANY_TABLE)]:
                await session.execute(f"DROP TABLE {', '.join(found)} CASCADE")

    async def _found(self, query: str) -> Sequence[Any]:
        async with self._session() as session:
            return [each[0] for each in await session.fetch(query)]

    @contextlib.asynccontextmanager
    async def _session(self) -> AsyncIterator[asyncpg.Connection]:
        session = await connected(self.dsn, 0.0, answer_seconds=None, session=_SESSION)
        try:
            yield session
            await session.close(timeout=_CLOSE_SECONDS)
        except FAILURES as error:
            if isinstance(error, OSError) and error.filename is not None:  # a file of ours
                raise
            raise DatabaseAway(reason(error)) from None
        finally:
            session.terminate()
