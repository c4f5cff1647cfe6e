"""Functions as tools of a model: what is offered, what is called, and what a model is told."""

import asyncio
import inspect
import re
from collections.abc import Iterable
from typing import Any

import pytest
from attrs import evolve

from service_client import CallResult, Client, Function, FunctionMeta, InvalidArgumentError, ServiceUnreachableError
from service_client.models import FunctionApp, Parameters
from service_client.testing import FakeService, HttpRequest, MemoryTransport, Response
from service_client.tools import (
    ANTHROPIC,
    BEDROCK,
    GEMINI,
    OPENAI,
    OPENAI_CHAT,
    AsyncTools,
    Finding,
    ProposedCall,
    ToolCall,
    ToolResult,
    Tools,
)
from service_client.tools.names import LONGEST_NAME, tool_names


@pytest.fixture
def service() -> FakeService:
    """A service with a query and a mutation in a connected app, and a query in one that isn't."""
    service = FakeService()
    service.add_app("desk", title="Desk", accounts=["Ann's desk"])
    service.add_app("wiki", title="Wiki")
    service.function("desk-list-tickets", description="List tickets.")(lambda arguments: [{"id": 7}])
    service.function("wiki-list-pages", description="List pages.")(lambda arguments: [])
    service.function(
        "desk-create-ticket",
        type="mutation",
        description="Create a ticket.",
        properties={"title": {"type": "string"}, "hours": {"type": "number"}},
        required=["title"],
    )(lambda arguments: {"id": 8, **arguments})
    service.predict("a ticket about ice", "desk-create-ticket", arguments={"title": "ice"})
    return service


def listed(service: FakeService) -> list[Function]:
    """The functions as a program lists them for a model."""
    return list(service.client().functions.list(include="meta"))


def call(name: str, arguments: dict[str, Any] | str | None = None) -> ToolCall:
    """A call as a model makes it."""
    return ToolCall(name=name, arguments=arguments or {}, id="1")


def run(service: FakeService, calls: Iterable[ToolCall], *offer: Any, **options: Any) -> list[ToolResult]:
    """The results of some calls of what is offered; by default, all functions."""
    return Tools(service.client(), *(offer or [listed(service)]), **options).run(calls)


def run_awaited(service: FakeService, calls: Iterable[ToolCall], **options: Any) -> list[ToolResult]:
    """The same with the awaiting kind, whose user is asked by a coroutine."""
    asks = options.pop("approve", None)

    async def approve(proposed: ProposedCall) -> bool:
        await asyncio.sleep(0)
        return asks(proposed)

    given = {"approve": approve} if asks else {}
    return asyncio.run(AsyncTools(service.async_client(), listed(service), **given).run(calls))


@pytest.mark.parametrize("run", [run, run_awaited])
def test_queries_are_called_and_the_rest_only_with_a_yes(service: FakeService, run: Any) -> None:
    """The user sees the function and its arguments; only True counts, and without anybody to ask nothing is sent."""
    shown: list[ProposedCall] = []
    calls = [call("desk-list-tickets"), call("desk-create-ticket", '{"title": "ice"}')]

    read, declined = run(service, calls, approve=lambda each: shown.append(each) or "yes")
    assert not read.is_error
    assert {"network_code": "200", "output": [{"id": 7}]} == read.content
    assert "the user did not want to call desk-create-ticket. Nothing was sent." in declined.content["error"]
    assert [("desk-create-ticket", {"title": "ice"})] == [(each.function.name, each.arguments) for each in shown]
    (_, nobody) = run(service, calls)
    assert "nobody can be asked here" in nobody.content["error"]
    assert ["desk-list-tickets"] * 2 == [each.function for each in service.calls]

    (_, made) = run(service, calls, approve=lambda each: True)
    assert {"id": 8, "title": "ice"} == made.content["output"]
    assert "desk-create-ticket" == made.executed.function


def test_nothing_is_called_before_all_is_approved(service: FakeService) -> None:
    """A program that has to wait for its user raises, and has lost nothing: no call of the response was made."""

    class Later(Exception):
        pass

    def approve(proposed: ProposedCall) -> bool:
        if proposed.arguments["title"] == "second":
            raise Later
        return True

    calls = [call("desk-create-ticket", {"title": "first"}), call("desk-create-ticket", {"title": "second"})]
    with pytest.raises(Later):
        run(service, calls, approve=approve)
    assert [] == service.calls


def test_half_an_emoji_in_an_answer_is_told(service: FakeService) -> None:
    """Apps cut texts anywhere. The call was made, so it has a result, which any vendor can be sent."""
    service.function("desk-get-ticket", description="Get a ticket.")(
        lambda arguments: {"title": "a\ud83d \ud83d\udc36"}
    )

    (came,) = run(service, [call("desk-get-ticket")])

    assert ({"title": "a\ufffd 🐶"}, False) == (came.content["output"], came.is_error)
    assert came.text.encode()
    assert "a\ud83d" == came.executed.output["title"][:2]


def test_what_a_model_got_wrong_it_can_mend(service: FakeService) -> None:
    """Tools that aren't, arguments that are no object or don't fit: each is told where, and nothing is sent."""
    made_up, no_json, no_object, unfit, no_account = run(
        service,
        [
            call("desk-list-ticket"),
            call("desk-list-tickets", "{'a': 1"),
            call("desk-list-tickets", "[1]"),
            call("desk-create-ticket", {"hours": "many", "colour": "red"}),
            call("desk-list-tickets", {"connected_account_id": "mine"}),
        ],
        approve=lambda proposed: True,
    )

    assert "no tool named 'desk-list-ticket'. Did you mean desk-list-tickets" in made_up.content["error"]
    assert "not a JSON object" in no_json.content["error"]
    assert "not a JSON object" in no_object.content["error"]
    assert {"title", "hours", "colour"} == {each["field"] for each in unfit.content["error_details"]}
    assert "connected_account_id must be a whole number" in no_account.content["error"]
    assert [] == service.calls
    assert all(each.is_error for each in (made_up, no_json, no_object, unfit, no_account))


@pytest.mark.parametrize(
    "given", ['{"query": NaN}', '{"query": -1e400}', '{"query": "\\ud83d"}', {"query": float("inf")}]
)
def test_arguments_that_no_json_can_hold_are_the_models_fault(service: FakeService, given: Any) -> None:
    """It is told that, so that it mends them; nothing is blamed on the program, and nothing is sent."""
    (result,) = run(service, [call("desk-list-tickets", given)])

    assert "not a JSON object" in result.content["error"]
    assert [] == service.calls


def test_an_account_that_is_missing_is_asked_for(service: FakeService) -> None:
    """By a link where there is none, by a list where there are several; only then is it a parameter."""

    def with_account() -> set[str]:
        tools = Tools(service.client(), listed(service), apps=list(service.client().apps.list()))
        return {each.name for each in tools if "connected_account_id" in each.parameters.get("properties", {})}

    (unconnected,) = run(service, [call("wiki-list-pages")])
    assert re.match("http://service.test/connect/", unconnected.content["connect_url"])
    assert "not_connected" == unconnected.content["error_details"][0]["code"]
    assert set() == with_account()

    second = service.connect("desk", "Bob's desk")
    assert {"desk-create-ticket", "desk-list-tickets"} == with_account()
    (several,) = run(service, [call("desk-list-tickets")])
    assert {"Bob's desk", "Ann's desk"} == {each["display_name"] for each in several.content["connected_accounts"]}
    (read,) = run(service, [call("desk-list-tickets", {"connected_account_id": second.id})])
    assert not read.is_error
    assert second.id == service.calls[0].connected_account_id


def test_two_tools_find_and_call_everything(service: FakeService) -> None:
    """What is found has its schema and the prompt's arguments; calling it asks the user as any other call."""
    shown: list[ProposedCall] = []
    found, made, gone, unfit, lost = run(
        service,
        [
            call("find_functions", {"prompt": "a ticket about ice"}),
            call("call_function", {"name": "desk-create-ticket", "arguments": {"title": "ice"}}),
            call("call_function", {"name": "desk-fly"}),
            call("call_function", {"arguments": {}}),
            call("find_functions", {"prompt": "sing"}),
        ],
        Finding(),
        approve=lambda each: shown.append(each) or True,
    )

    assert found.content["fits"]
    (function,) = found.content["functions"]
    assert ("desk-create-ticket", {"title": "ice"}) == (function["name"], function["arguments"])
    assert ["title"] == function["parameters"]["required"]
    assert [1] == [each["id"] for each in found.content["connected_accounts"]["desk"]]
    assert {"id": 8, "title": "ice"} == made.content["output"]
    assert 1 == len(shown)
    assert "desk-fly" in gone.content["error"]
    assert "name must be" in unfit.content["error"]
    assert not lost.content["fits"]


def test_what_is_not_found_for_can_not_be_called_by_name(service: FakeService) -> None:
    """An agent that is held to some apps, or to queries, stays there."""
    make = call("call_function", {"name": "desk-create-ticket", "arguments": {"title": "ice"}})
    for finding in (Finding(type="query"), Finding(apps=("wiki",))):
        (refused,) = run(service, [make], finding, approve=lambda proposed: True)
        assert "is not offered here" in refused.content["error"]
    assert [] == service.calls


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ServiceUnreachableError("cut"), "nobody knows whether this was executed"),
        (ServiceUnreachableError("refused", may_have_executed=False), "Not executed"),
        (Response(500, b'{"error": "broken", "error_details": [], "request_id": "1"}'), "nobody knows"),
        (Response(503, b'{"error": "away", "error_details": [], "request_id": "1"}'), "Not executed"),
    ],
)
def test_a_change_whose_answer_is_lost_is_not_called_undone(service: FakeService, failure: Any, told: str) -> None:
    """A model that believed so would do it again."""

    def handler(request: HttpRequest) -> Response:
        if request.method != "POST":
            return service.handle(request)
        if isinstance(failure, Exception):
            raise failure
        return failure

    client = Client("http://service.test", token="made-up", transport=MemoryTransport(handler))
    tools = Tools(client, listed(service), approve=lambda proposed: True)
    result = tools.call("desk-create-ticket", {"title": "ice"})
    assert told in result.content["error"]
    assert result.error is not None


def test_a_blocking_program_can_not_be_answered_later(service: FakeService) -> None:
    """A coroutine is true, so that it would be a yes that nobody gave."""

    async def approve(proposed: ProposedCall) -> bool:
        return False

    tools = Tools(service.client(), listed(service), approve=approve)
    with pytest.raises(InvalidArgumentError, match="AsyncTools"):
        tools.call("desk-create-ticket", {"title": "ice"})
    assert [] == service.calls


def test_errors_of_the_app_and_large_answers_are_told(service: FakeService) -> None:
    """An answer that is not a success is an error to a model; one that is too large is not passed on."""
    service.function("desk-fail")(lambda arguments: CallResult(network_code="404", output="gone"))
    service.function("desk-dump", paginated=True)(
        lambda arguments: CallResult(network_code="200", output="x" * 300_000, next_page="2")
    )
    failed, large = run(service, [call("desk-fail"), call("desk-dump", {"next_page": ""})])

    assert failed.is_error
    assert {"network_code": "404", "output": "gone"} == failed.content
    assert "too_large" == large.content["output"]["error"]
    assert "2" == large.content["next_page"]
    assert 300_000 == len(large.executed.output)


def test_names_fit_and_lead_back_to_their_functions(service: FakeService) -> None:
    """Also those that are alike once they are cut, or once odd letters are gone."""
    long = [f"desk-{'a' * 80}-{number}" for number in range(50)]
    names = [*long, "desk-größe", "desk-gr__e", "7up-drink", "desk-list", "désk-list"]
    fitted = tool_names(names)

    assert len(names) == len(set(fitted.values()))
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", each) for each in fitted.values())
    assert LONGEST_NAME >= max(map(len, fitted.values()))
    assert "desk-list" == fitted["desk-list"]
    assert tool_names(reversed(names)) == fitted

    for name in names[:3]:
        service.function(name)(lambda arguments, name=name: name)
    tools = Tools(service.client(), listed(service))
    assert names[1] == tools.call(fitted[names[1]], {}).content["output"]


def test_the_schema_says_what_a_call_takes() -> None:
    """Whole numbers are called so, titles only stand in for descriptions, pages can be asked for."""
    meta = FunctionMeta(app=FunctionApp(name="a", title="A", icon_url=""), title="Do", type="query", paginated=True)
    properties = {
        "count": {"type": "number", "multipleOf": 1, "minimum": 1, "title": "Count", "description": ""},
        "tags": {"type": "array"},
        "options": {"type": "object", "properties": {"deep": {"type": "boolean", "title": "Deep", "description": "d"}}},
        "files": {"type": "array", "items": {"type": "string", "format": "file", "description": "To send."}},
    }
    function = Function(name="a-do", description="", parameters=Parameters(properties=properties), meta=meta)
    (tool,) = Tools(FakeService().client(), [function])

    assert "Do" == tool.description
    assert {
        "count": {"type": "integer", "minimum": 1, "description": "Count"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object", "properties": {"deep": {"type": "boolean", "description": "d"}}},
        "files": {
            "type": "array",
            "items": {
                "type": "string",
                "description": "To send. The id of an uploaded file (file_…) or an https address of one.",
            },
        },
    } == {name: schema for name, schema in tool.parameters["properties"].items() if name != "next_page"}
    assert "next_page" in tool.parameters["properties"]
    (unknown,) = Tools(FakeService().client(), [evolve(function, meta=None)])
    assert "next_page" not in unknown.parameters["properties"]


@pytest.mark.parametrize("vendor", [OPENAI, OPENAI_CHAT, ANTHROPIC, GEMINI, BEDROCK], ids=lambda vendor: vendor.name)
def test_nothing_follows_a_response_without_calls(service: FakeService, vendor: Any) -> None:
    """Or of another shape; what follows calls is tested with the vendors' own libraries, in tests/agent_libraries."""
    tools = Tools(service.client(), [])

    for other in ({}, {"output": []}, {"choices": [{"message": {"content": "hello"}}]}, {"candidates": [{}]}):
        assert [] == tools.answer(vendor, other)


def test_too_many_tools_are_refused_here(service: FakeService) -> None:
    """Before a vendor refuses the whole request."""
    for number in range(130):
        service.function(f"desk-number-{number}")(lambda arguments: 1)
    tools = Tools(service.client(), listed(service))

    with pytest.raises(InvalidArgumentError, match="128 tools at most"):
        tools.definitions(OPENAI)
    assert len(listed(service)) == len(tools.definitions(ANTHROPIC))


def test_both_kinds_have_the_same_methods() -> None:
    """What one takes, the other takes."""
    for name in ("answer", "call", "run", "definitions"):
        parameters = [inspect.signature(getattr(each, name)).parameters for each in (Tools, AsyncTools)]
        assert list(parameters[0]) == list(parameters[1])
