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
            new = [{"name": name} for name in wanted if name not in known]
            if new:
                giving = insert(APP_IDS).returning(APP_IDS.c.name, APP_IDS.c.id, sort_by_parameter_order=True)
                known |= {row.name: row.id for row in await connection.execute(giving, new)}
        return {name: known[name] for name in wanted}
