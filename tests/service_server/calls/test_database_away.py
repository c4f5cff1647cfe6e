"""A database that goes away in the middle of a call."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.log_and_errors import logged
from tests.service_server.databases import BOTH_KINDS, execute
from tests.service_server.processes import RunningService

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("called", BOTH_KINDS, indirect=True, scope="session")]

PATH, TICKETS = "/functions/sandbox-create-ticket", "/api/v1/tickets"
TICKET = {"title": "Sent before the database went", "project_id": "documentation"}


@contextlib.contextmanager
def away(service: RunningService, *tables: str) -> Iterator[None]:
    """Have tables be gone as long as the block lasts."""
    for table in tables:
        execute(service.data_directory, f"ALTER TABLE {table} RENAME TO {table}_away")
    try:
        yield
    finally:
        for table in tables:
            execute(service.data_directory, f"ALTER TABLE {table}_away RENAME TO {table}")


def test_the_end_of_an_executed_mutation_is_written_when_the_database_is_back(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp
) -> None:
    """It happened, so it is told as such at once; the log and its key follow, and a repeat sends nothing."""
    sandbox.fault(TICKETS, "slow", seconds=2)
    keyed = {"Idempotency-Key": "used while the database went away"}
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(alice.post, PATH, json=TICKET, headers=keyed)
        running_service.program.wait_until(lambda: sandbox.received(TICKETS) or None)
        with away(running_service, "calls", "idempotency"):
            response = call.result()
    again = alice.post(PATH, json=TICKET, headers=keyed)

    def ended() -> bool | None:
        (row,) = logged(running_service.data_directory, response.headers["request-id"])
        return row["outcome"] == "finished" or None

    assert (200, "201") == (response.status_code, response.json()["network_code"])
    assert (response.json(), "true") == (again.json(), again.headers["idempotency-replayed"])
    assert running_service.program.wait_until(ended)
    assert 1 == len(sandbox.received(TICKETS))


def test_nothing_is_sent_when_its_start_cannot_be_written(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp
) -> None:
    """What cannot be written down is not sent, as no sent mutation is ever missing from the log; its key is free."""
    keyed = {"Idempotency-Key": "used while the database is away"}
    with away(running_service, "calls"):
        response = alice.post(PATH, json=TICKET, headers=keyed)
    (detail,) = response.json()["error_details"]

    assert (503, "unavailable", "wait") == (response.status_code, detail["code"], detail["action"])
    assert [] == sandbox.received(TICKETS)
    assert "201" == alice.post(PATH, json=TICKET, headers=keyed).json()["network_code"]
