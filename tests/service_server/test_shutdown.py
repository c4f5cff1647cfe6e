"""Going down: what is under way is answered by one deadline, nothing new begins, and the log tells the rest."""

import contextlib
import json
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from attrs import frozen

from tests.examples.processes import SandboxApp
from tests.service_server.calls.log_and_errors import logged
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, service, service_beside_sandbox

pytestmark = pytest.mark.slow

TICKETS, PROJECTS = "/api/v1/tickets", "/api/v1/projects"
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
        self.running.program.wait_until(lambda: self.sandbox.received(at) or None)
        return future

    def tell(self) -> None:
        """Tell the process to end."""
        self.running.program.process.send_signal(signal.SIGTERM)

    def ended(self) -> int:
        """Wait until the process has ended; its exit status."""
        return self.running.program.process.wait(timeout=20)


@contextlib.contextmanager
def ending(folder: Path, shutdown_seconds: int) -> Iterator[Ending]:
    """A service that gives its calls so many seconds."""
    env = {"SERVICE_SHUTDOWN_SECONDS": str(shutdown_seconds), "SERVICE_ONWARD_TIMEOUT_SECONDS": "60"}
    with service_beside_sandbox(folder, env=env) as (running, sandbox), ThreadPoolExecutor(4) as callers:
        connect_by_key(running, "ann", sandbox.api_keys["alice"])
        yield Ending(running, sandbox, callers)


def test_what_the_app_does_not_answer_by_the_deadline(tmp_path: Path) -> None:
    """A change has an unknown outcome for its caller, in the log and for its key; a read changed nothing: it ended."""
    with ending(tmp_path, 1) as hasty:
        for path in (TICKETS, PROJECTS):
            hasty.sandbox.fault(path, "slow", seconds=STALLS_SECONDS)
        change = hasty.call(CREATE, TICKETS, **{"Idempotency-Key": "once"})
        read = hasty.call("/functions/sandbox-list-projects", PROJECTS)
        hasty.tell()
        changed, listed = change.result(), read.result()
        assert 0 == hasty.ended()
        application = {"app_key": hasty.running.app_key, "app_secret": hasty.running.app_secret}
        with service(tmp_path, application=application) as again, again.api("ann") as api:
            repeat = api.post(CREATE, json=TICKET, headers={"Idempotency-Key": "once"})
        sent = hasty.sandbox.received(TICKETS)
    (row,), (of_read,) = (logged(tmp_path, each.headers["request-id"]) for each in (changed, listed))

    assert [(200, "502", "outcome_unknown"), (200, "502", "broken_off")] == [
        (each.status_code, each.json()["network_code"], each.json()["output"]["error"]) for each in (changed, listed)
    ]
    assert ("unknown", "finished", "502") == (row["outcome"], of_read["outcome"], of_read["network_code"])
    assert (changed.json(), "true") == (repeat.json(), repeat.headers["idempotency-replayed"])
    assert 1 == len(sent)


def test_what_ends_by_the_deadline_is_answered_and_nothing_new_begins(tmp_path: Path) -> None:
    """
    A call under way brings its result, and who waits for a connect session is answered before the time is over.

    Requests that come meanwhile get the envelope, and when to come back.
    """
    with ending(tmp_path, STALLS_SECONDS) as patient, patient.running.api("ann") as api:
        patient.sandbox.fault(TICKETS, "slow", seconds=3)
        session = api.post("/apps/sandbox/connect_sessions", json={}).json()["id"]
        address = patient.running.url.removeprefix("http://")
        with contextlib.closing(HTTPConnection(address, timeout=STALLS_SECONDS)) as poll:
            poll.request("GET", f"/connect_sessions/{session}?wait=25", headers=patient.running.headers("ann"))
            call = patient.call(CREATE, TICKETS)  # which the app has got, so that the poll is waiting
            patient.tell()
            refused = patient.running.program.wait_until(lambda: _refused(api))
            told, status = call.result(), patient.ended()
            polled = poll.getresponse()
            assert (200, "pending") == (polled.status, json.load(polled)["status"])
        sent, output = patient.sandbox.received(TICKETS), patient.running.program.output()
    (row,) = logged(tmp_path, told.headers["request-id"])

    assert (503, "unavailable") == (refused.status_code, refused.json()["error_details"][0]["code"])
    assert ("1", refused.headers["request-id"]) == (refused.headers["retry-after"], refused.json()["request_id"])
    assert (200, "201") == (told.status_code, told.json()["network_code"])
    assert ("finished", "201", 0) == (row["outcome"], row["network_code"], status)
    assert "Traceback" not in output
    assert 1 == len(sent)


def _refused(api: httpx.Client) -> httpx.Response | None:
    answer = api.get("/apps")
    return answer if answer.status_code != 200 else None
