"""Going down: what is under way is answered by one deadline, nothing new begins, and the log tells the rest."""

import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from attrs import frozen

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.calls.sandbox_controls import logged, make_fault, received
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import note_database
from tests.service_server.processes import RunningService, configure_app, create_application, service

pytestmark = pytest.mark.slow

TICKETS = "/api/v1/tickets"
CREATE = "/functions/sandbox-create-ticket"
TICKET = {"title": "Made while the service goes down", "project_id": "documentation"}
STALLS_SECONDS = 50  # longer than any test waits


@frozen
class Ending:
    """A service with one connected user, to be told to end, and the app that it calls."""

    running: RunningService
    sandbox: SandboxApp
    callers: ThreadPoolExecutor

    def call(self, path: str, at: str, **headers: str) -> "Future[httpx.Response]":
        """Begin a call, and wait until the app has the request."""

        def post() -> httpx.Response:
            with self.running.api("ann", **headers) as api:
                return api.post(path, json=TICKET if path == CREATE else {})

        future = self.callers.submit(post)
        self.running.program.wait_until(lambda: received(self.sandbox, at) or None)
        return future

    def tell(self) -> None:
        """Tell the process to end."""
        self.running.program.process.send_signal(signal.SIGTERM)

    def ended(self) -> int:
        """Wait until the process has ended; its exit status."""
        return self.running.program.process.wait(timeout=STALLS_SECONDS / 2)


@pytest.fixture
def folder(database_url: str, tmp_path: Path) -> Path:
    """The data directory, on each kind of database."""
    note_database(tmp_path, database_url)
    return tmp_path


def _ending(folder: Path, shutdown_seconds: str) -> Iterator[Ending]:
    port = free_port()
    application = create_application(folder, "Test host")
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as sandbox, ThreadPoolExecutor(4) as callers:
        secrets = {"client_id": sandbox.client_id, "client_secret": sandbox.client_secret}
        configure_app(folder, "sandbox", **secrets, variables={"base_url": sandbox.url})
        options = ("--allow-host", sandbox.url.removeprefix("http://"))
        env = {"SERVICE_SHUTDOWN_SECONDS": shutdown_seconds, "SERVICE_ONWARD_TIMEOUT_SECONDS": "60"}
        with service(folder, *options, port=port, application=application, env=env) as running:
            connect_by_key(running, "ann", sandbox.api_keys["alice"])
            yield Ending(running, sandbox, callers)


@pytest.fixture
def hasty(folder: Path) -> Iterator[Ending]:
    """A service that gives its calls three seconds."""
    yield from _ending(folder, "3")


@pytest.fixture
def patient(folder: Path) -> Iterator[Ending]:
    """A service that gives its calls all the time that a test takes."""
    yield from _ending(folder, "50")


def test_what_the_app_does_not_answer_by_the_deadline_has_an_unknown_outcome(hasty: Ending, folder: Path) -> None:
    """Its caller is told so in a result, the log says unknown, and a repeat with its key sends nothing."""
    make_fault(hasty.sandbox, TICKETS, "slow", seconds=STALLS_SECONDS)
    call = hasty.call(CREATE, TICKETS, **{"Idempotency-Key": "once"})
    hasty.tell()
    told, status = call.result(), hasty.ended()
    (row,) = logged(folder, told.headers["request-id"])

    assert (200, "502") == (told.status_code, told.json()["network_code"])
    assert "outcome_unknown" == told.json()["output"]["error"]
    assert ("unknown", 0) == (row["outcome"], status)
    application = {"app_key": hasty.running.app_key, "app_secret": hasty.running.app_secret}
    with service(folder, application=application) as again, again.api("ann") as api:
        repeat = api.post(CREATE, json=TICKET, headers={"Idempotency-Key": "once"})
    assert (told.json(), "true") == (repeat.json(), repeat.headers["idempotency-replayed"])
    assert 1 == len(received(hasty.sandbox, TICKETS))


def test_a_read_without_an_answer_by_the_deadline_is_finished(hasty: Ending, folder: Path) -> None:
    """It changed nothing: it stands in the log as broken off, which is what its caller is told."""
    make_fault(hasty.sandbox, "/api/v1/projects", "slow", seconds=STALLS_SECONDS)
    call = hasty.call("/functions/sandbox-list-projects", "/api/v1/projects")
    hasty.tell()
    told, status = call.result(), hasty.ended()
    (row,) = logged(folder, told.headers["request-id"])

    assert (200, "502", "broken_off") == (
        told.status_code,
        told.json()["network_code"],
        told.json()["output"]["error"],
    )
    assert ("finished", "502", 0) == (row["outcome"], row["network_code"], status)


def test_what_ends_by_the_deadline_is_answered_and_nothing_new_begins(patient: Ending, folder: Path) -> None:
    """A call under way brings its result; requests that come meanwhile get the envelope, and when to come back."""
    make_fault(patient.sandbox, TICKETS, "slow", seconds=5)
    call = patient.call(CREATE, TICKETS)
    with patient.running.api("ann") as api:
        patient.tell()
        refused = patient.running.program.wait_until(lambda: _refused(api))
    told, status = call.result(), patient.ended()
    (row,) = logged(folder, told.headers["request-id"])

    assert (503, "unavailable") == (refused.status_code, refused.json()["error_details"][0]["code"])
    assert ("1", refused.headers["request-id"]) == (refused.headers["retry-after"], refused.json()["request_id"])
    assert (200, "201") == (told.status_code, told.json()["network_code"])
    assert ("finished", 0) == (row["outcome"], status)
    assert 1 == len(received(patient.sandbox, TICKETS))


def _refused(api: httpx.Client) -> httpx.Response | None:
    answer = api.get("/apps")
    return answer if answer.status_code != 200 else None
