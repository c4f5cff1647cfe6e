"""The keys of the admin API: made here, shown once, known again by their hash."""

import hashlib
import hmac
import re
import secrets
from datetime import timedelta

from attrs import frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError, NotThere, check_name
from service_server.administration.operators import check_role
from service_server.administration.permissions import Permission
from service_server.store import AdminKey, AdminKeys
from service_server.store.clock import now, timestamp

KEY_PREFIX = "ifs_admin_"
LONGEST_DAYS = 3660
MOST_KEYS = 1000
_KEY = re.compile(rf"{KEY_PREFIX}([0-9a-f]{{16}})_([A-Za-z0-9_-]{{43}})")


@frozen
class KeyAdministration:
    """Makes and removes keys, and knows who holds one. What can't be done raises AdministrationError."""

    keys: AdminKeys

    async def everyone(self, actor: Actor) -> list[AdminKey]:
        """All keys that were not removed, newest first; expired ones are among them."""
        actor.check(Permission.MANAGE_OPERATORS)
        return await self.keys.everyone()

    async def create(
        self, actor: Actor, name: str, role: str, *, sees_contents: bool = False, days: float | None = None
    ) -> tuple[AdminKey, str]:
        """Make a key that lasts so many days, or until it is removed; returns it with its text, shown this once."""
        check_name(name)
        known = check_role(role)
        if days is not None and not 0 < days <= LONGEST_DAYS:
            raise AdministrationError(f"A key lasts up to {LONGEST_DAYS} days.")
        key_id = secrets.token_hex(8)
        text = f"{KEY_PREFIX}{key_id}_{secrets.token_urlsafe(32)}"
        key = AdminKey(
            id=key_id,
            name=name,
            key_hash=_hash(text),
            role=known,
            sees_contents=sees_contents,
            created_at=timestamp(),
            created_by=actor.name,
            expires_at=None if days is None else now() + timedelta(days=days).total_seconds(),
        )
        act = actor.does("key.created", key_id, name=name, role=role, sees_contents=sees_contents)
        if len(await self.keys.everyone()) >= MOST_KEYS:
            raise AdministrationError(f"There are {MOST_KEYS} keys already. Remove those that nobody uses.")
        await self.keys.create(key, act)
        return key, text

    async def remove(self, actor: Actor, key_id: str) -> None:
        """End a key at once and for good."""
        if not await self.keys.remove(key_id, actor.does("key.removed", key_id)):
            raise NotThere(f"There is no key {key_id[:40]}; `admin-key list` shows them.")

    async def holder(self, text: str, address: str | None, request_id: str | None) -> Actor | None:
        """Who acts with this key; None if it is none, has ended or was removed."""
        written = _KEY.fullmatch(text)
        key = None if written is None else await self.keys.get(written[1])
        # Compared even where there is none, so that the time taken doesn't tell which ids there are.
        same = hmac.compare_digest(_hash(text), key.key_hash if key is not None else _hash(""))
        if key is None or not same or not key.is_live:
            return None
        await self.keys.note_use(key)
        return Actor(
            name=key.name,
            via="api",
            role=key.role,
            sees_contents=key.sees_contents,
            key_id=key.id,
            address=address,
            request_id=request_id,
        )


def _hash(text: str) -> str:
    # A random text of 256 bits needs no slow hash.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
