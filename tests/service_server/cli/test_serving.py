"""`serve`: refuses what it cannot serve, and ends without losing a call."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from attrs import evolve

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import logged, make_fault, received
from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.commands import run_command
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, command, configure_sandbox, create_application, service

pytestmark = pytest.mark.slow

TICKET = {"title": "Printer on fire", "project_id": "website", "fields": {"severity": "high"}}
# What may still be under way when the service is told to end is at most an onward call of 30 seconds.
LIMIT_SECONDS = 35
LONG_POLL_SECONDS = 24


def refused(data_directory: Path, *options: str) -> str:
    """The one line with which the service refuses to start."""
    done = run_command(["serve", "--data-dir", str(data_directory), *options], stdin="", env={})
    (line,) = done.errors.splitlines()
    assert 1 == done.status
    return line


def test_a_port_that_is_in_use_is_refused(tmp_path: Path) -> None:
    """The other program keeps its port, and nothing is written."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        line = refused(tmp_path / "data", "--port", str(port))

    assert f"port {port} of 127.0.0.1: Address already in use" in line
    assert not (tmp_path / "data").exists()


def test_a_vault_without_its_key_is_refused(tmp_path: Path) -> None:
    """The service does not start beside credentials it could never open, and makes no new key."""
    create_application(tmp_path, "Acme")
    (tmp_path / "vault.key").rename(tmp_path / "put aside")
    line = refused(tmp_path, "--port", "0")

    assert str(tmp_path / "vault.key") in line
    assert not (tmp_path / "vault.key").exists()


def test_a_broken_connector_is_refused(tmp_path: Path) -> None:
    """A connector that cannot be used stops the start with file, line and key, instead of failing calls later."""
    folder = connector_with(auth=5).write(tmp_path / "connectors")
    line = refused(tmp_path / "data", "--port", "0", "--connectors", str(tmp_path / "connectors"))

    assert line.startswith(f"{folder / 'connector.yaml'}:1: auth: ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, running_tickets: SandboxApp) -> Path:
    """A data directory whose sandbox app is configured."""
    folder = tmp_path_factory.mktemp("serving")
    configure_sandbox(folder, running_tickets)
    return folder


@pytest.fixture
def running_service(folder: Path, tickets: SandboxApp) -> Iterator[RunningService]:
    """A service of its own for each test."""
    with service(folder, "--allow-host", tickets.url.removeprefix("http://")) as running:
        yield running


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_nobody_is_left_waiting(running_service: RunningService, tickets: SandboxApp, number: signal.Signals) -> None:
    """Told to end, the service ends calls under way, answers long polls before their time is over, and exits with 0."""
    connect_by_key(running_service, "ann", tickets.api_keys["alice"])
    make_fault(tickets, "/api/v1/tickets", "slow", seconds=1)
    process, host = running_service.program.process, running_service.url.removeprefix("http://")
    with running_service.api("ann") as idle, running_service.api("ann") as api, ThreadPoolExecutor(2) as pool:
        session = idle.post("/apps/sandbox/connect_sessions", json={}).json()["id"]
        path = f"/connect_sessions/{session}?wait={LONG_POLL_SECONDS}"
        with closing(HTTPConnection(host, timeout=LIMIT_SECONDS)) as poll:
            poll.request("GET", path, headers=running_service.headers("ann"))
            assert 200 == idle.get("/apps").status_code  # asked after it, answered while it waits; it stays open
            call = pool.submit(api.post, "/functions/sandbox-create-ticket", json=TICKET)
            running_service.program.wait_until(lambda: received(tickets, "/api/v1/tickets") or None)
            process.send_signal(number)
            answer = call.result(LIMIT_SECONDS)

            assert 0 == process.wait(LONG_POLL_SECONDS / 2)
            polled = poll.getresponse()
            assert (200, "pending") == (polled.status, json.load(polled)["status"])
    (row,) = logged(running_service.data_directory, answer.headers["request-id"])
    assert (200, "201") == (answer.status_code, answer.json()["network_code"])
    assert ("finished", "201") == (row["outcome"], row["network_code"])
    assert "Traceback" not in running_service.program.output()


def test_a_worker_imports_no_pydantic() -> None:
    """The framework would take it in wherever it is installed, for nothing that the service does."""
    script = "import sys; from service_server.app import _Framework; _Framework([]); print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert "False\n" == done.stdout


def test_the_key_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With SERVICE_VAULT_KEY nothing of the key lies on the disk, and the service starts again with it only."""
    monkeypatch.setenv("SERVICE_VAULT_KEY", "env:" + "QUJD" * 10 + "QUI=")
    application = create_application(tmp_path, "Acme")
    with service(tmp_path, application=application) as running, running.api("ann") as api:
        assert 200 == api.get("/apps").status_code
    monkeypatch.delenv("SERVICE_VAULT_KEY")

    assert "SERVICE_VAULT_KEY" in refused(tmp_path, "--port", "0")
    assert not (tmp_path / "vault.key").exists()


def test_what_a_command_sets_up_is_seen_by_a_running_service(running_service: RunningService) -> None:
    """Applications made beside a running service may call it at once."""
    made = json.loads(command(running_service.data_directory, "application", "create", "Later", "--json"))
    with evolve(running_service, **made).api("ann") as api:
        assert 200 == api.get("/apps").status_code
