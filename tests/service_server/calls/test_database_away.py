"""A database that goes away in the middle of a call."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import logged, make_fault, received
from tests.service_server.databases import execute
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Sent before the database went", "project_id": "documentation"}


def _rename(service: RunningService, table: str, name: str) -> None:
    execute(service.data_directory, f"ALTER TABLE {table} RENAME TO {name}")


@pytest.mark.parametrize("table", ["calls", "idempotency"])
def test_the_end_of_an_executed_mutation_is_written_when_the_database_is_back(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp, table: str
) -> None:
    """It happened, so it is told as such at once; the log and its key follow, and a repeat sends nothing."""
    make_fault(sandbox, "/api/v1/tickets", "slow", seconds=2)
    keyed = {"Idempotency-Key": f"used while {table} went away"}
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(alice.post, "/functions/sandbox-create-ticket", json=TICKET, headers=keyed)
        running_service.program.wait_until(lambda: received(sandbox, "/api/v1/tickets") or None)
        _rename(running_service, table, f"{table}_away")
        try:
            response = call.result()
        finally:
            _rename(running_service, f"{table}_away", table)
    again = alice.post("/functions/sandbox-create-ticket", json=TICKET, headers=keyed)

    def ended() -> bool | None:
        (row,) = logged(running_service.data_directory, response.headers["request-id"])
        return row["outcome"] == "finished" or None

    assert (200, "201") == (response.status_code, response.json()["network_code"])
    assert (response.json(), "true") == (again.json(), again.headers["idempotency-replayed"])
    assert running_service.program.wait_until(ended)
    assert 1 == len(received(sandbox, "/api/v1/tickets"))


def test_nothing_is_sent_when_its_start_cannot_be_written(
    running_service: RunningService, alice: httpx.Client, sandbox: SandboxApp
) -> None:
    """What cannot be written down is not sent, as no sent mutation is ever missing from the log; its key is free."""
    keyed = {"Idempotency-Key": "used while the database is away"}
    _rename(running_service, "calls", "calls_away")
    try:
        response = alice.post("/functions/sandbox-create-ticket", json=TICKET, headers=keyed)
    finally:
        _rename(running_service, "calls_away", "calls")

    assert (503, "unavailable") == (response.status_code, response.json()["error_details"][0]["code"])
    assert "wait" == response.json()["error_details"][0]["action"]
    assert [] == received(sandbox, "/api/v1/tickets")
    again = alice.post("/functions/sandbox-create-ticket", json=TICKET, headers=keyed)
    assert "201" == again.json()["network_code"]
