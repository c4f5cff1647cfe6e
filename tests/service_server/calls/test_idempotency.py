"""Idempotency keys: the same call with the same key happens once."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import make_fault, received
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Once only", "project_id": "documentation"}
PATH = "/functions/sandbox-create-ticket"


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
