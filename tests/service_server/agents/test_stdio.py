"""`service-server mcp`: one user's functions over standard input and output, in both eras of the protocol."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import ERAS, User, call, text_of
from tests.service_server.commands import run_command
from tests.service_server.processes import SERVICE_SERVER, RunningService

pytestmark = [pytest.mark.usefixtures("account"), pytest.mark.slow]

USER = "at this machine"


def _server(service: RunningService, sandbox: SandboxApp, *options: str) -> StdioServerParameters:
    allowed = f"sandbox={sandbox.url.removeprefix('http://')}"
    given = ["--user-id", USER, "--data-dir", str(service.data_directory), "--app-key", service.app_key]
    given += ["--allow-host", allowed]
    return StdioServerParameters(command=str(SERVICE_SERVER), args=["mcp", *given, *options])


@pytest.mark.parametrize("mode", ERAS)
async def test_one_user_over_standard_input(
    running_service: RunningService, sandbox: SandboxApp, mode: str, tmp_path: Path
) -> None:
    """Beside a running service: what reads is called, what is for good is asked, and nothing else is on the output."""
    user = User(lambda asked: "accept" if len(user.asked) > 1 else "decline")
    with (tmp_path / "errors").open("w") as errors:
        transport = stdio_client(_server(running_service, sandbox, "--apps", "sandbox"), errlog=errors)
        async with Client(transport, mode=mode, elicitation_callback=user, cache=None) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            listed = await call(client, "sandbox-list-tickets", {})
            declined = await call(client, "sandbox-delete-ticket", {"ticket_id": 1001})
            before = sandbox.received("/api/v1/tickets/1001")
            deleted = await call(client, "sandbox-delete-ticket", {"ticket_id": 1001})

    assert ["find_functions", "call_function"] == tools
    assert listed.structured_content["output"]
    assert "Nothing was sent" in text_of(declined)
    assert [] == before
    assert not deleted.is_error
    assert 1 == len(sandbox.received("/api/v1/tickets/1001"))
    assert "" == (tmp_path / "errors").read_text()


def test_what_the_command_refuses(running_service: RunningService) -> None:
    """In one line on standard error, and nothing on standard output."""

    def refused(*options: str) -> tuple[int, str, str]:
        ended = run_command(["mcp", "--data-dir", str(running_service.data_directory), *options], stdin="", env={})
        return ended.status, ended.output, ended.errors

    unknown: Any = refused("--user-id", USER, "--app-key", "app_x")
    assert (1, "") == unknown[:2]
    assert "There is no application with this App-Key" in unknown[2]
    known = ("--app-key", running_service.app_key)
    assert "types has “reads”" in refused("--user-id", USER, "--types", "reads", *known)[2]
    assert "--user-id takes 1 to 256 characters" in refused("--user-id", "a\tb", *known)[2]
