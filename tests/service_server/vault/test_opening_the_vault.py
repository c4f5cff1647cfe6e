"""Opening the vault at a start: a fresh one gets a key, one that has sealed something refuses without its own."""

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service_server.store import VaultKeys
from service_server.vault import Keys, Vault, VaultKeyError, new_keys, open_vault
from tests.service_server.store.databases import opened_copy


@pytest.fixture
async def store(empty_database: Path, tmp_path: Path) -> AsyncIterator[VaultKeys]:
    """What an empty database knows of keys."""
    async with opened_copy(empty_database, tmp_path) as database:
        yield VaultKeys(database)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Where the key belongs; nothing is there."""
    return tmp_path / "not there yet" / "vault.key"


async def test_a_fresh_vault_gets_a_key_that_only_its_owner_reads(store: VaultKeys, key_file: Path) -> None:
    """The next start opens what the first one sealed; the database holds no part of the key."""
    sealed = (await open_vault(store, key_file, None)).seal("value", "credentials")
    again = await open_vault(store, key_file, None)
    written = key_file.read_text().strip()
    ((key_id, proof),) = (await store.proofs()).items()

    assert 0o600 == stat.S_IMODE(key_file.stat().st_mode)
    assert "value" == again.open(sealed, "credentials")
    assert written.partition(":")[0] == key_id
    assert written.partition(":")[2] not in proof


@pytest.mark.parametrize("is_shared", [True, False])
async def test_first_starts_at_once_agree_on_one_key(store: VaultKeys, tmp_path: Path, is_shared: bool) -> None:
    """All have the same where they share the file; on machines of their own all but one are refused."""
    files = [tmp_path / ("shared" if is_shared else str(number)) / "vault.key" for number in range(5)]
    opened = await asyncio.gather(*(open_vault(store, file, None) for file in files), return_exceptions=True)
    keys = [each.sealing_key_id for each in opened if isinstance(each, Vault)]

    assert (5 if is_shared else 1) == len(keys)
    assert set(keys) == set(await store.proofs())
    assert [VaultKeyError] * (5 - len(keys)) == [type(each) for each in opened if not isinstance(each, Vault)]


async def test_a_vault_without_its_key_refuses(store: VaultKeys, key_file: Path) -> None:
    """No new key is made beside sealed credentials, and the error says what to put where."""
    await open_vault(store, key_file, None)
    key_file.unlink()
    with pytest.raises(VaultKeyError, match="SERVICE_VAULT_KEY") as caught:
        await open_vault(store, key_file, None)

    assert str(key_file) in str(caught.value)
    assert not key_file.exists()


async def test_a_wrong_key_refuses(store: VaultKeys, key_file: Path) -> None:
    """Another key, and other bytes under the right id, are found out before anything is served."""
    vault = await open_vault(store, key_file, None)
    for keys in (new_keys(), Keys(vault.sealing_key_id, {vault.sealing_key_id: bytes(32)})):
        key_file.write_text(keys.text())
        with pytest.raises(VaultKeyError, match=vault.sealing_key_id):
            await open_vault(store, key_file, None)


async def test_the_key_may_come_from_the_environment(store: VaultKeys, key_file: Path) -> None:
    """It is used before the file's, and no file is written."""
    keys = new_keys()
    assert keys.sealing == (await open_vault(store, key_file, keys.text())).sealing_key_id
    assert not key_file.exists()
    key_file.parent.mkdir()
    key_file.write_text(new_keys().text())
    assert keys.sealing == (await open_vault(store, key_file, keys.text())).sealing_key_id


async def test_two_keys_open_what_either_sealed(store: VaultKeys, key_file: Path) -> None:
    """A new key before the old one seals from now on; without the old one the vault refuses."""
    old, newer = await open_vault(store, key_file, None), new_keys()
    key_file.write_text(newer.text() + key_file.read_text())
    both = await open_vault(store, key_file, None)

    assert newer.sealing == both.sealing_key_id
    assert "value" == both.open(old.seal("value", "credentials"), "credentials")
    with pytest.raises(VaultKeyError, match=old.sealing_key_id):
        await open_vault(store, key_file, newer.text())


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"a:planted", "a:é".encode()])
async def test_a_damaged_key_file_is_told_and_kept(store: VaultKeys, key_file: Path, content: bytes) -> None:
    """It is named in the error, not shown and not overwritten."""
    key_file.parent.mkdir()
    key_file.write_bytes(content)
    with pytest.raises(VaultKeyError) as caught:
        await open_vault(store, key_file, None)

    assert content == key_file.read_bytes()
    assert str(key_file) in str(caught.value)
    assert "planted" not in str(caught.value)
