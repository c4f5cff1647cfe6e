"""`serve`: begins with what there is, and says what it has found."""

import signal
from pathlib import Path

import pytest
from attrs import evolve

from tests.service_server.commands import run_command
from tests.service_server.databases import execute, rows
from tests.service_server.processes import create_application, service

pytestmark = pytest.mark.slow

# What may still be under way when the service is told to end is at most an onward call of 30 seconds.
LIMIT_SECONDS = 35


def test_the_key_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the key lies on the disk, and without it no service starts again; Ctrl-C ends one as SIGTERM does."""
    monkeypatch.setenv("SERVICE_VAULT_KEY", "env:" + "QUJD" * 10 + "QUI=")
    with service(tmp_path) as running:
        with running.api("ann") as api:
            assert 200 == api.get("/apps").status_code
        running.program.process.send_signal(signal.SIGINT)
        assert 0 == running.program.process.wait(LIMIT_SECONDS)
        assert "Traceback" not in running.program.output()
    monkeypatch.delenv("SERVICE_VAULT_KEY")
    done = run_command(["serve", "--port", "0", "--data-dir", str(tmp_path)], stdin="", env={})

    assert (1, 1) == (done.status, len(done.errors.splitlines()))
    assert "SERVICE_VAULT_KEY" in done.errors
    assert not (tmp_path / "vault.key").exists()


def test_a_mistyped_setting_is_named_once(tmp_path: Path) -> None:
    """With the one that may be meant and without its value; and where the service is, is said once it answers."""
    with service(tmp_path, "--workers", "2", env={"SERVICE_CALS_AT_ONCE": "planted"}) as running:
        output = running.program.output()
        (told,) = [line for line in running.program.json_lines() if line.get("event") == "setting.unknown"]

    assert ("warning", "SERVICE_CALS_AT_ONCE", "SERVICE_CALLS_AT_ONCE") == (
        *(told[name] for name in ("level", "setting", "nearest")),
    )
    assert "planted" not in output
    assert 1 == output.count('{"url"')
    assert output.index('"worker.answers"') < output.index('{"url"')


def test_a_newer_schema_that_still_suits_is_served(tmp_path: Path) -> None:
    """It is told and left as it is; commands work too, and a running service sees what they set up at once."""
    before = create_application(tmp_path, "Before")
    execute(tmp_path, "ALTER TABLE calls ADD COLUMN later TEXT DEFAULT 'later'")
    execute(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    execute(tmp_path, "UPDATE schema_compatibility SET oldest_revision = '0006'")
    with service(tmp_path, application=before) as running, running.api("ann") as ann:
        ann.get("/apps").raise_for_status()
        after = create_application(tmp_path, "After")
        ann.get("/apps", headers=evolve(running, **after).headers("ann")).raise_for_status()
        (told,) = [line for line in running.program.json_lines() if line.get("event") == "schema.newer"]

    assert ("warning", "9999", "0006") == (told["level"], told["schema"], told["oldest_working"])
    assert [("9999",)] == rows(tmp_path, "SELECT version_num FROM alembic_version")
