"""The protocol's own inspector on the command line: it lists, checks and calls what is offered."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.emulators.world import node
from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.real_apps  # it needs a newer Node than many systems have

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / ".cache" / "inspector" / "node_modules" / ".bin" / "mcp-inspector"
USER = "with the inspector"


def inspected(service: RunningService, folder: Path, *options: str, query: str = "") -> Any:
    """What the inspector prints when it asks for something."""
    assert PROGRAM.exists(), "run ./dev setup"
    headers = [part for name, value in service.headers(USER).items() for part in ("--header", f"{name}: {value}")]
    command = [node(), PROGRAM, "--cli", f"{service.url}/mcp{query}", "--transport", "http", *headers, *options]
    # It writes a list of servers into the home directory.
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=variables, cwd=folder)
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def test_the_inspector(running_service: RunningService, sandbox: SandboxApp, tmp_path: Path) -> None:
    """Both tools are there and find and call; schemas are as clients want them; accounts are resources."""
    account = connect_by_key(running_service, USER, sandbox.api_keys["alice"])

    listed = inspected(running_service, tmp_path, "--method", "tools/list", "--strict")
    assert ["find_functions", "call_function"] == [each["name"] for each in listed["tools"]]
    as_tools = "?tools=functions&apps=sandbox"
    functions = inspected(running_service, tmp_path, "--method", "tools/list", "--strict", query=as_tools)
    assert "sandbox-create-ticket" in [each["name"] for each in functions["tools"]]
    asked = ("--method", "tools/call", "--tool-name", "find_functions", "--tool-arg", "prompt=list my tickets")
    found = inspected(running_service, tmp_path, *asked)
    assert "sandbox-list-tickets" == found["structuredContent"]["functions"][0]["name"]
    call = ("--method", "tools/call", "--tool-name", "call_function", "--tool-arg", "name=sandbox-list-tickets")
    assert inspected(running_service, tmp_path, *call)["structuredContent"]["output"]
    resources = inspected(running_service, tmp_path, "--method", "resources/list")["resources"]
    assert f"integration-functions://accounts/{account}" in [each["uri"] for each in resources]
