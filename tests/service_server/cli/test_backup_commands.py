"""`backup` and `restore` as an operator uses them, and what they refuse."""

import json
import os
import resource
import shutil
import signal
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service_server.backup import restoring, taking
from service_server.store.migrations import newest_revision
from tests.service_server.cli.conftest import Run
from tests.service_server.databases import EmptyDatabases, rows
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


def changed(backup: Path, **values: Any) -> None:
    """Write a backup again with another manifest."""
    with zipfile.ZipFile(backup) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts["manifest.json"]) | values
    with zipfile.ZipFile(backup, "w") as archive:
        for name, content in (parts | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, content)


def test_a_backup_is_private_and_holds_no_key(run: Run, data: Path, backup: Path) -> None:
    """Only its owner can read it; the key that opens it is named by its id, and is in it only where asked for."""
    key_id, _, key = (data / "vault.key").read_text().strip().partition(":")
    told = run("backup", "again")

    assert 0o600 == stat.S_IMODE(backup.stat().st_mode)
    assert key_id in told.output
    with zipfile.ZipFile(backup) as archive:
        assert {"database", "manifest.json"} == set(archive.namelist())
        assert all(key.encode() not in archive.read(name) for name in archive.namelist())
    with_keys = run("backup", "--with-keys", "again", "--force", "--json")
    assert "holds the vault's keys" in with_keys.errors
    assert json.loads(with_keys.output)["holds_vault_keys"]
    assert key not in with_keys.output + with_keys.errors + told.output + told.errors
    assert 0 == run("restore", "again", "--data-dir", "elsewhere").code
    written = data.parent / "elsewhere" / "vault.key"
    assert (data / "vault.key").read_text() == written.read_text()
    assert 0o600 == stat.S_IMODE(written.stat().st_mode)


def test_a_file_that_is_there_is_kept(run: Run, backup: Path) -> None:
    """It is replaced only on request."""
    before = backup.read_bytes()
    refused = run("backup", "backup")

    assert (1, before) == (refused.code, backup.read_bytes())
    assert "--force" in refused.errors
    assert 0 == run("backup", "backup", "--force").code
    assert before != backup.read_bytes()


@pytest.mark.parametrize("portion", [0.05, 0.5, 0.8, 1.0])
def test_damage_is_found(run: Run, backup: Path, data: Path, portion: float) -> None:
    """Wherever a byte has changed, both `--check` and `restore` say so, and nothing is restored."""
    (data.parent / "elsewhere").mkdir()
    shutil.copy(data / "vault.key", data.parent / "elsewhere")
    content = bytearray(backup.read_bytes())
    content[int(portion * (len(content) - 3000)) + (2999 if portion == 1.0 else 5)] ^= 0xFF
    backup.write_bytes(bytes(content[: -200 if portion == 1.0 else None]))
    for arguments in (["--check"], ["--data-dir", "elsewhere"]):
        refused = run("restore", "backup", *arguments)
        assert (1, "") == (refused.code, refused.output)
        assert "backup" in refused.errors
        assert "Traceback" not in refused.errors
    assert ["vault.key"] == left(data.parent / "elsewhere")


def test_a_whole_backup_passes_the_check(run: Run, backup: Path) -> None:
    """With counts; nothing is made."""
    told = run("restore", "backup", "--check", "--json", "--data-dir", "nowhere")

    assert (0, 1) == (told.code, json.loads(told.output)["rows"]["applications"])
    assert ["backup"] == left(backup.parent)


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
    changed(backup, **values)
    refused = run("restore", "backup", "--data-dir", "elsewhere")

    assert 1 == refused.code
    assert said in " ".join(refused.errors.split())
    assert [] == left(backup.parent / "elsewhere")


def test_a_full_disk_leaves_nothing(run: Run, data: Path) -> None:
    """A file that can't grow any more stands for it; the command fails, and neither a file nor a folder is left."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        failed = run("backup", "backup")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert 1 == failed.code
    assert "could not be" in failed.errors
    assert [] == left(data.parent)


def test_stopped_halfway_nothing_is_left(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGTERM, as a service manager sends it, ends both commands as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(taking, "write_archive", interrupt)
        stopped = run("backup", "backup")
    assert 130 == stopped.code
    assert [] == left(data.parent)
    assert 0 == run("backup", "backup", "--with-keys").code
    with monkeypatch.context() as patch:
        patch.setattr(restoring, "end_what_was_under_way", interrupt)
        stopped = run("restore", "backup", "--data-dir", "elsewhere")
    assert 130 == stopped.code
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


@pytest.mark.parametrize(("script", "said"), [(None, "no pg_dump"), ("echo 'pg_dump (PostgreSQL) 9.6.1'", "version 9")])
@pytest.mark.postgresql
def test_without_the_right_pg_dump_it_is_said_what_to_install(
    run: Run, on_postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, said: str
) -> None:
    """The package, with the server's version."""
    programs = tmp_path / "programs"
    programs.mkdir()
    if script is not None:
        (programs / "pg_dump").write_text(f"#!/bin/sh\n{script}\n")
        (programs / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    failed = run("backup", "backup", "--database", on_postgresql)

    assert 1 == failed.code
    assert said in failed.errors
    assert "postgresql-client-" in failed.errors
    assert "backup" not in left(tmp_path)


@pytest.mark.postgresql
def test_nobody_sees_the_password_and_a_failed_restoration_is_taken_back(
    run: Run, on_postgresql: str, postgresql: PostgreSQLServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Command lines are public; and what fails after pg_restore has ended leaves the database empty."""
    programs, seen = tmp_path / "programs", tmp_path / "seen"
    programs.mkdir()
    for name in ("pg_dump", "pg_restore"):
        (programs / name).write_text(f'#!/bin/sh\necho "$@" >> {seen}\nexec {shutil.which(name)} "$@"\n')
        (programs / name).chmod(0o755)
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
    assert 3 <= len(seen.read_text().splitlines())
    assert PASSWORD not in seen.read_text()
