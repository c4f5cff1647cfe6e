"""PostgreSQL: one database for several processes, on one machine or several."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import asyncpg
from attrs import field, frozen
from sqlalchemy import bindparam, event, func, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, PoolProxiedConnection

from service_server.store.engines import AsyncConnection, AsyncEngine, create_async_engine
from service_server.store.failures import DatabaseAway, DatabaseBusy, DatabaseUnusable
from service_server.store.kind import Connections, Listener
from service_server.store.postgresql_driver import PostgreSQLDriver
from service_server.store.postgresql_failures import FAILURES, reason, translated
from service_server.store.postgresql_locks import holders, telling_blockers, told
from service_server.store.postgresql_partitions import Partitions

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._%-]*)(?::\d{1,5})?"
_URL = re.compile(
    rf"(?:postgresql(?:\+asyncpg)?|postgres)://(?P<rest>(?:[^:/?#@]*(?::[^/?#@]*)?@)?"
    rf"(?P<where>(?:{_HOST}(?:,{_HOST})*)?(?:/[^/?#]*)?)(?:\?[^#]*)?)"
)
# Per process; with the one for group commits and the one for the process's presence, ten in all.
_POOL_SIZE = 6
_READERS = 2
_CONNECT_SECONDS = 10
_ANSWER_SECONDS = 60
_RESTART_SECONDS = 5.0  # how long a request waits for a server that is just starting
_PAUSE_SECONDS = 0.1
_SHOW_AGAIN_SECONDS = 0.5
# What is committed is on the disk, whatever the server's default. Waits for a lock last as long as a writer waits on
# SQLite, and sessions that a dead network leaves open are ended.
_SESSION = {
    "application_name": "integration-functions-service",
    "synchronous_commit": "on",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
}
# A change of the schema may take as long as it needs, but while it waits for a table everybody else queues behind it.
_CHANGING_SCHEMA = {"lock_timeout": "2s", "statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
# The server notices within about 25 seconds that a machine has lost its power.
_KEEP_ALIVE = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
_SILENCE_SECONDS = 20.0  # then a process takes its session for lost, too: about when the server does
_CHANNEL = "service_announcements"

_GONE = text(
    "SELECT id FROM unnest(CAST(:ids AS text[])) AS id "
    "WHERE pg_try_advisory_xact_lock(hashtextextended('process ' || id, 0))"
)
_KEY = func.hashtextextended(bindparam("name"), 0)


@frozen
class PostgreSQL:
    """
    One PostgreSQL database.

    Reads and transactions share a pool; what every call needs has connections of its own, so that it never queues
    behind them. A connection that the server has closed is replaced before it is used; requests wait for a server that
    is just restarting.
    """

    dsn: str = field(repr=False)
    name: str

    @classmethod
    def at(cls, database_url: str) -> "PostgreSQL":
        """The database of a URL, whose query may hold libpq's parameters (sslmode …); raises DatabaseUnusable."""
        match = _URL.fullmatch(database_url)
        if match is None:
            raise DatabaseUnusable(
                "--database takes postgresql://USER:PASSWORD@HOST:PORT/NAME; in user and password everything but "
                "letters, digits, - . _ and ~ is percent-encoded."
            )
        return cls(f"postgresql://{match['rest']}", match["where"] or "PostgreSQL")

    @property
    def partitions(self) -> Partitions:
        """The partitions of the log."""
        return Partitions()

    def prepare(self) -> None:
        """Nothing to do: the server manages its own files."""

    def connections(self) -> Connections:
        """A pool for reads and transactions; the driver's own for what every call needs. Nobody waits for a turn."""
        pool = self._engine(pool_size=_POOL_SIZE, max_overflow=0)
        readers = pool.execution_options(isolation_level="AUTOCOMMIT")
        return Connections(readers, pool, PostgreSQLDriver(self._connect, _READERS), contextlib.nullcontext())

    def looking(self) -> AsyncEngine:
        """Connections for looking; if the server is not there, they fail at once."""
        return self._engine(poolclass=NullPool, patience=0.0)

    @contextlib.asynccontextmanager
    async def changing_schema(self) -> AsyncIterator[AsyncConnection]:
        """
        A session that holds the lock of the schema to its end, and whose statements may take as long as they need.

        No statement waits for that lock: building an index beside running transactions waits for all statements that
        have begun before. Nor does one wait long for other locks, since everybody else would queue behind it.
        """
        async with contextlib.AsyncExitStack() as stack:
            engine = self._engine(poolclass=NullPool, patience=0.0, answer_seconds=None, session=_CHANGING_SCHEMA)
            stack.push_async_callback(engine.dispose)
            connection = await stack.enter_async_context(engine.connect())
            got = await connection.scalar(select(func.pg_try_advisory_lock(_KEY)), {"name": "schema"})
            process = (await connection.execute(select(func.pg_backend_pid()))).scalar_one()
            await connection.rollback()
            watching = await connected(self.dsn, 0.0)
            stack.callback(watching.terminate)
            if not got:
                raise DatabaseBusy(told(await holders(watching, "schema")))
            async with telling_blockers(watching, process):
                yield connection
                await connection.commit()

    async def take_turn(self, connection: AsyncConnection, name: str) -> None:
        """Wait for other transactions in a turn of this name."""
        await connection.execute(select(func.pg_advisory_xact_lock(_KEY)), {"name": f"turn {name}"})

    async def announce(self, connection: AsyncConnection, announcement: str) -> None:
        """Notify the sessions of all processes."""
        await connection.execute(select(func.pg_notify(_CHANNEL, announcement)))

    def translated(self, error: Exception) -> Exception:
        """Translate by SQLSTATE; an error that is not about the database being away loses its details."""
        return translated(error)

    def presence(self, listener: Listener | None) -> "LockingSession":
        """A session that holds a lock and listens."""
        return LockingSession(self.dsn, listener)

    async def _connect(self) -> asyncpg.Connection:
        return await connected(self.dsn, _RESTART_SECONDS)

    def _engine(
        self,
        *,
        patience: float | None = None,
        answer_seconds: float | None = _ANSWER_SECONDS,
        session: Mapping[str, str] = MappingProxyType({}),
        **pool: Any,
    ) -> AsyncEngine:
        async def connect() -> asyncpg.Connection:
            seconds = _RESTART_SECONDS if patience is None else patience
            return await connected(self.dsn, seconds, answer_seconds=answer_seconds, session=session)

        engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, hide_parameters=True, **pool)
        event.listen(engine.sync_engine, "checkout", _check)
        return engine


class LockingSession:
    """
    The sign of life of a process: an advisory lock, held by a session of its own.

    The server ends both when the process dies. If they are lost although the process lives (the server has restarted),
    it shows itself again. A session that is lost silently (a network failure) is found by asking it from time to time.
    """

    def __init__(self, dsn: str, listener: Listener | None) -> None:
        self._dsn = dsn
        self._listener = listener
        self._session: asyncpg.Connection | None = None
        self._lost = asyncio.Event()

    async def show(self, process_id: str) -> None:
        """Take the lock of this id in a new session, and listen there; raises DatabaseAway."""
        await self.end()
        session = await connected(self._dsn, _RESTART_SECONDS, session=_KEEP_ALIVE)
        try:
            await session.execute("SELECT pg_advisory_lock(hashtextextended($1, 0))", f"process {process_id}")
            if self._listener is not None:
                await session.add_listener(_CHANNEL, self._on_announcement)
        except FAILURES as error:
            session.terminate()
            raise DatabaseAway(reason(error), passing=True) from error
        session.add_termination_listener(self._on_end)
        self._session = session
        self._lost.clear()
        if self._listener is not None:
            self._listener.hears_all()

    def is_shown(self) -> bool:
        """Whether the session lives."""
        return self._session is not None and not self._session.is_closed()

    async def wait_until_lost(self, seconds: float) -> None:
        """Return when the session ends, or after this many seconds if the server still answers on it."""
        session = self._session
        if session is None or session.is_closed():
            await asyncio.sleep(min(seconds, _SHOW_AGAIN_SECONDS))
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._lost.wait(), seconds)
            return
        try:
            await session.execute("SELECT 1", timeout=_SILENCE_SECONDS)
        except FAILURES:
            await self.end()

    async def gone(self, connection: AsyncConnection, process_ids: Sequence[str]) -> list[str]:
        """The processes whose lock nobody holds; the locks are ours until the transaction ends."""
        return list(await connection.scalars(_GONE, {"ids": list(process_ids)}))

    def forget(self, process_ids: Sequence[str]) -> None:
        """Nothing to do: locks leave nothing behind."""

    async def end(self) -> None:
        """Close the session."""
        session, self._session = self._session, None
        if session is not None:
            session.remove_termination_listener(self._on_end)
            session.terminate()
            if self._listener is not None:
                self._listener.hears_nothing()

    def _on_end(self, _: Any) -> None:
        self._lost.set()
        if self._listener is not None:
            self._listener.hears_nothing()

    def _on_announcement(self, _session: Any, _process: int, _channel: str, announcement: Any) -> None:
        if self._listener is not None:
            self._listener.heard(str(announcement))


async def connected(
    dsn: str,
    patience: float,
    *,
    answer_seconds: float | None = _ANSWER_SECONDS,
    session: Mapping[str, str] = MappingProxyType({}),
) -> asyncpg.Connection:
    """A new connection; waits so many seconds for a server that is not ready yet. Raises DatabaseAway."""
    clock = asyncio.get_running_loop().time
    until = clock() + patience
    while True:
        try:
            return await asyncpg.connect(
                dsn,
                timeout=_CONNECT_SECONDS,
                command_timeout=answer_seconds,
                server_settings={**_SESSION, **session},
            )
        except (*FAILURES, ValueError, OverflowError) as error:
            comes_up = isinstance(error, OSError) or str(getattr(error, "sqlstate", "")) in ("57P03", "53300")
            if not comes_up or clock() >= until:
                raise DatabaseAway(reason(error)) from error
        await asyncio.sleep(_PAUSE_SECONDS)


def _check(connection: DBAPIConnection, _record: ConnectionPoolEntry, _proxy: PoolProxiedConnection) -> None:
    """Have a connection replaced if the server has closed it; costs no round trip."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError("the server has closed this connection")
