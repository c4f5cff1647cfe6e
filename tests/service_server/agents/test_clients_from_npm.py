"""The official TypeScript client from npm, in both eras of the protocol; it checks what comes by its own schemas."""

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import node_client, of_function
from tests.service_server.calls.sandbox_controls import received
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

USER = "with another client"


@pytest.mark.parametrize(("mode", "questions"), [("auto", 1), ("legacy", 0)])
def test_the_typescript_client(running_service: RunningService, sandbox: SandboxApp, mode: str, questions: int) -> None:
    """It finds, calls, and asks its user where the protocol can."""
    connect_by_key(running_service, USER, sandbox.api_keys["alice"])
    told = node_client(
        "typescript_client.mjs",
        running_service,
        USER,
        {"name": "find_functions", "arguments": {"prompt": "delete ticket 1001", "limit": 1}},
        of_function("sandbox-list-tickets"),
        of_function("sandbox-create-ticket"),
        of_function("sandbox-delete-ticket", {"ticket_id": 1001}),
        mode=mode,
        reply="accept",
    )
    found, listed, refused, deleted = told["results"]
    assert ["find_functions", "call_function"] == told["tools"]
    assert "sandbox-delete-ticket" == found["structuredContent"]["functions"][0]["name"]
    assert listed["structuredContent"]["output"]
    assert refused["isError"]
    assert not deleted.get("isError")
    assert questions == len(told["asked"])
    assert 1 == len(received(sandbox, "/api/v1/tickets/1001"))
