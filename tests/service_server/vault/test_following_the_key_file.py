"""A running vault follows its key file when it is replaced, but never seals with a key that might be a mistake."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from service_server.vault import KeyFile, Keys, Unsealable, Vault, VaultKeyError, new_keys
from service_server.vault import vault as vault_module


@pytest.fixture
def file(tmp_path: Path) -> KeyFile:
    """A key file with one key."""
    file = KeyFile(tmp_path / "vault.key")
    file.create(new_keys())
    return file


@pytest.fixture
def vault(file: KeyFile, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """A vault of the file, which looks at it every time."""
    monkeypatch.setattr(vault_module, "LOOK_SECONDS", 0)
    return Vault.of_file(file)


def seal(vault: Vault) -> str:
    """Seal something."""
    return vault.seal("value", "credentials")


def opens(vault: Vault, sealed: str) -> bool:
    """Whether a vault opens what `seal` sealed."""
    try:
        return bool("value" == vault.open(sealed, "credentials"))
    except Unsealable:
        return False


def rotated(file: KeyFile) -> str:
    """Put a new key before the present ones; its id."""
    fresh, present = new_keys(), file.read()
    file.replace(Keys(fresh.sealing, {**fresh.by_id, **present.by_id}))
    return fresh.sealing


def only_first(file: KeyFile) -> None:
    """Drop every key but the first."""
    keys = file.read()
    file.replace(Keys(keys.sealing, {keys.sealing: keys.by_id[keys.sealing]}))


def test_a_new_first_key_seals_from_then_on(file: KeyFile, vault: Vault) -> None:
    """The old one goes on opening until it is dropped; pseudonyms are those of every vault with the new one."""
    before, pseudonym = seal(vault), vault.pseudonym(1, "ann")
    new_id = rotated(file)
    after = seal(vault)

    assert after.startswith(f"{new_id}.")
    assert opens(vault, before)
    assert pseudonym != vault.pseudonym(1, "ann") == Vault(file.read()).pseudonym(1, "ann")
    only_first(file)
    assert (True, False) == (opens(vault, after), opens(vault, before))


async def test_a_vault_that_nobody_uses_follows_too(file: KeyFile, vault: Vault) -> None:
    """An idle service notices the new key while both open, not only when the old one has gone."""
    following = asyncio.create_task(vault.follow())
    new_id = rotated(file)
    async with asyncio.timeout(30):
        while vault.sealing_key_id != new_id:  # noqa: ASYNC110  a vault tells nobody
            await asyncio.sleep(0)
    following.cancel()
    only_first(file)

    assert vault.can_seal


def test_a_key_that_is_unknown_is_looked_up_at_once(
    file: KeyFile, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process sealed with the new key opens here without any delay."""
    monkeypatch.setattr(vault_module, "LOOK_SECONDS", float("inf"))
    rotated(file)

    assert opens(vault, seal(Vault.of_file(file)))


@pytest.mark.parametrize("same_id", [False, True])
def test_a_foreign_file_stops_sealing_and_nothing_else(file: KeyFile, vault: Vault, same_id: bool) -> None:
    """Its keys, also other bytes under a known id, are not taken: what is sealed must not depend on a lost key."""
    sealed, keys, foreign = seal(vault), file.read(), new_keys()
    known = {keys.sealing: bytes(32)} if same_id else {}
    file.replace(Keys(foreign.sealing, {**foreign.by_id, **known}))

    assert opens(vault, sealed)
    assert not opens(vault, f"{foreign.sealing}.{sealed.partition('.')[2]}")
    assert not vault.can_seal
    with pytest.raises(VaultKeyError):
        seal(vault)
    file.replace(keys)
    assert opens(vault, seal(vault))


def test_a_vault_that_slept_through_a_rotation_wakes_up(file: KeyFile, vault: Vault) -> None:
    """When the file holds only keys it never saw, the first value that one of them opens proves them."""
    new_id = rotated(file)
    only_first(file)

    assert not vault.can_seal
    assert opens(vault, seal(Vault.of_file(file)))
    assert seal(vault).startswith(f"{new_id}.")


@pytest.mark.parametrize("content", [None, b"", b"half a k", b"\xff\xfe"])
def test_an_unreadable_file_changes_nothing(file: KeyFile, vault: Vault, content: bytes | None) -> None:
    """A file that is gone or half written by hand leaves a running service as it is."""
    sealed = seal(vault)
    if content is None:
        file.path.unlink()
    else:
        file.path.write_bytes(content)

    assert opens(vault, sealed)
    assert opens(vault, seal(vault))


def test_the_file_stays_whose_and_where_it_is(file: KeyFile, tmp_path: Path) -> None:
    """A replaced file keeps its owner and mode; a link to it stays a link; nothing is left beside it."""
    link = tmp_path / "linked" / "vault.key"
    link.parent.mkdir()
    link.symlink_to(file.path)
    if not os.geteuid():  # rotated by root, it still belongs to whom the service runs as
        os.chown(file.path, 12345, 23456)
    before = file.path.stat()
    for mode in (0o600, 0o640):
        file.path.chmod(mode)
        rotated(KeyFile(link))
        after = file.path.stat()
        assert (mode, before.st_uid, before.st_gid) == (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid)

    assert link.is_symlink()
    assert 3 == len(file.read().by_id)
    assert [file.path] == [path for path in tmp_path.iterdir() if path.is_file()]


def test_a_replacement_that_fails_leaves_the_old_file(file: KeyFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk at the last moment costs no key and leaves no key lying about."""

    def full(_path: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    keys = file.read()
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        rotated(file)

    assert keys == file.read()
    assert [file.path] == list(file.path.parent.iterdir())


def test_one_rotation_at_a_time(file: KeyFile) -> None:
    """While one holds the file another is refused; afterwards it may begin."""
    with file.locked(), pytest.raises(VaultKeyError, match="under way"), KeyFile(file.path).locked():
        pass
    with file.locked():
        pass


def test_the_first_process_makes_the_file(tmp_path: Path) -> None:
    """Of two that start at once, one has made it, folders and all, and the other one knows that it has not."""
    file, first = KeyFile(tmp_path / "of" / "the service" / "vault.key"), new_keys()

    assert [True, False] == [file.create(first), file.create(new_keys())]
    assert first == file.read()
    assert [file.path] == list(file.path.parent.iterdir())
