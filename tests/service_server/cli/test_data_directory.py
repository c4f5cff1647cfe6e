"""The data directory is its owner's alone, whatever rights new files usually get."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.real_apps.running import ROOT
from tests.service_server.processes import SERVICE_SERVER, command, create_application, service

pytestmark = pytest.mark.slow


def rights(folder: Path) -> dict[str, str]:
    """The mode of everything in a folder and of itself, by name, where others may do anything with it."""
    found = {str(path.relative_to(folder.parent)): path.stat().st_mode for path in [folder, *folder.rglob("*")]}
    return {name: stat.filemode(mode) for name, mode in found.items() if mode & (stat.S_IRWXG | stat.S_IRWXO)}


@pytest.fixture(autouse=True)
def usual_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    """New files may be read by everybody, as on most machines, unless a program says otherwise."""
    os.umask(0o022)
    monkeypatch.delenv("SERVICE_CACHE_DIR", raising=False)


def test_nobody_else_may_open_what_a_service_keeps(tmp_path: Path) -> None:
    """Also not the database's log and the files of running processes, which stand there while it serves."""
    folder = tmp_path / "data"
    application = json.loads(command(folder, "application", "create", "Host", "--json"))  # which makes the database
    with service(folder, application=application):
        names = {path.name for path in folder.iterdir()}
        open_to_others = rights(folder)

    assert {"service.db", "service.db-wal", "service.db-shm", "vault.key", "cache"} <= names
    assert {} == open_to_others


@pytest.mark.parametrize("name", ["service.db", "service.db-wal"])
def test_a_database_that_others_could_open_is_closed_to_them(tmp_path: Path, name: str) -> None:
    """The next command takes their rights away and says so where it does not disturb what it prints."""
    create_application(tmp_path, "Acme")
    (tmp_path / name).touch()
    (tmp_path / name).chmod(0o644)
    upgrade = [SERVICE_SERVER, "db", "upgrade", "--data-dir", str(tmp_path)]
    done = subprocess.run(upgrade, cwd=ROOT, capture_output=True, text=True, check=True)

    assert "The database is up to date.\n" == done.stdout
    assert f"{tmp_path}/{name}" in done.stderr
    assert 0o600 == stat.S_IMODE((tmp_path / "service.db").stat().st_mode)
    assert "database.file_made_private" in done.stderr
