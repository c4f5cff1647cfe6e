"""The client of the AI SDK from npm: what is offered becomes its tools, which are executed as a model would."""

import json

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import node_client, of_function
from tests.service_server.calls.sandbox_controls import received
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

PROGRAM, USER = "ai_sdk_client.mjs", "with the AI SDK"


def test_the_client_of_the_ai_sdk(running_service: RunningService, sandbox: SandboxApp) -> None:
    """It finds and calls, is told what to mend, and reads the user's accounts; and it has functions as tools."""
    account = connect_by_key(running_service, USER, sandbox.api_keys["alice"])
    find = {"name": "find_functions", "arguments": {"prompt": "list my tickets", "limit": 1}}
    calls = [find, of_function("sandbox-list-tickets"), of_function("sandbox-create-ticket")]
    both = node_client(PROGRAM, running_service, USER, *calls)
    found, listed, refused = both["results"]
    assert ["find_functions", "call_function"] == both["tools"]
    assert "sandbox-list-tickets" == found["structuredContent"]["functions"][0]["name"]
    assert listed["structuredContent"]["output"]
    assert refused["isError"]
    assert "title" in json.dumps(refused)
    assert f"integration-functions://accounts/{account}" in [each["uri"] for each in both["resources"]]

    query = "?tools=functions&apps=sandbox&types=query"
    each = node_client(PROGRAM, running_service, USER, {"name": "sandbox-list-users", "arguments": {}}, query=query)
    assert "sandbox-list-users" in each["tools"]
    assert "sandbox-create-ticket" not in each["tools"]
    assert not each["results"][0].get("isError")
    assert 2 == len(received(sandbox, "/api/v1/tickets")) + len(received(sandbox, "/api/v1/users"))
