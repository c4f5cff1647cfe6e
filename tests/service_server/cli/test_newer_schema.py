"""The service on a database whose schema a newer version has changed."""

import json
from pathlib import Path

import pytest

from tests.service_server.commands import run_command
from tests.service_server.databases import execute, note_database, rows
from tests.service_server.processes import create_application, service

pytestmark = pytest.mark.slow


def changed_by_a_newer_version(url: str, oldest_working: str) -> None:
    """A schema as a later version may leave it: with more than before, and what it says of older ones."""
    execute(url, "ALTER TABLE calls ADD COLUMN later TEXT DEFAULT 'later'")
    execute(url, "UPDATE alembic_version SET version_num = '9999'")
    execute(url, f"UPDATE schema_compatibility SET oldest_revision = '{oldest_working}'")


@pytest.fixture
def folder(database_url: str, tmp_path: Path) -> Path:
    """A data directory on an empty database."""
    note_database(tmp_path / "data", database_url)
    return tmp_path / "data"


def test_a_version_that_still_works_on_it_runs(folder: Path, database_url: str) -> None:
    """It serves, warns in its log, and leaves the schema as it is; commands work, too."""
    before = create_application(folder, "Before")
    changed_by_a_newer_version(database_url, "0006")
    after = create_application(folder, "After")
    for application in (before, after):
        with service(folder, application=application) as running, running.api("ann") as ann:
            ann.get("/apps").raise_for_status()
            warnings = [line for line in running.program.output().splitlines() if '"schema.newer"' in line]
            assert 1 == len(warnings)
            told = json.loads(warnings[0])
            assert ("warning", "9999", "0006") == (told["level"], told["schema"], told["oldest_working"])

    assert [("9999",)] == rows(database_url, "SELECT version_num FROM alembic_version")


def test_a_version_that_no_longer_works_on_it_refuses(folder: Path, database_url: str) -> None:
    """With status 1 and one line that names both versions' schemas and what to do."""
    changed_by_a_newer_version(database_url, "9998")
    env = {"SERVICE_DATABASE": database_url}
    ended = run_command(["serve", "--data-dir", str(folder)], stdin="", env=env)
    last = ended.errors.strip().splitlines()[-1]

    assert 1 == ended.status
    assert all(each in last for each in ("9999", "9998", "Install the newer version"))
    assert "Traceback" not in ended.errors
