"""`backup` and `restore` as an operator uses them, and what they refuse."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service_server.backup import restoring, taking
from service_server.store.migrations import newest_revision
from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.databases import EmptyDatabases, execute, rows
from tests.service_server.postgresql import PASSWORD, PostgreSQLServer

pytestmark = pytest.mark.slow


@pytest.fixture
def backup(run: Run, data: Path, tmp_path: Path) -> Path:
    """A backup of the data directory."""
    assert 0 == run("backup", "backup").code
    return tmp_path / "backup"


@pytest.fixture
def on_postgresql(empty_on_postgresql: EmptyDatabases, tmp_path: Path) -> Iterator[str]:
    """The URL of a database on PostgreSQL with the schema and nothing in it."""
    with empty_on_postgresql.new(tmp_path) as url:
        yield url


def left(folder: Path) -> list[str]:
    """What lies in a folder beside the data directory, hidden files too."""
    return sorted(path.name for path in folder.iterdir() if path.name != "data")


def test_a_backup_is_private_and_holds_no_key(run: Run, data: Path, backup: Path) -> None:
    """The key is named by its id, and is in it only where asked for. A file that is there is replaced on request."""
    key_id, _, key = (data / "vault.key").read_text().strip().partition(":")
    before = backup.read_bytes()
    refused = run("backup", "backup")
    with zipfile.ZipFile(backup) as archive:
        assert {"database", "manifest.json"} == set(archive.namelist())
        assert all(key.encode() not in archive.read(name) for name in archive.namelist())
    checked = run("restore", "backup", "--check", "--json", "--data-dir", "nowhere")
    assert (before, ["backup"]) == (backup.read_bytes(), left(backup.parent))
    told = run("backup", "backup", "--force")
    with_keys = run("backup", "--with-keys", "another", "--json")

    assert 0o600 == stat.S_IMODE(backup.stat().st_mode)
    assert (1, True) == (refused.code, "--force" in refused.errors)
    assert (0, 1) == (checked.code, json.loads(checked.output)["rows"]["applications"])
    assert (0, True) == (told.code, key_id in told.output)
    assert before != backup.read_bytes()
    assert "holds the vault's keys" in with_keys.errors
    assert json.loads(with_keys.output)["holds_vault_keys"]
    assert key not in with_keys.output + with_keys.errors + told.output + told.errors
    assert 0 == run("restore", "another", "--data-dir", "elsewhere").code
    written = data.parent / "elsewhere" / "vault.key"
    assert (data / "vault.key").read_text() == written.read_text()
    assert 0o600 == stat.S_IMODE(written.stat().st_mode)


@pytest.mark.parametrize("portion", [0.05, 0.5, 0.8, 1.0])
def test_damage_is_found(run: Run, backup: Path, data: Path, portion: float) -> None:
    """Wherever a byte has changed, both `--check` and `restore` say so, and nothing is restored."""
    (data.parent / "elsewhere").mkdir()
    shutil.copy(data / "vault.key", data.parent / "elsewhere")
    content = bytearray(backup.read_bytes())
    content[int(portion * (len(content) - 3000)) + (2999 if portion == 1.0 else 5)] ^= 0xFF
    backup.write_bytes(bytes(content[: -200 if portion == 1.0 else None]))
    for arguments in (["--check"], ["--data-dir", "elsewhere"]):
        assert lines_of(run("restore", "backup", *arguments))[0].startswith("backup is damaged")
    assert ["vault.key"] == left(data.parent / "elsewhere")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"revision": "9999", "release": "7.0.0"}, "release 7.0.0"),
        ({"format": 2}, "use the release that made it"),
        ({"database": "postgresql"}, "is one of sqlite"),
        ({"parts": {}}, "other parts"),
        ({"rows": "many"}, "not whole"),
    ],
)
def test_what_this_release_can_not_restore_is_refused(
    run: Run, backup: Path, values: dict[str, Any], said: str
) -> None:
    """A newer schema or format, another kind of database, a manifest that is none: said in one line."""
    with zipfile.ZipFile(backup) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["manifest.json"] = json.dumps(json.loads(parts["manifest.json"]) | values).encode()
    with zipfile.ZipFile(backup, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)

    assert said in " ".join(lines_of(run("restore", "backup", "--data-dir", "elsewhere")))
    assert [] == left(backup.parent / "elsewhere")


def test_nothing_is_restored_where_it_does_not_belong(run: Run, data: Path, backup: Path) -> None:
    """Without the keys that open it, or over other data: refused before anything is touched, with what to do."""
    elsewhere = data.parent / "elsewhere"
    elsewhere.mkdir()
    right = (data / "vault.key").read_text()
    assert "is not here. Put the vault.key" in lines_of(run("restore", "backup", "--data-dir", elsewhere))[0]
    (elsewhere / "vault.key").write_text(f"{right.partition(':')[0]}:{'A' * 43}=\n")
    assert "is not the one" in lines_of(run("restore", "backup", "--data-dir", elsewhere))[0]
    assert ["vault.key"] == left(elsewhere)
    assert 0 == run("backup", "with-keys", "--with-keys").code
    assert f"move {elsewhere / 'vault.key'} away" in lines_of(run("restore", "with-keys", "--data-dir", elsewhere))[0]
    execute(data, "UPDATE applications SET name = 'Other'")
    assert "Restore into" in lines_of(run("restore", "backup"))[0]
    assert [("Other",)] == rows(data, "SELECT name FROM applications")


def test_a_full_disk_leaves_nothing(run: Run, data: Path) -> None:
    """A file that can't grow any more stands for it; both commands say where they failed, and leave nothing there."""
    assert 0 == run("backup", "whole", "--with-keys").code
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        failed = run("backup", "backup")
        restored = run("restore", "whole", "--data-dir", "elsewhere")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert (1, 1) == (failed.code, restored.code)
    assert "could not be" in failed.errors
    assert f"could not be restored into {data.parent / 'elsewhere'}: File too large" in restored.errors
    assert [] == left(data.parent / "elsewhere")
    (data.parent / "whole").unlink()
    (data.parent / "elsewhere").rmdir()
    assert [] == left(data.parent)


def test_a_copy_that_finds_no_room_is_told_by_the_name_of_the_backup(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not as if the database in use were full."""

    def full(*arguments: Any, **options: Any) -> sqlite3.Connection:
        copy = connect(*arguments, **options)
        copy.execute("PRAGMA max_page_count = 2")  # which leaves a file that is larger alone
        return copy

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", full)
    (said,) = lines_of(run("backup", "backup"))

    assert f"The backup {data.parent / 'backup'} could not be written: No space left on device." == said
    assert [] == left(data.parent)


def test_a_backup_does_not_go_to_standard_output(run: Run, data: Path) -> None:
    """Nor into a file that is called -, which is what it was taken for."""
    assert "can't go to standard output" in run("backup", "-").errors
    assert [] == left(data.parent)


def test_stopped_halfway_nothing_is_left(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGTERM, as a service manager sends it, ends both commands as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(taking, "write_archive", interrupt)
        assert 130 == run("backup", "backup").code
    assert [] == left(data.parent)
    assert 0 == run("backup", "backup", "--with-keys").code
    monkeypatch.setattr(restoring, "end_what_was_under_way", interrupt)
    assert 130 == run("restore", "backup", "--data-dir", "elsewhere").code
    assert [] == left(data.parent / "elsewhere")


def test_an_older_schema_is_upgraded(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup that is made before an upgrade can be restored after it; making it changes nothing."""
    url = f"sqlite+aiosqlite:///{data / 'old.db'}"
    restoring.upgrade(url, "0006")
    (data / "service.db").unlink()
    (data / "old.db").rename(data / "service.db")
    taken = json.loads(run("backup", "backup", "--json").output)
    assert ("0006", [("0006",)]) == (taken["revision"], rows(data, "SELECT version_num FROM alembic_version"))
    monkeypatch.setenv("SERVICE_DATA_DIR", "elsewhere")
    assert 0 == run("restore", "backup").code

    assert [(newest_revision(),)] == rows(data.parent / "elsewhere", "SELECT version_num FROM alembic_version")


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """Makes a folder with scripts in the place of programs, by their names."""

    def put(**scripts: str) -> Path:
        folder = tmp_path / "programs"
        folder.mkdir()
        for name, script in scripts.items():
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        return folder

    return put


@pytest.mark.parametrize(
    ("scripts", "said"), [({}, "no pg_dump"), ({"pg_dump": "echo 'pg_dump (PostgreSQL) 9.6.1'"}, "version 9")]
)
@pytest.mark.postgresql
def test_without_the_right_pg_dump_it_is_said_what_to_install(
    run: Run, on_postgresql: str, put: Any, monkeypatch: pytest.MonkeyPatch, scripts: dict[str, str], said: str
) -> None:
    """The package, with the server's version."""
    monkeypatch.setenv("PATH", str(put(**scripts)))
    (line,) = lines_of(run("backup", "backup", "--database", on_postgresql))

    assert said in line
    assert "postgresql-client-" in line
    assert not Path("backup").exists()


@pytest.mark.postgresql
def test_nobody_sees_the_password_and_a_failed_restoration_is_taken_back(
    run: Run, on_postgresql: str, postgresql: PostgreSQLServer, put: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Command lines are public; and what fails after pg_restore has ended leaves the database empty."""
    names = ("pg_dump", "pg_restore")
    programs = put(**{name: f'echo "$@" >> seen\nexec {shutil.which(name)} "$@"' for name in names})
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    async def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    assert 0 == run("backup", "backup", "--database", on_postgresql).code
    with postgresql.database() as target:
        with monkeypatch.context() as patch:
            patch.setattr(restoring, "end_what_was_under_way", fail)
            assert 1 == run("restore", "backup", "--database", target).code
        assert 0 == run("restore", "backup", "--database", target).code
        assert [(newest_revision(),)] == rows(target, "SELECT version_num FROM alembic_version")
        assert "Restore into" in lines_of(run("restore", "backup", "--database", target))[0]
    seen = Path("seen").read_text()
    assert 3 <= len(seen.splitlines())
    assert PASSWORD not in seen
