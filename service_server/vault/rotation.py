"""
Replacing the vault's key while the service and all its processes run.

1. The new key is written to the key file, before the old ones, which still open. Every process follows the file.
2. What the database keeps is sealed again, batch by batch. If a call writes a row meanwhile, that row is left to it.
3. When a pass over everything finds nothing of an old key, the database no longer needs it at a start.
4. Later the old keys are forgotten: until then they open what users hold (tokens, cursors, cookies).

After an interruption the next rotation continues: as long as the database needs an old key, no other key is made.
"""

import asyncio
import time
from collections.abc import Callable

from attrs import Factory, define, field, frozen

from service_server.store import SEALED_KINDS, SealedRow, SealedValues, VaultKeys
from service_server.vault.kept import PURPOSES
from service_server.vault.key_file import KeyFile
from service_server.vault.keys import Keys, VaultKeyError, new_keys
from service_server.vault.opening import open_vault
from service_server.vault.vault import Unsealable, Vault

BATCH_ROWS = 50
MOST_PASSES = 20
# By far longer than any process takes to notice a change of the key file.
TAKEOVER_SECONDS = 2.0
# Longer than a process can hold back a value that it sealed before it noticed (a full pool, a locked database).
FORGETTING_SECONDS = 90.0


@define
class Tally:
    """One kind of sealed value: how many rows there are, how many this pass has seen, how many were sealed again."""

    rows: int = 0
    seen: int = 0
    resealed: int = 0


@define
class Rotation:
    """How far a rotation is; `unopened` names the rows that no key here opens."""

    key_id: str
    old_key_ids: tuple[str, ...] = ()
    is_new: bool = False
    tallies: dict[str, Tally] = Factory(lambda: {kind: Tally() for kind in SEALED_KINDS})
    unopened: set[tuple[str, tuple[str | int, ...]]] = Factory(set)


Watch = Callable[[Rotation, str], None]
"""Is told how far it is and, in words, what is done now."""


@frozen
class Rotator:
    """Rotates the key of one vault."""

    keys: VaultKeys
    values: SealedValues
    watch: Watch = field(repr=False)

    async def rotate_file(self, file: KeyFile) -> Rotation:
        """
        Put a new key into the file and seal everything with it, or finish a rotation that was interrupted.

        Raises:
            VaultKeyError: another rotation is under way, or the keys are not those of the database.
            OSError: the file cannot be written; nothing has changed then.
        """
        with file.locked():
            await open_vault(self.keys, file.path, None)
            written = file.read()
            is_new = set(await self.keys.proofs()) == {written.sealing}
            if is_new:
                fresh = new_keys()
                file.replace(Keys(fresh.sealing, {**fresh.by_id, **written.by_id}))
            vault = await open_vault(self.keys, file.path, None)
            rotation = _rotation(vault, is_new)
            await self._wait(rotation, file, TAKEOVER_SECONDS)
            return await self._seal_anew(vault, rotation)

    async def forget_old_keys(self, file: KeyFile) -> Rotation:
        """Remove all keys but the first from the file, once nothing in the database needs them; no key is made."""
        with file.locked():
            vault = await open_vault(self.keys, file.path, None)
            rotation = _rotation(vault, is_new=False)
            if rotation.old_key_ids:
                await self._wait(rotation, file, FORGETTING_SECONDS)
                await self._seal_anew(vault, rotation)
                if not rotation.unopened:
                    written = file.read()
                    file.replace(Keys(written.sealing, {written.sealing: written.by_id[written.sealing]}))
            return rotation

    async def seal_with_first(self, vault: Vault) -> Rotation:
        """Seal everything with the first key of a vault whose keys come from the environment."""
        return await self._seal_anew(vault, _rotation(vault, is_new=False))

    async def _wait(self, rotation: Rotation, file: KeyFile, seconds: float) -> None:
        """Wait until the file has been unchanged for so long that every process has followed it."""
        left = min(seconds, file.written_at() + seconds - time.time())
        while left > 0:
            self.watch(rotation, f"waiting {left:.0f} s for every process to take over the key")
            pause = min(left, 1.0)
            await asyncio.sleep(pause)
            left -= pause

    async def _seal_anew(self, vault: Vault, rotation: Rotation) -> Rotation:
        """Go over everything until a whole pass finds nothing of an old key; then have the database forget those."""
        for _ in range(MOST_PASSES):
            if not await self._pass(vault, rotation):
                break
        else:
            raise VaultKeyError(
                "Some process goes on sealing with an old key. Restart the processes that were started with another "
                "key, then rotate again."
            )
        if not rotation.unopened:
            await self.keys.retire(set(await self.keys.proofs()) - {vault.sealing_key_id})
        return rotation

    async def _pass(self, vault: Vault, rotation: Rotation) -> bool:
        """Look at every value once; return whether any had to be sealed again."""
        found = False
        rotation.unopened.clear()
        for kind, tally in rotation.tallies.items():
            tally.rows, tally.seen = await self.values.count(kind), 0
            self.watch(rotation, kind)
            after = None
            while rows := await self.values.batch(kind, after, BATCH_ROWS):
                began = time.monotonic()
                changes = self._changes(vault, rotation, kind, rows)
                if changes:
                    found = True
                    tally.resealed += await self.values.replace(kind, changes)
                    # Others write, too: they get as much time as this took.
                    await asyncio.sleep(time.monotonic() - began)
                after = rows[-1].key
                tally.seen += len(rows)
                self.watch(rotation, kind)
        return found

    def _changes(
        self, vault: Vault, rotation: Rotation, kind: str, rows: list[SealedRow]
    ) -> list[tuple[SealedRow, tuple[str, ...]]]:
        changes = []
        for row in rows:
            try:
                sealed = tuple(vault.reseal(each, PURPOSES[kind], *row.owner) for each in row.sealed)
            except Unsealable:
                rotation.unopened.add((kind, row.key))
                continue
            if sealed != row.sealed:
                changes.append((row, sealed))
        return changes


def _rotation(vault: Vault, is_new: bool) -> Rotation:
    old = tuple(sorted(set(vault.key_ids) - {vault.sealing_key_id}))
    return Rotation(key_id=vault.sealing_key_id, old_key_ids=old, is_new=is_new)
