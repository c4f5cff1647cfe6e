"""The numbers of apps: given once per name, never reused."""

from collections.abc import Iterable

from sqlalchemy import insert, select

from service_server.store.database import Database
from service_server.store.tables import APP_IDS


class AppIds:
    """Gives every app name its id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def allocate(self, names: Iterable[str]) -> dict[str, int]:
        """Return the id of every name, giving new ones to names never seen before (in alphabetical order)."""
        wanted = sorted(names)
        async with self._database.write(turn="app ids") as connection:
            known = {row.name: row.id for row in await connection.execute(select(APP_IDS))}
            for name in wanted:
                if name not in known:
                    result = await connection.execute(insert(APP_IDS).values(name=name).returning(APP_IDS.c.id))
                    known[name] = result.scalar_one()
        return {name: known[name] for name in wanted}
