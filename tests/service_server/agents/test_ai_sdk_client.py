"""The client of the AI SDK from npm: what is offered becomes its tools, which are executed as a model would."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import received
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

SCRIPT = Path(__file__).with_name("ai_sdk_client.mjs")
USER = "with the AI SDK"


def told(service: RunningService, calls: list[dict[str, Any]], query: str = "") -> Any:
    """What the client's program says of its tools and of some calls."""
    headers = service.headers(USER)
    task = {"url": f"{service.url}/mcp{query}", "headers": headers, "calls": calls}
    done = subprocess.run(["node", SCRIPT, json.dumps(task)], capture_output=True, text=True, timeout=60, check=False)
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def test_the_client_of_the_ai_sdk(running_service: RunningService, sandbox: SandboxApp) -> None:
    """It finds and calls, is told what to mend, and reads the user's accounts; and it has functions as tools."""
    account = connect_by_key(running_service, USER, sandbox.api_keys["alice"])
    both = told(
        running_service,
        [
            {"name": "find_functions", "arguments": {"prompt": "list my tickets", "limit": 1}},
            {"name": "call_function", "arguments": {"name": "sandbox-list-tickets"}},
            {"name": "call_function", "arguments": {"name": "sandbox-create-ticket", "arguments": {}}},
        ],
    )
    found, listed, refused = both["results"]
    assert ["find_functions", "call_function"] == both["tools"]
    assert "sandbox-list-tickets" == found["structuredContent"]["functions"][0]["name"]
    assert listed["structuredContent"]["output"]
    assert refused["isError"]
    assert "title" in json.dumps(refused)
    assert f"integration-functions://accounts/{account}" in [each["uri"] for each in both["resources"]]

    query = "?tools=functions&apps=sandbox&types=query"
    each = told(running_service, [{"name": "sandbox-list-users", "arguments": {}}], query)
    assert "sandbox-list-users" in each["tools"]
    assert "sandbox-create-ticket" not in each["tools"]
    assert not each["results"][0].get("isError")
    assert 2 == len(received(sandbox, "/api/v1/tickets")) + len(received(sandbox, "/api/v1/users"))
