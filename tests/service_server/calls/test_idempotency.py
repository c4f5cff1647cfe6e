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
    """The stored result comes back, marked as a replay."""
    first, second = (alice.post(PATH, json=TICKET, headers={"Idempotency-Key": "once"}) for _ in range(2))

    assert first.json() == second.json()
    assert "idempotency-replayed" not in first.headers
    assert "true" == second.headers["idempotency-replayed"]
    assert 1 == len(received(sandbox, "/api/v1/tickets"))


def test_a_key_is_bound_to_its_arguments(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Other arguments under a used key are a conflict."""
    alice.post(PATH, json=TICKET, headers={"Idempotency-Key": "bound"})
    response = alice.post(PATH, json={**TICKET, "title": "Other"}, headers={"Idempotency-Key": "bound"})

    assert (409, "idempotency_conflict", None) == code_of(response)
    assert 1 == len(received(sandbox, "/api/v1/tickets"))


def test_a_key_is_the_users_own(
    alice: httpx.Client, both: httpx.Client, both_accounts: tuple[int, int], sandbox: SandboxApp
) -> None:
    """Another user's key of the same name is another key."""
    headers = {"Idempotency-Key": "mine"}
    alice.post(PATH, json=TICKET, headers=headers)
    both.post(PATH, json=TICKET, headers=headers, params={"connected_account_id": both_accounts[0]})

    assert 2 == len([request for request in received(sandbox, "/api/v1/tickets") if request["status"] == 201])


def test_a_refused_call_gives_its_key_back(alice: httpx.Client) -> None:
    """Corrected arguments may use the key of a refused call."""
    headers = {"Idempotency-Key": "refused"}

    assert 400 == alice.post(PATH, json={}, headers=headers).status_code
    assert "201" == alice.post(PATH, json=TICKET, headers=headers).json()["network_code"]


def test_calls_at_the_same_time_happen_once(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp
) -> None:
    """While the first is under way the others wait for its result."""
    make_fault(sandbox, "/api/v1/tickets", "slow", seconds=1)

    def call(_: int) -> dict[str, object]:
        with running_service.api("alice") as client:
            body: dict[str, object] = client.post(PATH, json=TICKET, headers={"Idempotency-Key": "race"}).json()
            return body

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(call, range(8)))

    assert 1 == len(received(sandbox, "/api/v1/tickets"))
    assert all(result == results[0] for result in results)
