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
    findings = found(run)

    assert "is not there yet" in findings["Database"][0]["message"]
    assert not (tmp_path / "data" / "service.db").exists()


@pytest.mark.usefixtures("data")
def test_all_is_well(run: Run) -> None:
    """For people it is a line each."""
    findings = found(run)
    lines = run("check").output.splitlines()

    assert {"ok"} == {each["state"] for each in (*findings["Database"], *findings["Clock"], *findings["Vault key"])}
    assert f"schema {newest_revision()}" in findings["Database"][0]["message"]
    assert any(line.startswith("✓ Vault key: ") for line in lines)
    assert "github" in findings["Apps"][0]["message"]


def test_what_is_wrong_with_the_key_is_told(run: Run, data: Path) -> None:
    """Who else may read it, with the command that mends that, and where to put it if it is missing."""
    (data / "vault.key").chmod(0o644)
    assert "chmod 600" in found(run)["Data directory"][0]["message"]
    (data / "vault.key").unlink()
    (problem,) = found(run, code=1)["Vault key"]

    assert "problem" == problem["state"]
    assert "Put the key back" in problem["message"]


def test_a_database_that_can_not_be_used_is_a_problem(run: Run, data: Path) -> None:
    """One that is away, without its password; one with a newer schema, where this release does not work on it."""
    away = run("check", "--database", "postgresql://user:planted@127.0.0.1:1/name")
    assert (1, True) == (away.code, "✗ Database" in away.output)
    assert "planted" not in away.output + away.errors
    execute(data, "UPDATE alembic_version SET version_num = '9999'")
    execute(data, "UPDATE schema_compatibility SET oldest_revision = '9998'")

    assert "Install the newer release" in found(run, code=1)["Database"][0]["message"]


@pytest.mark.usefixtures("data")
def test_an_app_that_is_half_set_up_is_told_how_to_go_on(run: Run) -> None:
    """The command names what is missing; that its host has no address here is a warning too."""
    assert 0 == run("app", "configure", "gmail", "--client-id", "some-client").code
    findings = found(run)

    assert "service-server app configure gmail --client-secret-file" in findings["Gmail"][0]["message"]
    assert {"gmail.googleapis.com of Gmail"} == {" ".join(each["message"].split()[:3]) for each in findings["Names"]}


@pytest.mark.usefixtures("data")
def test_little_room_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """First as a warning, then as what keeps calls from being written down."""
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(check.shutil, "disk_usage", lambda _: usage._replace(free=check.LITTLE_SPACE - 1))
    assert "warning" == found(run)["Data directory"][0]["state"]
    monkeypatch.setattr(check.shutil, "disk_usage", lambda _: usage._replace(free=check.NO_SPACE - 1))
    assert "problem" == found(run, code=1)["Data directory"][0]["state"]


@pytest.mark.usefixtures("data")
def test_a_clock_that_is_wrong_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """And in which direction."""
    now = check.time.time()
    monkeypatch.setattr(check.time, "time", lambda: now + 3600)

    assert "s ahead of the database's" in found(run)["Clock"][0]["message"]
