"""Idempotency keys: the same call with the same key happens once."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import code_of, make_fault, received
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Once only", "project_id": "documentation"}
PATH = "/functions/sandbox-create-ticket"


def test_a_repeated_call_is_answered_without_happening_again(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Marked as a replay; other arguments are a conflict; the key of a refused call may be used with corrected ones."""
    headers = {"Idempotency-Key": "once"}
    refused = alice.post(PATH, json={}, headers=headers)
    first, second = (alice.post(PATH, json=TICKET, headers=headers) for _ in range(2))
    other = alice.post(PATH, json={**TICKET, "title": "Other"}, headers=headers)

    assert (400, "201") == (refused.status_code, first.json()["network_code"])
    assert first.json() == second.json()
    assert "idempotency-replayed" not in first.headers
    assert "true" == second.headers["idempotency-replayed"]
    assert (409, "idempotency_conflict", None) == code_of(other)
    assert 1 == len(received(sandbox, "/api/v1/tickets"))


def test_calls_at_the_same_time_happen_once(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp
) -> None:
    """While the first is under way the others wait for its result."""
    make_fault(sandbox, "/api/v1/tickets", "slow", seconds=1)

    def call(_: int) -> object:
        with running_service.api("alice") as client:
            return client.post(PATH, json=TICKET, headers={"Idempotency-Key": "race"}).json()

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(call, range(8))

    assert 1 == len(received(sandbox, "/api/v1/tickets"))
    assert [first] * 7 == others
