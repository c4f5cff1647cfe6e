"""Backups and restores that find that somebody else was faster, between looking and writing."""

import os
from pathlib import Path

import pytest

from service_server.backup import restoring, taking
from service_server.backup.manifest import BackupError
from service_server.settings import Settings
from service_server.vault import keys_from_text, new_keys
from service_server.vault.key_file import KeyFile


def test_a_backup_that_gets_no_name_is_not_called_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another file had the name for a moment: the backup has none then, and is not told as if it had."""
    written, file = tmp_path / "written", tmp_path / "backup"
    written.write_text("all of it")

    def link(*_: object) -> None:
        raise FileExistsError

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(BackupError, match="is there already"):
        taking._named(written, file, False)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Those of a service without keys."""
    database = f"sqlite+aiosqlite:///{tmp_path / 'service.db'}"
    return Settings(data_directory=tmp_path, public_url="http://service.test", database_url=database)


def test_keys_of_somebody_else_stay(settings: Settings) -> None:
    """A restore that comes second neither goes on with other keys nor removes them when it ends."""
    theirs = new_keys()
    KeyFile(settings.vault_key_file).create(theirs)
    with pytest.raises(BackupError, match="has just written"), restoring._key_file(settings, new_keys()):
        pytest.fail("it went on")

    assert theirs.text() == settings.vault_key_file.read_text()


def test_keys_of_a_restore_that_fails_are_removed(settings: Settings) -> None:
    """The place is as it was; while the restore goes on they are there."""
    ours = new_keys()

    def fail() -> None:
        with restoring._key_file(settings, ours):
            assert ours.text() == keys_from_text(settings.vault_key_file.read_text()).text()
            raise ValueError("failed")

    with pytest.raises(ValueError, match="failed"):
        fail()

    assert not settings.vault_key_file.exists()
