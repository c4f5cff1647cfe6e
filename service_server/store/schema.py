"""The schema of a database in use, which a newer release may have changed meanwhile."""

from datetime import UTC

from sqlalchemy import func, select

from service_server.store.database import Database
from service_server.store.migrations import REVISION, newest_revision
from service_server.store.tables import SCHEMA_COMPATIBILITY


class Schema:
    """Looks at the schema."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def clock(self) -> float:
        """The database's time, in seconds since the epoch."""
        async with self._database.read() as connection:
            moment = (await connection.execute(select(func.now()))).scalar_one()
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

    async def suits_this_release(self) -> bool:
        """Whether this release works on it: on its own schema, and on a newer one that says so."""
        ours = newest_revision()
        async with self._database.read() as connection:
            revision = str((await connection.execute(REVISION)).scalar_one())
            if revision <= ours:
                return revision == ours
            oldest = (await connection.execute(select(SCHEMA_COMPATIBILITY.c.oldest_revision))).scalar_one_or_none()
        return oldest is not None and oldest <= ours
