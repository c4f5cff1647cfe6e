"""The official TypeScript client from npm, in both eras of the protocol; it checks what comes by its own schemas."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.sandbox_controls import received
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

SCRIPT = Path(__file__).with_name("typescript_client.mjs")
USER = "with another client"


@pytest.mark.parametrize(("mode", "questions"), [("auto", 1), ("legacy", 0)])
def test_the_typescript_client(running_service: RunningService, sandbox: SandboxApp, mode: str, questions: int) -> None:
    """It finds, calls, and asks its user where the protocol can."""
    connect_by_key(running_service, USER, sandbox.api_keys["alice"])
    calls = [
        {"name": "find_functions", "arguments": {"prompt": "delete ticket 1001", "limit": 1}},
        {"name": "call_function", "arguments": {"name": "sandbox-list-tickets"}},
        {"name": "call_function", "arguments": {"name": "sandbox-create-ticket", "arguments": {}}},
        {"name": "call_function", "arguments": {"name": "sandbox-delete-ticket", "arguments": {"ticket_id": 1001}}},
    ]
    headers = running_service.headers(USER)
    task = {"url": f"{running_service.url}/mcp", "headers": headers, "mode": mode, "reply": "accept", "calls": calls}
    done = subprocess.run(["node", SCRIPT, json.dumps(task)], capture_output=True, text=True, timeout=60, check=False)

    assert 0 == done.returncode, done.stderr
    told = json.loads(done.stdout)
    found, listed, refused, deleted = told["results"]
    assert ["find_functions", "call_function"] == told["tools"]
    assert "sandbox-delete-ticket" == found["structuredContent"]["functions"][0]["name"]
    assert listed["structuredContent"]["output"]
    assert refused["isError"]
    assert not deleted.get("isError")
    assert questions == len(told["asked"])
    assert 1 == len(received(sandbox, "/api/v1/tickets/1001"))
