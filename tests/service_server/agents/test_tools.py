"""Tools over `/mcp` against the running service, by the official Python client in both eras of the protocol."""

import re

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import ERAS, agent, call, resource, text_of
from tests.service_server.processes import RunningService

pytestmark = [pytest.mark.usefixtures("account"), pytest.mark.slow]

USER = "agent's user"


@pytest.mark.parametrize("mode", ERAS)
async def test_finding_and_calling(running_service: RunningService, sandbox: SandboxApp, mode: str) -> None:
    """Two tools stand for all functions: one finds what the user's words mean, the other calls it."""
    async with agent(running_service, USER, mode=mode) as client:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("find_functions", {"prompt": "create a ticket titled 'Printer is on fire'"})
        first = found.structured_content["functions"][0]
        made = await call(client, first["name"], {**first["arguments"], "project_id": "documentation"})

    assert ["find_functions", "call_function"] == [tool.name for tool in tools]
    assert [True, False] == [tool.annotations.read_only_hint for tool in tools if tool.annotations]
    assert "sandbox-create-ticket" == first["name"]
    assert {"title": "Printer is on fire"}.items() <= first["arguments"].items()
    assert set(first["parameters"]["required"]) == {"title", "project_id"}
    assert [("sandbox", "active")] == [
        (each["app"], each["state"]) for each in found.structured_content["connected_accounts"]
    ]
    assert not made.is_error
    assert "201" == made.structured_content["network_code"]
    assert "Printer is on fire" == made.structured_content["output"]["title"]
    assert f"Ticket {made.structured_content['output']['id']} created" == made.structured_content["outcome"]["title"]
    assert ["POST"] == [each["method"] for each in sandbox.received("/api/v1/tickets")]


async def test_functions_as_tools(running_service: RunningService, sandbox: SandboxApp) -> None:
    """Functions are tools of their own, filtered and page by page, with names and schemas that all clients take."""
    async with agent(running_service, USER, "?tools=functions") as client:
        tools = (page := await client.list_tools()).tools
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            tools += page.tools
    async with agent(running_service, USER, "?tools=functions&connected=true&types=query") as client:
        own = (await client.list_tools()).tools
        listed = await client.call_tool("sandbox-list-tickets", {})
        following = await client.call_tool(
            "sandbox-list-tickets", {"next_page": listed.structured_content["next_page"]}
        )

    assert len({tool.name for tool in tools}) == len(tools) > 500
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name) for tool in tools)
    assert all("$ref" not in str(tool.input_schema) and tool.input_schema["type"] == "object" for tool in tools)
    hints = {tool.name: tool.annotations for tool in tools}
    assert hints["sandbox-delete-ticket"].destructive_hint
    assert hints["sandbox-passthrough-request"].destructive_hint
    assert not hints["sandbox-create-ticket"].read_only_hint
    assert {"sandbox"} == {tool.name.partition("-")[0] for tool in own}
    assert all(tool.annotations.read_only_hint for tool in own if tool.annotations)
    first, second = ({each["id"] for each in page.structured_content["output"]} for page in (listed, following))
    assert first
    assert second
    assert not first & second


async def test_what_does_not_fit_is_told_at_its_field(running_service: RunningService, sandbox: SandboxApp) -> None:
    """A model learns what to mend, and nothing of it is sent."""
    async with agent(running_service, USER) as client:
        wrong = await call(client, "sandbox-create-ticket", {"titel": "x", "priority": "soon"})
        unknown = await call(client, "sandbox-create-tickets", {})
        tool = await client.call_tool("find_function", {})
        no_prompt = await client.call_tool("find_functions", {"promt": "x"})
        account = await call(client, "sandbox-list-tickets", {}, connected_account_id=1_000_000)

    assert wrong.is_error
    fields = {each["field"] for each in wrong.structured_content["error_details"]}
    assert {"titel", "title", "project_id", "priority"} == fields
    assert "titel is not a parameter of this function; did you mean title?" in text_of(wrong)
    assert "Did you mean sandbox-create-ticket" in text_of(unknown)
    assert "find_functions and call_function" in text_of(tool)
    assert "did you mean prompt?" in text_of(no_prompt)
    assert "There is no account 1000000" in text_of(account)
    assert [] == sandbox.received("/api/v1/tickets")


async def test_resources(running_service: RunningService, sandbox: SandboxApp, account: int) -> None:
    """Accounts can be read without a secret, and what became of the latest calls."""
    async with agent(running_service, USER) as client:
        await call(client, "sandbox-get-ticket", {"ticket_id": 1001})
        listed = {str(each.uri) for each in (await client.list_resources()).resources}
        accounts = await resource(client, "integration-functions://accounts")
        calls = await resource(client, "integration-functions://calls")

    assert f"integration-functions://accounts/{account}" in listed
    assert [account] == [each["id"] for each in accounts]
    assert {"app", "app_title", "id", "display_name", "modified_at", "state", "state_reason"} >= accounts[0].keys()
    assert ["sandbox-get-ticket", "finished", "200"] == [
        calls[0][name] for name in ("function", "outcome", "network_code")
    ]
