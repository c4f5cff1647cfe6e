"""`service-server check`: what it finds, and what it says to do about it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from service_server.cli import check
from service_server.store.migrations import newest_revision
from tests.service_server.cli.conftest import Run
from tests.service_server.databases import execute
from tests.service_server.postgresql import PostgreSQLServer

pytestmark = pytest.mark.slow


def found(run: Run, *arguments: str, code: int = 0) -> dict[str, list[dict[str, Any]]]:
    """The findings by what they are about."""
    done = run("check", "--json", *arguments)
    assert code == done.code, done.output + done.errors
    findings: dict[str, list[dict[str, Any]]] = {}
    for each in json.loads(done.output):
        findings.setdefault(each["about"], []).append(each)
    return findings


def test_before_the_first_start_nothing_is_wrong(run: Run, tmp_path: Path) -> None:
    """And no database is made by looking."""
    assert "is not there yet" in found(run)["Database"][0]["message"]
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    assert "service.db is not there yet" in found(run)["Database"][0]["message"]
    assert [] == list((tmp_path / "data").iterdir())


@pytest.mark.usefixtures("data")
def test_all_is_well_but_what_is_half_set_up(run: Run) -> None:
    """For people it is a line each. What an app's settings lack is named; no address for its host is a warning too."""
    assert 0 == run("app", "configure", "gmail", "--client-id", "some-client").code
    findings = found(run)

    assert {"ok"} == {each["state"] for name in ("Database", "Clock", "Vault key") for each in findings[name]}
    assert f"schema {newest_revision()}" in findings["Database"][0]["message"]
    assert "github" in findings["Apps"][0]["message"]
    assert "service-server app configure gmail --client-secret-file" in findings["Gmail"][0]["message"]
    assert {"gmail.googleapis.com of Gmail"} == {" ".join(each["message"].split()[:3]) for each in findings["Names"]}
    assert any(line.startswith("✓ Vault key: ") for line in run("check").output.splitlines())


def test_what_is_wrong_is_told(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock, the room that is left, who may read the key or that it is missing, and a schema of a newer release."""
    usage, now = shutil.disk_usage("/"), check.time.time()
    monkeypatch.setattr(check.shutil, "disk_usage", lambda _: usage._replace(free=check.LITTLE_SPACE - 1))
    assert "warning" == found(run)["Data directory"][0]["state"]
    monkeypatch.setattr(check.shutil, "disk_usage", lambda _: usage._replace(free=check.NO_SPACE - 1))
    assert "problem" == found(run, code=1)["Data directory"][0]["state"]
    monkeypatch.setattr(check.shutil, "disk_usage", lambda _: usage._replace(free=check.LITTLE_SPACE))
    monkeypatch.setattr(check.time, "time", lambda: now + 3600)
    (data / "vault.key").chmod(0o644)
    told = found(run)
    assert "s ahead of the database's" in told["Clock"][0]["message"]
    assert "chmod 600" in told["Data directory"][0]["message"]
    (data / "vault.key").unlink()
    (problem,) = found(run, code=1)["Vault key"]
    assert ("problem", True) == (problem["state"], "Put the key back" in problem["message"])
    execute(data, "UPDATE alembic_version SET version_num = '9999'")
    execute(data, "UPDATE schema_compatibility SET oldest_revision = '9998'")
    assert "Install the newer release" in found(run, code=1)["Database"][0]["message"]


def test_a_file_that_is_no_database_is_a_problem(run: Run, tmp_path: Path) -> None:
    """Nobody is told to start it."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "service.db").write_bytes(b"\xff\xfe\x00" * 2000)
    (problem,) = found(run, code=1)["Database"]

    assert f"{tmp_path / 'data' / 'service.db'} can't be used: file is not a database. Let" in problem["message"]
    assert "restore a backup if it is damaged, or say with --data-dir where it is." in problem["message"]


@pytest.mark.postgresql
def test_a_user_who_may_only_read_is_a_problem(run: Run, postgresql: PostgreSQLServer) -> None:
    """Else all looks well until the first call that changes something; nothing is written by looking."""
    with postgresql.database() as url:
        assert 0 == run("application", "create", "Acme", "--database", url).code
        name = url.rpartition("/")[2]
        assert {"ok"} == {each["state"] for each in found(run, "--database", url)["Database"]}
        postgresql.run(name, "DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN PASSWORD 'made-up'")
        postgresql.run(name, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        reader = postgresql.url(name, user="reader", password="made-up")
        (problem,) = found(run, "--database", reader, code=1)["Database"]
        postgresql.run(name, "DROP OWNED BY reader", "DROP ROLE reader")

    assert "problem" == problem["state"]
    assert "permission denied for table" in problem["message"]
    assert "made-up" not in str(problem)


def test_a_mistyped_variable_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, with the setting that may be meant, and without its value."""
    monkeypatch.setenv("SERVICE_PUBLIK_URL", "planted")
    (told,) = found(run)["Settings"]

    message = "SERVICE_PUBLIK_URL is not a setting, and does nothing. Did you mean SERVICE_PUBLIC_URL?"
    assert ("warning", message) == (told["state"], told["message"])


def test_a_database_that_is_away_is_a_problem(run: Run) -> None:
    """It is told without its password."""
    away = run("check", "--database", "postgresql://user:planted@127.0.0.1:1/name")

    assert (1, True) == (away.code, "✗ Database" in away.output)
    assert "127.0.0.1:1/name can't be used: " in away.output
    assert "Start the server, or mend the host, name, user or password of --database" in away.output
    assert "planted" not in away.output + away.errors
