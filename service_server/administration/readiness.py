"""Whether a running service can do its work, for those who decide where requests go."""

import asyncio
import time

from attrs import Factory, define

from service_server.store import DatabaseAway, Schema, VaultKeys
from service_server.vault import Vault

LOOK_SECONDS = 2.0
"""How long the database may take to answer."""
KEPT_SECONDS = 0.5
"""For how long a finding is told again: anybody may ask, and none of them shall burden the database."""


@define
class Readiness:
    """Looks at what every call needs: the database, the keys that its secrets are sealed with, and its schema."""

    schema: Schema
    keys: VaultKeys
    vault: Vault
    _looking: asyncio.Lock = Factory(asyncio.Lock)
    _found: dict[str, str] = Factory(dict)
    _found_at: float = float("-inf")

    async def findings(self) -> dict[str, str]:
        """Return `ok` for each of `database`, `keys` and `schema`, or a word or two on what is wrong with it."""
        async with self._looking:
            if time.monotonic() - self._found_at > KEPT_SECONDS:
                self._found = await self._look()
                self._found_at = time.monotonic()
            return self._found

    async def _look(self) -> dict[str, str]:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                used = await self.keys.proofs()
                suits = await self.schema.suits_this_release()
        except TimeoutError:
            return {"database": "slow", "keys": "unknown", "schema": "unknown"}
        except DatabaseAway:
            return {"database": "away", "keys": "unknown", "schema": "unknown"}
        return {
            "database": "ok",
            "keys": "ok" if set(used) <= set(self.vault.key_ids) else "missing",
            "schema": "ok" if suits else "of another release",
        }
