"""The schema of a database in use, which a newer release may have changed meanwhile."""

from datetime import UTC

from sqlalchemy import delete, false, func, insert, select
from sqlalchemy.exc import DBAPIError

from service_server.store.database import Database
from service_server.store.failures import DatabaseAway
from service_server.store.migrations import REVISION, newest_revision
from service_server.store.tables import METADATA, SCHEMA_COMPATIBILITY


class Schema:
    """Looks at the schema."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def clock(self) -> float:
        """The database's time, in seconds since the epoch."""
        async with self._database.read() as connection:
            moment = (await connection.execute(select(func.now()))).scalar_one()
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

    async def why_not_writable(self) -> str | None:
        """Why rows can't be written: a right that is missing, or a server that only reads. Changes nothing."""
        try:
            async with self._database.write() as connection:
                for table in METADATA.sorted_tables:
                    column = list(table.columns)[-1]
                    await connection.execute(insert(table).from_select([column.name], select(column).where(false())))
                    await connection.execute(delete(table).where(false()))
        except DatabaseAway as away:
            return str(away)
        except DBAPIError as refusal:
            return str(refusal.orig)
        return None

    async def suits_this_release(self) -> bool:
        """Whether this release works on it: on its own schema, and on a newer one that says so."""
        ours = newest_revision()
        async with self._database.read() as connection:
            revision = str((await connection.execute(REVISION)).scalar_one())
            if revision <= ours:
                return revision == ours
            oldest = (await connection.execute(select(SCHEMA_COMPATIBILITY.c.oldest_revision))).scalar_one_or_none()
        return oldest is not None and oldest <= ours
