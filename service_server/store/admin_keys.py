"""The keys that programs use the admin API with."""

import attrs
from attrs import field, frozen
from sqlalchemy import bindparam, insert, select, update

from service_server.store.audit_events import Act, acting
from service_server.store.clock import now, timestamp
from service_server.store.database import Database
from service_server.store.operators import Role
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import ADMIN_KEYS

_NOTED_SECONDS = 60.0


@frozen(kw_only=True)
class AdminKey:
    """
    A key of the admin API, of which only the hash is kept; one without `expires_at` lasts until it is removed.

    `sees_contents` lets a viewer's key see arguments and outputs. `last_used_at` is right to the minute.
    """

    id: str
    name: str
    key_hash: str = field(repr=False)
    role: Role
    sees_contents: bool = False
    created_at: str
    created_by: str
    expires_at: float | None = None
    last_used_at: float | None = None
    removed_at: str | None = None

    @property
    def is_live(self) -> bool:
        """Whether it still opens anything."""
        return self.removed_at is None and (self.expires_at is None or self.expires_at > now())


class AdminKeys:
    """All keys, those that were removed included."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, key: AdminKey, act: Act | None = None) -> None:
        """Add a key."""
        async with acting(self._database, act) as done:
            await done.connection.execute(insert(ADMIN_KEYS).values(attrs.asdict(key)))
            await done.note()

    async def everyone(self) -> list[AdminKey]:
        """All keys that were not removed, newest first."""
        query = select(ADMIN_KEYS).where(ADMIN_KEYS.c.removed_at.is_(None))
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(ADMIN_KEYS.c.created_at.desc(), ADMIN_KEYS.c.id))
            return [AdminKey(**row._mapping) for row in rows]

    async def get(self, key_id: str) -> AdminKey | None:
        """A key by its id, removed or not."""
        rows = await self._database.fetch(_GET, {"key": key_id})
        return AdminKey(**rows[0]) if rows else None

    async def note_use(self, key: AdminKey) -> None:
        """Note that a key is used, once a minute at most."""
        moment = now()
        if key.last_used_at is not None and moment - key.last_used_at < _NOTED_SECONDS:
            return
        await self._database.commit_soon(_USED, {"key": key.id, "moment": moment}, durable=False)

    async def remove(self, key_id: str, act: Act | None = None) -> bool:
        """End a key for good; False if there is none, or it was removed before."""
        columns = ADMIN_KEYS.c
        statement = update(ADMIN_KEYS).where(columns.id == key_id, columns.removed_at.is_(None))
        async with acting(self._database, act) as done:
            removed = (await done.connection.execute(statement.values(removed_at=timestamp()))).rowcount > 0
            if removed:
                await done.note()
            return removed


_GET = PreparedStatement(select(ADMIN_KEYS).where(ADMIN_KEYS.c.id == bindparam("key")))
_USED = PreparedStatement(
    update(ADMIN_KEYS).where(ADMIN_KEYS.c.id == bindparam("key")).values(last_used_at=bindparam("moment")), row=("key",)
)
