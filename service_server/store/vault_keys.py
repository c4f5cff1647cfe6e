"""Which vault keys have sealed something here, each with a proof that only the right key opens."""

from collections.abc import Collection

from sqlalchemy import delete, insert, select

from service_server.store.database import Database
from service_server.store.tables import VAULT_KEYS


class VaultKeys:
    """The proofs of the vault's keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def proofs(self) -> dict[str, str]:
        """The sealed proof of every key that something here may be sealed with, by key id."""
        async with self._database.read() as connection:
            return {row.key_id: row.sealed_proof for row in await connection.execute(select(VAULT_KEYS))}

    async def add(self, key_id: str, sealed_proof: str, known: Collection[str]) -> bool:
        """
        Note that a key is in use; the caller can open everything that the `known` keys have sealed.

        False if another process has noted a key meanwhile: then nothing is kept, and that key has to be checked first.
        """
        async with self._database.write(turn="vault keys") as connection:
            noted = set(await connection.scalars(select(VAULT_KEYS.c.key_id)))
            if not noted <= set(known):
                return False
            if key_id not in noted:
                await connection.execute(insert(VAULT_KEYS).values(key_id=key_id, sealed_proof=sealed_proof))
            return True

    async def retire(self, key_ids: Collection[str]) -> None:
        """Forget keys that nothing here is sealed with any more: from now on the service starts without them."""
        async with self._database.write() as connection:
            await connection.execute(delete(VAULT_KEYS).where(VAULT_KEYS.c.key_id.in_(list(key_ids))))
