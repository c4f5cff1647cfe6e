"""The example of an agent without a library, with a scripted endpoint, the real service and an app behind it."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from examples.agents import with_any_endpoint
from service_client import Client
from service_client.tools import ProposedCall, Tools
from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.depot import CONTENT, DepotWorld
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

USER = "behind an endpoint"
Turn = tuple[str, dict[str, Any]]


class ScriptedModel:
    """Calls one tool after the other, and says "Done." after the last; `told` is what it got back."""

    def __init__(self, *turns: Turn | Callable[[list[Any]], Turn]) -> None:
        self.told: list[Any] = []
        self._turns = list(turns)

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Say the next turn."""
        assert "/v1/chat/completions" == request.url.path
        asked = json.loads(request.content)
        assert ["find_functions", "call_function"] == [each["function"]["name"] for each in asked["tools"]]
        self.told = [json.loads(each["content"]) for each in asked["messages"] if each["role"] == "tool"]
        message: dict[str, Any] = {"role": "assistant", "content": "Done."}
        if self._turns:
            turn = self._turns.pop(0)
            name, arguments = turn if isinstance(turn, tuple) else turn(self.told)
            function = {"name": name, "arguments": json.dumps(arguments)}
            message["tool_calls"] = [{"id": f"call_{len(self._turns)}", "type": "function", "function": function}]
        return httpx.Response(200, json={"choices": [{"index": 0, "message": message}]})


def calling(name: str, **arguments: Any) -> Turn:
    """A call of `call_function`."""
    return "call_function", {"name": name, "arguments": arguments}


def test_a_model_gets_all_the_way(running_service: RunningService, sandbox: SandboxApp) -> None:
    """It finds, is refused field by field, gets a link, and once the account is there does what the user approves."""
    created = {"title": "Printer on fire", "project_id": "office"}

    def finding(told: list[Any]) -> Turn:
        found = told[0]["functions"][0]
        return calling(found["name"], **found["arguments"], colour="red")

    def connecting(told: list[Any]) -> Turn:
        assert told[-1]["connect_url"].startswith(f"{running_service.url}/connect/")
        connect_by_key(running_service, USER, sandbox.api_keys["alice"])
        return finding(told)

    model = ScriptedModel(
        ("find_functions", {"prompt": 'create a ticket titled "Printer on fire" in the office project'}),
        finding,
        connecting,
        calling("sandbox-create-ticket", **created),
        calling("sandbox-delete-ticket", ticket_id=1001),
        calling("sandbox-fly"),
    )
    approved: list[ProposedCall] = []

    def approve(proposed: ProposedCall) -> bool:
        approved.append(proposed)
        return not proposed.is_destructive

    with (
        running_client(running_service) as client,
        httpx.Client(base_url="http://scripted.test/v1", transport=httpx.MockTransport(model.answer)) as endpoint,
    ):
        said = with_any_endpoint.run(endpoint, "scripted", client, "a ticket, please", approve)

    assert "Done." == said
    found, unconnected, unfit, made, declined, unknown = model.told
    assert "sandbox-create-ticket" == found["functions"][0]["name"]
    assert "Not executed" in unconnected["error"]
    assert ["colour"] == [each["field"] for each in unfit["error_details"] if each["code"] == "unknown_parameter"]
    assert ("201", "Printer on fire") == (made["network_code"], made["output"]["title"])
    assert "did not want to call sandbox-delete-ticket" in declined["error"]
    assert "sandbox-fly" in unknown["error"]
    assert [False, False, False, True] == [each.is_destructive for each in approved]
    assert [] == sandbox.received("/api/v1/tickets/1001")


def running_client(service: RunningService, user_id: str = USER) -> Client:
    """A client for the user."""
    return Client(service.url, app_key=service.app_key, secret=service.app_secret, user_id=user_id)


def test_files_go_through_a_conversation(depot: DepotWorld) -> None:
    """The host uploads a file, whose id the model names; what a function gives can be loaded and handed on."""
    depot.reset()
    with depot.connected("host of files"), running_client(depot.running, "host of files") as client:
        tools = Tools(client, approve=lambda proposed: True)
        kept = client.files.upload(CONTENT, name="plan.bin")
        taken = tools.call("call_function", {"name": "depot-raw", "arguments": {"file": kept.id}})
        given = tools.call("call_function", {"name": "depot-get", "arguments": {"as_file": True}})
        assert given.file is not None
        handed_on = tools.call("call_function", {"name": "depot-raw", "arguments": {"file": given.file.id}})
        loaded = client.files.download(given.file.id)

    assert (False, None) == (taken.is_error, taken.file)
    assert given.file.id in given.text
    assert CONTENT == loaded.content
    assert not handed_on.is_error
    assert [CONTENT, CONTENT] == [each.body for each in depot.app.received if each.path.startswith("/raw")]
