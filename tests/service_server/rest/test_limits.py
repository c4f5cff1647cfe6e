"""Requests a minute and calls at a time are limited, for a user and for an application."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from service_client.models import CONVERTER, Code, ErrorEnvelope
from service_server.errors import ServiceError
from service_server.rest.calls_at_once import CallsAtOnce
from service_server.rest.rate_limit import RateLimit
from service_server.settings import LIMITS, Settings
from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, configure_sandbox, service
from tests.service_server.rest.conftest import caller

TICKET = {"title": "Printer on fire", "project_id": "website", "fields": {"severity": "high"}}


def test_there_are_limits_unless_they_are_set_off(tmp_path: Path) -> None:
    """All four have a default, an application's at least ten times a user's; zero sets one off."""
    settings = Settings(data_directory=tmp_path, public_url="", database_url="")

    assert 0 < settings.rate_limit_per_minute * 10 <= settings.application_rate_limit_per_minute
    assert 0 < settings.calls_at_once * 10 <= settings.application_calls_at_once
    assert {"calls_at_once", "application_calls_at_once", "application_rate_limit_per_minute"} <= set(LIMITS)
    rate, places = RateLimit(0, 0), CallsAtOnce(0, 0)
    for _ in range(1000):
        rate.count(1, "ann")
        places.place(caller(1, "ann")).__enter__()


def test_requests_a_minute() -> None:
    """A user's requests run out without touching another's; an application's run out for all its users alone."""
    limit = RateLimit(3, 5)

    def refused(application_id: int, user_id: str) -> tuple[int, str | None, str]:
        with pytest.raises(ServiceError) as caught:
            limit.count(application_id, user_id)
        return caught.value.status, caught.value.headers["Retry-After"], caught.value.error

    for user in ("ann", "ann", "ann"):
        limit.count(1, user)
    status, seconds, error = refused(1, "ann")
    assert (429, "20", True) == (status, seconds, "this user" in error)
    for user in ("bob", "bob"):
        limit.count(1, user)
    assert "this application" in refused(1, "bob")[2]
    limit.count(2, "ann")


def test_calls_at_a_time() -> None:
    """A place is free again when its call has ended, however it did; applications and users have their own."""
    limit = CallsAtOnce(2, 3)
    ann, bob, other = caller(1, "ann"), caller(1, "bob"), caller(2, "ann")
    with limit.place(ann), limit.place(ann), limit.place(other):
        with pytest.raises(ServiceError, match="This user has 2 calls"), limit.place(ann):
            pass
        with limit.place(bob), pytest.raises(ServiceError, match="This application has 3 calls"), limit.place(bob):
            pass
    with pytest.raises(RuntimeError), limit.place(ann):
        raise RuntimeError
    with limit.place(ann), limit.place(ann):
        pass


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory, running_tickets: SandboxApp) -> Iterator[RunningService]:
    """A service with the smallest limits."""
    folder = tmp_path_factory.mktemp("narrow")
    configure_sandbox(folder, running_tickets)
    limits = {"SERVICE_CALLS_AT_ONCE": "1", "SERVICE_RATE_LIMIT_PER_MINUTE": "20"}
    allowed = f"sandbox={running_tickets.url.removeprefix('http://')}"
    with service(folder, "--allow-host", allowed, env=limits) as running:
        yield running


@pytest.mark.slow
def test_a_call_too_many_is_refused(narrow: RunningService, tickets: SandboxApp) -> None:
    """While one call is under way the next is refused with 429 and not sent; another user calls as ever."""
    for user in ("ann", "bob"):
        connect_by_key(narrow, user, tickets.api_keys["alice"])
    tickets.fault("/api/v1/tickets", "slow", seconds=3)
    with narrow.api("ann") as ann, narrow.api("bob") as bob, ThreadPoolExecutor(1) as pool:
        first = pool.submit(ann.post, "/functions/sandbox-create-ticket", json=TICKET)
        narrow.program.wait_until(lambda: tickets.received("/api/v1/tickets") or None)
        refused = ann.post("/functions/sandbox-list-projects")

        assert_refused(refused, "at a time")
        assert 200 == bob.post("/functions/sandbox-list-projects").status_code
        assert 200 == first.result(60).status_code
        assert 200 == ann.post("/functions/sandbox-list-projects").status_code


@pytest.mark.slow
def test_requests_too_many_are_refused(narrow: RunningService) -> None:
    """When a minute's requests are used up the next is refused with 429 and told when to come back."""
    with narrow.api("hasty") as hasty, narrow.api("patient") as patient:
        answers = [hasty.get("/apps/sandbox") for _ in range(60)]
        refused = next(answer for answer in answers if answer.status_code != 200)

        assert_refused(refused, "in a minute")
        assert 200 == patient.get("/apps/sandbox").status_code


def assert_refused(answer: httpx.Response, what: str) -> None:
    """The envelope of a limit."""
    envelope = CONVERTER.structure(answer.json(), ErrorEnvelope)
    (detail,) = envelope.error_details

    assert (429, Code.RATE_LIMITED, "wait") == (answer.status_code, detail.code, detail.action)
    assert what in envelope.error
    assert 1 <= int(answer.headers["retry-after"]) <= 60
