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
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vaults look at their file every time."""
    monkeypatch.setattr(vault_module, "LOOK_SECONDS", 0)


def rotated(file: KeyFile) -> str:
    """Put a new key before the present ones; its id."""
    fresh, present = new_keys(), file.read()
    file.replace(Keys(fresh.sealing, {**fresh.by_id, **present.by_id}))
    return fresh.sealing


def only_first(file: KeyFile) -> None:
    """Drop every key but the first."""
    keys = file.read()
    file.replace(Keys(keys.sealing, {keys.sealing: keys.by_id[keys.sealing]}))


@pytest.mark.usefixtures("at_once")
def test_a_new_first_key_seals_from_then_on(file: KeyFile) -> None:
    """The old key goes on opening; once it is dropped from the file it opens nothing any more."""
    vault = Vault.of_file(file)
    before = vault.seal("value", "credentials")
    new_id = rotated(file)
    after = vault.seal("value", "credentials")

    assert after.startswith(f"{new_id}.")
    assert ["value", "value"] == [vault.open(each, "credentials") for each in (before, after)]
    only_first(file)
    assert "value" == vault.open(after, "credentials")
    with pytest.raises(Unsealable):
        vault.open(before, "credentials")


@pytest.mark.usefixtures("at_once")
async def test_a_vault_that_nobody_uses_follows_too(file: KeyFile) -> None:
    """An idle service notices the new key while both open, not only when the old one has gone."""
    vault = Vault.of_file(file)
    following = asyncio.create_task(vault.follow())
    new_id = rotated(file)
    await asyncio.wait([following], timeout=0.1)
    following.cancel()
    only_first(file)

    assert (new_id, True) == (vault.sealing_key_id, vault.can_seal)


def test_a_key_that_is_unknown_is_looked_up_at_once(file: KeyFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process sealed with the new key opens here without any delay."""
    monkeypatch.setattr(vault_module, "LOOK_SECONDS", float("inf"))
    vault = Vault.of_file(file)
    rotated(file)

    assert "value" == vault.open(Vault.of_file(file).seal("value", "credentials"), "credentials")


@pytest.mark.usefixtures("at_once")
def test_a_foreign_file_stops_sealing_and_nothing_else(file: KeyFile) -> None:
    """A wrong file opens nothing, so its keys are not taken: what is sealed here must not depend on a lost key."""
    vault = Vault.of_file(file)
    sealed, keys = vault.seal("value", "credentials"), file.read()
    file.replace(new_keys())

    assert "value" == vault.open(sealed, "credentials")
    assert not vault.can_seal
    with pytest.raises(VaultKeyError):
        vault.seal("value", "credentials")
    with pytest.raises(Unsealable):
        vault.open(f"{file.read().sealing}.{sealed.partition('.')[2]}", "credentials")
    with pytest.raises(VaultKeyError):
        vault.seal("value", "credentials")
    file.replace(keys)
    assert "value" == vault.open(vault.seal("value", "credentials"), "credentials")


@pytest.mark.usefixtures("at_once")
def test_other_bytes_under_a_known_id_are_foreign(file: KeyFile) -> None:
    """Only the very same key counts as the one that is known."""
    vault = Vault.of_file(file)
    fresh = new_keys()
    file.replace(Keys(fresh.sealing, {**fresh.by_id, vault.sealing_key_id: bytes(32)}))

    with pytest.raises(VaultKeyError):
        vault.seal("value", "credentials")


def test_a_vault_that_slept_through_a_rotation_wakes_up(file: KeyFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the file holds only keys it never saw, the first value that one of them opens proves them."""
    monkeypatch.setattr(vault_module, "LOOK_SECONDS", float("inf"))
    vault = Vault.of_file(file)
    new_id = rotated(file)
    only_first(file)
    sealed = Vault.of_file(file).seal("value", "credentials")
    monkeypatch.setattr(vault_module, "LOOK_SECONDS", 0)

    with pytest.raises(VaultKeyError):
        vault.seal("value", "credentials")
    assert "value" == vault.open(sealed, "credentials")
    assert vault.seal("value", "credentials").startswith(f"{new_id}.")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("content", [None, b"", b"half a k", b"\xff\xfe"])
def test_an_unreadable_file_changes_nothing(file: KeyFile, content: bytes | None) -> None:
    """A file that is gone or half written by hand leaves a running service as it is."""
    vault = Vault.of_file(file)
    sealed = vault.seal("value", "credentials")
    if content is None:
        file.path.unlink()
    else:
        file.path.write_bytes(content)

    assert "value" == vault.open(sealed, "credentials")
    assert "value" == vault.open(vault.seal("value", "credentials"), "credentials")


def test_the_file_stays_private_and_where_it_is(file: KeyFile, tmp_path: Path) -> None:
    """A replaced file keeps its mode; a link to it stays a link; nothing is left beside it."""
    link = tmp_path / "linked" / "vault.key"
    link.parent.mkdir()
    link.symlink_to(file.path)
    rotated(KeyFile(link))

    assert link.is_symlink()
    assert 2 == len(file.read().by_id)
    assert 0o600 == stat.S_IMODE(file.path.stat().st_mode)
    assert [file.path.name] == [path.name for path in tmp_path.iterdir() if path.is_file()]
    file.path.chmod(0o640)
    rotated(file)
    assert 0o640 == stat.S_IMODE(file.path.stat().st_mode)


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
    file = KeyFile(tmp_path / "of" / "the service" / "vault.key")
    first, second = new_keys(), new_keys()

    assert file.create(first) is True
    assert file.create(second) is False
    assert first == file.read()
    assert [file.path] == list(file.path.parent.iterdir())


def test_the_file_stays_its_owners(file: KeyFile) -> None:
    """Rotated by root, it still belongs to whom the service runs as."""
    if not os.geteuid():
        os.chown(file.path, 12345, 23456)
    before = file.path.stat()
    file.replace(new_keys())

    after = file.path.stat()
    assert (before.st_uid, before.st_gid) == (after.st_uid, after.st_gid)


@pytest.mark.usefixtures("at_once")
def test_pseudonyms_follow_the_key_that_seals(file: KeyFile) -> None:
    """After a rotation every process says the same new pseudonym, also one that only followed the file."""
    vault = Vault.of_file(file)
    before = vault.pseudonym(1, "ann")
    rotated(file)
    vault.seal("value", "credentials")

    assert before != vault.pseudonym(1, "ann")
    assert Vault(file.read()).pseudonym(1, "ann") == vault.pseudonym(1, "ann")
