"""`serve`: begins with what there is, and ends without losing a call."""

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from attrs import evolve

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import logged, make_fault, received
from tests.service_server.commands import run_command
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import execute, rows
from tests.service_server.processes import configure_sandbox, create_application, service

pytestmark = pytest.mark.slow

TICKET = {"title": "Printer on fire", "project_id": "website", "fields": {"severity": "high"}}
# What may still be under way when the service is told to end is at most an onward call of 30 seconds.
LIMIT_SECONDS = 35
LONG_POLL_SECONDS = 24


def test_nobody_is_left_waiting(tickets: SandboxApp, tmp_path: Path) -> None:
    """Told to end, the service ends calls under way, answers long polls before their time is over, and exits with 0."""
    configure_sandbox(tmp_path, tickets)
    make_fault(tickets, "/api/v1/tickets", "slow", seconds=1)
    with (
        service(tmp_path, "--allow-host", tickets.url.removeprefix("http://")) as running,
        running.api("ann") as idle,
        running.api("ann") as api,
        ThreadPoolExecutor(1) as pool,
        closing(HTTPConnection(running.url.removeprefix("http://"), timeout=LIMIT_SECONDS)) as poll,
    ):
        connect_by_key(running, "ann", tickets.api_keys["alice"])
        session = idle.post("/apps/sandbox/connect_sessions", json={}).json()["id"]
        path = f"/connect_sessions/{session}?wait={LONG_POLL_SECONDS}"
        poll.request("GET", path, headers=running.headers("ann"))
        assert 200 == idle.get("/apps").status_code  # asked after it, answered while it waits; it stays open
        call = pool.submit(api.post, "/functions/sandbox-create-ticket", json=TICKET)
        running.program.wait_until(lambda: received(tickets, "/api/v1/tickets") or None)
        running.program.process.terminate()
        answer = call.result(LIMIT_SECONDS)

        assert 0 == running.program.process.wait(LONG_POLL_SECONDS / 2)
        polled = poll.getresponse()
        assert (200, "pending") == (polled.status, json.load(polled)["status"])
        assert "Traceback" not in running.program.output()
    (row,) = logged(tmp_path, answer.headers["request-id"])
    assert (200, "201") == (answer.status_code, answer.json()["network_code"])
    assert ("finished", "201") == (row["outcome"], row["network_code"])


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
