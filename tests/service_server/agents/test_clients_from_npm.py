"""Clients from npm: the official TypeScript one, which checks what comes, in both eras, and that of the AI SDK."""

import base64
from typing import Any

import pytest

from service_server.agents.resources import LARGEST_FILE
from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import node_client, of_function
from tests.service_server.depot import DepotWorld
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

USER = "with another client"
DELETE = of_function("sandbox-delete-ticket", {"ticket_id": 1001})
FIND = {"name": "find_functions", "arguments": {"prompt": "delete ticket 1001", "limit": 1}}
IMAGE = bytes(range(256)) * (LARGEST_FILE // 256)


@pytest.mark.parametrize(
    ("program", "options", "questions"),
    [
        ("typescript_client.mjs", {"mode": "auto", "reply": "accept"}, 1),
        ("typescript_client.mjs", {"mode": "legacy", "reply": "accept"}, 0),
        ("ai_sdk_client.mjs", {}, 0),
    ],
)
def test_it_finds_and_calls(
    running_service: RunningService,
    sandbox: SandboxApp,
    account: int,
    program: str,
    options: dict[str, Any],
    questions: int,
) -> None:
    """It is told what to mend, asks its user where the protocol can, and reads what there is."""
    calls = [FIND, of_function("sandbox-list-tickets"), of_function("sandbox-create-ticket"), DELETE]
    told = node_client(program, running_service, USER, *calls, **options)
    found, listed, refused, deleted = told["results"]
    assert ["find_functions", "call_function"] == told["tools"]
    assert "sandbox-delete-ticket" == found["structuredContent"]["functions"][0]["name"]
    assert listed["structuredContent"]["output"]
    assert refused["isError"]
    assert not deleted.get("isError")
    assert questions == len(told["asked"])
    assert 1 == len(sandbox.received("/api/v1/tickets/1001"))
    assert f"integration-functions://accounts/{account}" in told["resources"]


def test_functions_become_tools_of_the_ai_sdk(running_service: RunningService, sandbox: SandboxApp) -> None:
    """Those that the address offers."""
    query, call = "?tools=functions&apps=sandbox&types=query", {"name": "sandbox-list-users", "arguments": {}}
    told = node_client("ai_sdk_client.mjs", running_service, USER, call, query=query)
    assert "sandbox-list-users" in told["tools"]
    assert "sandbox-create-ticket" not in told["tools"]
    assert not told["results"][0].get("isError")
    assert 1 == len(sandbox.received("/api/v1/users"))


def test_the_link_to_a_file_is_read(depot: DepotWorld) -> None:
    """The TypeScript client checks the result by its own schemas, and reads the resource."""
    depot.reset()
    depot.app.given = IMAGE
    call = of_function("depot-get", {"as_file": True})
    with depot.connected(USER):
        told = node_client("typescript_client.mjs", depot.running, USER, call, mode="auto", reply="accept")

    (read,) = told["read"]
    assert ("image/png", IMAGE) == (read["mimeType"], base64.b64decode(read["blob"]))
