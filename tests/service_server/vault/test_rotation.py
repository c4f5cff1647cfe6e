"""Rotating the vault's key: everything kept is sealed again, whatever comes in between, and nothing else changes."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from attrs import evolve, frozen

from service_server.store import SEALED_KINDS, Account, Accounts, Database, SealedValues, VaultKeys
from service_server.vault import KeyFile, Keys, Unsealable, Vault, VaultKeyError, new_keys, open_vault, rotation
from service_server.vault.kept import PURPOSES, Kept
from service_server.vault.rotation import Rotation, Rotator
from tests.service_server.databases import ON_SQLITE, rows
from tests.service_server.store.databases import opened
from tests.service_server.vault.sealed_rows import ACCOUNTS, all_open, fill, sealing_keys, sealing_keys_of_values

pytestmark = pytest.mark.slow

CREDENTIALS = "account credentials"
SEALED_COLUMNS = {
    "applications.sealed_secrets",
    "app_configurations.sealed_client_secret",
    "application_app_configurations.sealed_client_secret",
    "accounts.sealed_credentials",
    "connect_sessions.sealed_progress",
    "connect_sessions.sealed_outcome",
    "idempotency.response",
    "files.sealed_head",
    "webhook_endpoints.sealed_secrets",
    "vault_keys.sealed_proof",
}


@frozen
class Installation:
    """A filled database and its key file."""

    database: Database
    url: str
    file: KeyFile
    old: Keys

    def rotator(self, watch: rotation.Watch = lambda _rotation, _doing: None) -> Rotator:
        """What rotates its key."""
        return Rotator(VaultKeys(self.database), SealedValues(self.database), watch)

    async def needed(self) -> tuple[set[str], set[str]]:
        """The ids of the keys that what is kept is sealed with, and of those that a start needs."""
        return sealing_keys_of_values(self.url), set(await VaultKeys(self.database).proofs())

    async def account(self, account_id: int) -> Account:
        """An account."""
        account = await Accounts(self.database).get(account_id)
        assert account is not None
        return account

    async def keep(self, account_id: int, sealed: str) -> bool:
        """Keep other credentials in an account, as a refresh does."""
        account = await self.account(account_id)
        return await Accounts(self.database).replace_credentials(account, sealed, None, {})


class Stopped(Exception):
    """Stands for a rotation that is killed."""


@pytest.fixture
async def installation(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Installation]:
    """A database with values of every kind; rotations go in small steps and wait for nobody."""
    monkeypatch.setattr(rotation, "TAKEOVER_SECONDS", 0)
    monkeypatch.setattr(rotation, "FORGETTING_SECONDS", 0)
    monkeypatch.setattr(rotation, "BATCH_ROWS", 2)
    async with opened(database_url) as database:
        file = KeyFile(tmp_path / "vault.key")
        await fill(database, await open_vault(VaultKeys(database), file.path, None))
        yield Installation(database, database_url, file, file.read())


def test_every_kind_has_its_purposes() -> None:
    """No kind of sealed value that the store knows is left out, and no purpose that is kept."""
    assert set(SEALED_KINDS) == set(PURPOSES)
    assert set(Kept) == {purpose for purposes in PURPOSES.values() for purpose in purposes}


async def test_everything_is_sealed_anew_and_nothing_else_changes(installation: Installation) -> None:
    """Afterwards the new key alone opens all that is kept; versions and times stay, and who watches saw every row."""
    assert SEALED_COLUMNS == set(sealing_keys(installation.url))
    query = "SELECT id, version, modified_at, expires_at, state, lease_owner FROM accounts ORDER BY id"
    before = rows(installation.url, query)
    seen: list[int] = []

    def watch(how_far: Rotation, doing: str) -> None:
        if doing == CREDENTIALS:
            seen.append(how_far.tallies[doing].seen)

    done = await installation.rotator(watch).rotate_file(installation.file)
    keys = installation.file.read()
    alone = Vault(Keys(done.key_id, {done.key_id: keys.by_id[done.key_id]}))
    tally = done.tallies[CREDENTIALS]

    assert ({done.key_id}, {done.key_id}) == await installation.needed()
    assert await all_open(installation.database, alone)
    with pytest.raises(Unsealable):
        await all_open(installation.database, Vault(installation.old))
    assert {**keys.by_id} == {done.key_id: keys.by_id[done.key_id], **installation.old.by_id}
    assert (done.key_id, (installation.old.sealing,), True) == (keys.sealing, done.old_key_ids, done.is_new)
    assert before == rows(installation.url, query)
    assert [(None,)] == rows(installation.url, "SELECT response FROM idempotency WHERE call_id = 'under way'")
    assert (ACCOUNTS, ACCOUNTS, ACCOUNTS) == (tally.rows, tally.seen, tally.resealed)
    assert [0, 2, 3] * 2 == seen  # once to seal again, and once more that finds nothing


@ON_SQLITE
async def test_keys_of_the_environment(installation: Installation) -> None:
    """Everything is sealed with the one that stands first, and none is made."""
    fresh = new_keys()
    keys = Keys(fresh.sealing, {**fresh.by_id, **installation.old.by_id})
    vault = await open_vault(VaultKeys(installation.database), Path("none"), keys.text())
    done = await installation.rotator().seal_with_first(vault)

    assert (fresh.sealing, (installation.old.sealing,), False) == (done.key_id, done.old_key_ids, done.is_new)
    assert ({fresh.sealing}, {fresh.sealing}) == await installation.needed()


@ON_SQLITE
async def test_a_rotation_that_was_killed_goes_on(installation: Installation) -> None:
    """Killed after any step, the next rotation ends it with the same key; until then both keys are needed."""
    for moment in range(len(SEALED_KINDS) + 2):  # one of them in two steps, and before the first
        steps: list[str] = []

        def stop(how_far: Rotation, doing: str, steps: list[str] = steps, moment: int = moment) -> None:
            if not steps or how_far.tallies[doing].seen:  # something has changed
                steps.append(doing)
            if len(steps) > moment:
                raise Stopped

        with pytest.raises(Stopped):
            await installation.rotator(stop).rotate_file(installation.file)
        keys = installation.file.read()
        assert await all_open(installation.database, Vault.of_file(installation.file))
        for lost in keys.by_id:
            left = {key_id: key for key_id, key in keys.by_id.items() if key_id != lost}
            with pytest.raises(VaultKeyError, match=lost):
                await open_vault(VaultKeys(installation.database), Path("none"), Keys(*left, left).text())
        done = await installation.rotator().rotate_file(installation.file)

        assert (False, keys.sealing) == (done.is_new, done.key_id)
        assert ({keys.sealing}, {keys.sealing}) == await installation.needed()
        assert keys == installation.file.read()
        installation.file.replace(Keys(keys.sealing, {keys.sealing: keys.by_id[keys.sealing]}))


@ON_SQLITE
@pytest.mark.parametrize(("ending", "keys_left"), [(Rotator.rotate_file, 2), (Rotator.forget_old_keys, 1)])
async def test_a_rotation_that_only_wrote_the_file_goes_on(
    installation: Installation, ending: Callable[[Rotator, KeyFile], Awaitable[Rotation]], keys_left: int
) -> None:
    """Killed before it told the database, the key in the file is used, not a third one, and needed ones stay."""
    fresh = new_keys()
    installation.file.replace(Keys(fresh.sealing, {**fresh.by_id, **installation.old.by_id}))
    done = await ending(installation.rotator(), installation.file)

    assert (False, fresh.sealing) == (done.is_new, done.key_id)
    assert ({fresh.sealing}, {fresh.sealing}) == await installation.needed()
    assert [fresh.sealing, installation.old.sealing][:keys_left] == list(installation.file.read().by_id)


@ON_SQLITE
async def test_a_key_file_that_cannot_be_written_changes_nothing(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new key is on the disk before anything is sealed with it, or there is no rotation."""

    def refuse(_file: KeyFile, _keys: Keys) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(KeyFile, "replace", refuse)
    with pytest.raises(PermissionError):
        await installation.rotator().rotate_file(installation.file)

    assert ({installation.old.sealing}, {installation.old.sealing}) == await installation.needed()


async def test_a_newer_value_is_never_overwritten(installation: Installation) -> None:
    """A value newer than the one read is not overwritten, and sealing again moves no version: no token is lost."""
    accounts, values = Accounts(installation.database), SealedValues(installation.database)
    newer, leased, *_ = await values.batch(CREDENTIALS, None, 2)
    refreshed = await installation.account(2)
    assert await installation.keep(1, "newer")
    assert await accounts.take_lease(refreshed, "refresher", 60)

    assert 1 == await values.replace(CREDENTIALS, [(newer, ["again"]), (leased, ["again"])])
    assert await accounts.replace_credentials(refreshed, "refreshed", None, {})
    query = "SELECT sealed_credentials FROM accounts WHERE id <= 2 ORDER BY id"
    assert [("newer",), ("refreshed",)] == rows(installation.url, query)


@ON_SQLITE
@pytest.mark.parametrize("most_passes", [5, 4])
async def test_calls_that_go_on_sealing_are_caught_up_with(
    installation: Installation, most_passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Further passes find what a process writes with the old key for a while; of one that never stops it is told."""
    passes = []
    count = SealedValues.count

    async def write_behind(values: SealedValues, kind: str) -> int:
        if kind == "connect sessions":  # past the accounts of this pass
            passes.append(kind)
            if len(passes) <= 3:
                late = Vault(installation.old).seal({"creds": {}}, Kept.CREDENTIALS, 1, "user 0", "sandbox")
                assert await installation.keep(1, late)
        return await count(values, kind)

    monkeypatch.setattr(SealedValues, "count", write_behind)
    monkeypatch.setattr(rotation, "MOST_PASSES", most_passes)
    if most_passes == 4:
        with pytest.raises(VaultKeyError, match="Restart the processes"):
            await installation.rotator().rotate_file(installation.file)
        return
    done = await installation.rotator().rotate_file(installation.file)

    assert ({done.key_id}, {done.key_id}) == await installation.needed()
    assert 5 == len(passes)


@ON_SQLITE
async def test_what_cannot_be_opened_is_told_and_keeps_the_keys(installation: Installation) -> None:
    """One damaged value: all others are sealed again, it is named, and no key goes until it has been replaced."""
    account = await installation.account(3)
    assert await installation.keep(3, account.sealed_credentials[:-6] + "AAAAAA")
    done = await installation.rotator().rotate_file(installation.file)

    assert {(CREDENTIALS, (3,))} == done.unopened
    others = f"SELECT id FROM accounts WHERE sealed_credentials NOT LIKE '{done.key_id}.%'"
    assert [(3,)] == rows(installation.url, others)
    assert {done.key_id, installation.old.sealing} == (await installation.needed())[1]
    again = await installation.rotator().forget_old_keys(installation.file)
    assert done.unopened == again.unopened
    assert installation.old.sealing in installation.file.read().by_id
    assert await Accounts(installation.database).disconnect(evolve(account, version=account.version + 1))
    last = await installation.rotator().forget_old_keys(installation.file)
    assert set() == last.unopened
    assert [done.key_id] == list(installation.file.read().by_id)


@ON_SQLITE
async def test_forgotten_keys_are_gone(installation: Installation) -> None:
    """Each rotation makes a key; then only the newest is left, with which alone the service starts, and it stays."""
    first = await installation.rotator().rotate_file(installation.file)
    done = await installation.rotator().rotate_file(installation.file)
    forgotten = await installation.rotator().forget_old_keys(installation.file)

    assert (True, True) == (first.is_new, done.is_new)
    assert {first.key_id, installation.old.sealing} == set(done.old_key_ids)
    assert [done.key_id] == list(installation.file.read().by_id)
    assert (done.key_id, False) == (forgotten.key_id, forgotten.is_new)
    vault = await open_vault(VaultKeys(installation.database), installation.file.path, None)
    assert await all_open(installation.database, vault)
    with pytest.raises(VaultKeyError, match=done.key_id):
        await open_vault(VaultKeys(installation.database), Path("none"), installation.old.text())
    assert () == (await installation.rotator().forget_old_keys(installation.file)).old_key_ids
    assert [done.key_id] == list(installation.file.read().by_id)


@ON_SQLITE
@pytest.mark.parametrize(("age", "pauses"), [(-60, [1.0, 1.0, 0.5]), (3, [])])
async def test_keys_are_forgotten_only_when_every_process_has_followed(
    installation: Installation, age: int, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was written just now is waited for, in steps that are told; one that has stood for long is not."""
    await installation.rotator().rotate_file(installation.file)
    monkeypatch.setattr(rotation, "FORGETTING_SECONDS", 2.5)
    written_at = installation.file.written_at() - age
    os.utime(installation.file.path, (written_at, written_at))
    paused: list[float] = []
    told: list[str] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        assert installation.old.sealing in installation.file.read().by_id
        paused.append(seconds)
        await sleep(0)

    monkeypatch.setattr("service_server.vault.rotation.asyncio.sleep", noted)
    await installation.rotator(lambda _, doing: told.append(doing)).forget_old_keys(installation.file)

    assert pauses == paused
    waiting = [f"waiting {left} s for every process to take over the key" for left in (2, 2, 0)]
    assert waiting[: len(pauses)] == [each for each in told if each.startswith("waiting")]
    assert installation.old.sealing not in installation.file.read().by_id
