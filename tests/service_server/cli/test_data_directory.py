"""The data directory is its owner's alone, whatever rights new files usually get."""

import json
import os
import stat
from pathlib import Path

import pytest

from tests.service_server.commands import run_command
from tests.service_server.processes import command, create_application, service

pytestmark = pytest.mark.slow


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
        modes = {path.name: path.stat().st_mode for path in [folder, *folder.rglob("*")]}

    assert {"service.db", "service.db-wal", "service.db-shm", "vault.key", "cache"} <= modes.keys()
    open_to_others = stat.S_IRWXG | stat.S_IRWXO
    assert {} == {name: stat.filemode(mode) for name, mode in modes.items() if mode & open_to_others}


def test_a_database_that_others_could_open_is_closed_to_them(tmp_path: Path) -> None:
    """The next command takes their rights away and says so where it does not disturb what it prints."""
    create_application(tmp_path, "Acme")
    files = [tmp_path / "service.db", tmp_path / "service.db-wal"]
    for file in files:
        file.touch()
        file.chmod(0o644)
    done = run_command(["db", "upgrade", "--data-dir", str(tmp_path)], stdin="", env={})

    assert (0, "The database is up to date.\n") == (done.status, done.output)
    told = [json.loads(line) for line in done.errors.splitlines()]
    assert [("database.file_made_private", str(each)) for each in files] == [(t["event"], t["file"]) for t in told]
    assert 0o600 == stat.S_IMODE((tmp_path / "service.db").stat().st_mode)
