"""Opening the vault at a start: a fresh one gets a key, one that has sealed something refuses without its own."""

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service_server.store import Database, VaultKeys
from service_server.vault import Keys, Vault, VaultKeyError, keys_from_text, new_keys, open_vault
from tests.service_server.store.databases import opened_copy


@pytest.fixture
async def database(empty_database: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """An open database with nothing in it."""
    async with opened_copy(empty_database, tmp_path) as database:
        yield database


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Where the key belongs; nothing is there."""
    return tmp_path / "not there yet" / "vault.key"


async def test_a_fresh_vault_gets_a_key_that_only_its_owner_reads(database: Database, key_file: Path) -> None:
    """The file has mode 0600, and the next start opens what the first one sealed."""
    sealed = (await open_vault(VaultKeys(database), key_file, None)).seal("value", "credentials")
    again = await open_vault(VaultKeys(database), key_file, None)

    assert 0o600 == stat.S_IMODE(key_file.stat().st_mode)
    assert "value" == again.open(sealed, "credentials")


async def test_machines_that_begin_at_once_agree_on_one_key(database: Database, tmp_path: Path) -> None:
    """Of two that would each make a key of their own one is refused, before anything is sealed with a second key."""
    files = [tmp_path / machine / "vault.key" for machine in ("one", "other")]
    opened = await asyncio.gather(
        *(open_vault(VaultKeys(database), file, None) for file in files), return_exceptions=True
    )
    (vault,) = (each for each in opened if isinstance(each, Vault))

    assert [VaultKeyError] == [type(each) for each in opened if each is not vault]
    assert [vault.sealing_key_id] == list(await VaultKeys(database).proofs())


async def test_a_vault_without_its_key_refuses(database: Database, key_file: Path) -> None:
    """No new key is made beside sealed credentials, and the error says what to put where."""
    await open_vault(VaultKeys(database), key_file, None)
    key_file.unlink()
    with pytest.raises(VaultKeyError) as caught:
        await open_vault(VaultKeys(database), key_file, None)

    assert str(key_file) in str(caught.value)
    assert "SERVICE_VAULT_KEY" in str(caught.value)
    assert not key_file.exists()


async def test_a_wrong_key_refuses(database: Database, key_file: Path) -> None:
    """Another key, and other bytes under the right id, are found out before anything is served."""
    vault = await open_vault(VaultKeys(database), key_file, None)
    same_id = Keys(vault.sealing_key_id, {vault.sealing_key_id: bytes(32)})
    for keys in (new_keys(), same_id):
        key_file.write_text(keys.text())
        with pytest.raises(VaultKeyError, match=vault.sealing_key_id):
            await open_vault(VaultKeys(database), key_file, None)


async def test_the_key_may_come_from_the_environment(database: Database, key_file: Path) -> None:
    """A key in the environment is used before the file's, and no file is written."""
    keys = new_keys()
    vault = await open_vault(VaultKeys(database), key_file, keys.text())

    assert keys.sealing == vault.sealing_key_id
    assert not key_file.exists()
    key_file.parent.mkdir()
    key_file.write_text(new_keys().text())
    assert keys.sealing == (await open_vault(VaultKeys(database), key_file, keys.text())).sealing_key_id


async def test_two_keys_open_what_either_sealed(database: Database, key_file: Path) -> None:
    """A new key before the old one seals from now on; without the old one the vault refuses."""
    old = await open_vault(VaultKeys(database), key_file, None)
    sealed = old.seal("value", "credentials")
    newer = new_keys()
    key_file.write_text(newer.text() + key_file.read_text())
    both = await open_vault(VaultKeys(database), key_file, None)

    assert newer.sealing == both.sealing_key_id
    assert "value" == both.open(sealed, "credentials")
    with pytest.raises(VaultKeyError, match=old.sealing_key_id):
        await open_vault(VaultKeys(database), key_file, newer.text())


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"a:planted", "a:é".encode()])
async def test_a_damaged_key_file_is_told_and_kept(database: Database, key_file: Path, content: bytes) -> None:
    """A file that holds no key is named in the error, not shown and not overwritten."""
    key_file.parent.mkdir()
    key_file.write_bytes(content)
    with pytest.raises(VaultKeyError) as caught:
        await open_vault(VaultKeys(database), key_file, None)

    assert content == key_file.read_bytes()
    assert str(key_file) in str(caught.value)
    assert "planted" not in str(caught.value)


async def test_two_first_starts_agree_on_one_key(database: Database, key_file: Path) -> None:
    """When the service and a command begin together on a fresh database, both use the same key."""
    vaults = await asyncio.gather(*(open_vault(VaultKeys(database), key_file, None) for _ in range(5)))

    assert {keys_from_text(key_file.read_text()).sealing} == {vault.sealing_key_id for vault in vaults}
    assert 1 == len(await VaultKeys(database).proofs())


async def test_proofs_show_nothing_of_the_key(database: Database, key_file: Path) -> None:
    """The database holds no part of the key, in no spelling."""
    await open_vault(VaultKeys(database), key_file, None)
    written = key_file.read_text()
    ((key_id, proof),) = (await VaultKeys(database).proofs()).items()

    assert written.partition(":")[0] == key_id
    assert written.partition(":")[2].strip() not in proof
