"""What the user is asked in the middle of a call, in both eras of the protocol, and that nothing is sent without it."""

import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError

from tests.examples.processes import SandboxApp
from tests.service_server.agents.agents import User, agent, call, text_of
from tests.service_server.connecting import connect_by_key, submit
from tests.service_server.processes import RunningService, http

pytestmark = [pytest.mark.usefixtures("account"), pytest.mark.slow]

USER = "asked"
TICKET = {"ticket_id": 1001}
DELETE = "sandbox-delete-ticket"
DELETED = "/api/v1/tickets/1001"
PASSTHROUGH = "sandbox-passthrough-request"


async def test_what_is_for_good_is_confirmed(running_service: RunningService, sandbox: SandboxApp) -> None:
    """
    The user is asked by what will happen, where and with what, and it happens once they agree.

    Nobody is asked about what only reads, or would be refused: arguments are checked first.
    """
    user = User()
    async with agent(running_service, USER, user=user) as client:
        wrong = await call(client, DELETE, {"ticket_id": "the first"})
        read = await call(client, PASSTHROUGH, {"method": "GET", "url": "/tickets/1001"})
        result = await call(client, DELETE, TICKET)

    (asked,) = user.asked
    assert "Delete a ticket in Tickets sandbox, account “" in asked.message
    assert "ticket_id: 1001" in asked.message
    assert "can't be undone" in asked.message
    assert "ticket_id must be a number" in text_of(wrong)
    assert [False, False] == [each.is_error for each in (read, result)]
    assert ["GET", "DELETE"] == [each["method"] for each in sandbox.received(DELETED)]


async def test_declined(running_service: RunningService, sandbox: SandboxApp) -> None:
    """What the user does not want is not sent, and the model is told so; secrets don't stand in the question."""
    replies = iter(["decline", "cancel", "decline"])
    user = User(lambda asked: next(replies))
    body = {"method": "POST", "url": "/tickets?token=abcdefgh", "body": {"password": "hunter2hunter2", "title": "x"}}
    async with agent(running_service, USER, user=user) as client:
        results = [
            await call(client, DELETE, TICKET),
            await call(client, PASSTHROUGH, {"method": "DELETE", "url": "/tickets/1001"}),
            await call(client, PASSTHROUGH, body),
        ]

    assert [(True, True)] * 3 == [(each.is_error, "Nothing was sent" in text_of(each)) for each in results]
    assert [] == sandbox.received(DELETED) + sandbox.received("/api/v1/tickets")
    assert "method: POST" in user.asked[-1].message
    assert not [secret for secret in ("hunter2", "abcdefgh") if secret in user.asked[-1].message]


def _message(arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}, "url": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "by hand", "version": "1"},
    }
    call = {"name": "call_function", "arguments": {"name": DELETE, "arguments": arguments}, **more, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


def _post(service: RunningService, user_id: str, message: dict[str, Any]) -> dict[str, Any]:
    headers = {
        "Accept": "application/json, text/event-stream",
        "Mcp-Protocol-Version": "2026-07-28",
        "Mcp-Method": message["method"],
        "Mcp-Name": message["params"]["name"],
    }
    with service.api(user_id, **headers) as api:
        answer = api.post("/mcp", json=message)
    body: dict[str, Any] = answer.json()
    return body.get("result") or body["error"]


def test_a_reply_counts_for_what_was_asked(
    running_service: RunningService, sandbox: SandboxApp, called: tuple[RunningService, SandboxApp]
) -> None:
    """Made up, for other arguments, or of another user it counts for nothing; sent twice it carries out once."""
    connect_by_key(running_service, "asked by somebody else", called[1].api_keys["bob"])
    accepted = {"confirm": {"action": "accept", "content": {}}}
    unasked = _post(running_service, USER, _message(TICKET, inputResponses=accepted))
    state = {"inputResponses": accepted, "requestState": unasked["requestState"]}
    other_arguments = _post(running_service, USER, _message({"ticket_id": 1002}, **state))
    other_user = _post(running_service, "asked by somebody else", _message(TICKET, **state))
    before = sandbox.received(DELETED) + sandbox.received("/api/v1/tickets/1002")
    replies = [_post(running_service, USER, _message(TICKET, **state)) for _ in range(2)]

    assert "input_required" == unasked["resultType"]
    assert "Invalid or expired requestState" == other_arguments["message"] == other_user["message"]
    assert [] == before
    assert [False, True] == ["replayed" in each["structuredContent"] for each in replies]
    assert 1 == len(sandbox.received(DELETED))


async def test_connecting_in_the_middle_of_a_call(running_service: RunningService, sandbox: SandboxApp) -> None:
    """Where no account is connected, or not any more, the user is given a link, and the call goes on once they have."""
    name, replies = "new to it", iter(["accept", "decline"])

    def follow(asked: Any) -> str:
        reply = next(replies)
        if reply == "accept":
            with http(running_service.url) as browser:
                page = browser.get(f"{asked.url.removeprefix(running_service.url)}?auth=key")
                answer = submit(browser, page, **{"field.api_key": sandbox.api_keys["alice"]})
            assert answer.status_code in (200, 303), answer.text
        return reply

    user = User(follow)
    async with agent(running_service, name, user=user) as client:
        connected = await call(client, "sandbox-get-ticket", TICKET)
        with running_service.api(name) as api:
            assert 204 == api.delete("/apps/sandbox/connected_accounts").status_code
        after = await call(client, "sandbox-get-ticket", TICKET)

    assert not connected.is_error, text_of(connected)
    assert ["Connect an account of Tickets sandbox first."] * 2 == [each.message for each in user.asked]
    assert "the user did not want to connect an account of Tickets sandbox" in text_of(after)
    assert ["GET"] == [each["method"] for each in sandbox.received(DELETED)]


async def test_a_link_in_the_older_protocol(running_service: RunningService) -> None:
    """There the link goes out as the protocol's error for it, or in the tool's text to clients that know no such."""
    async with agent(running_service, "older", mode="legacy") as client:
        told = await call(client, "sandbox-get-ticket", TICKET)
    async with agent(running_service, "older", mode="legacy", user=User()) as client:
        with pytest.raises(MCPError, match="Connect an account") as raised:
            await call(client, "sandbox-get-ticket", TICKET)

    assert told.is_error
    assert told.structured_content["connect_url"] in text_of(told)
    assert told.structured_content["connect_url"].startswith(f"{running_service.url}/connect/")
    (asked,) = UrlElicitationRequiredError.from_error(raised.value.error).elicitations
    assert asked.url.startswith(f"{running_service.url}/connect/")


async def test_a_token_that_may_not_connect(running_service: RunningService, sandbox: SandboxApp) -> None:
    """No link to an app that a token is not for."""
    with running_service.api("confined") as api:
        token = api.post("/session_tokens", json={"functions": ["slack-list-channels"]}).json()["token"]
    async with agent(running_service, "", headers={"Authorization": f"Bearer {token}"}, user=User()) as client:
        result = await call(client, "sandbox-get-ticket", TICKET)

    assert "does not allow calling this function" in text_of(result)
    assert "connect_url" not in json.dumps(result.structured_content)
