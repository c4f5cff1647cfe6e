"""The service in memory that `service_client.testing` offers."""

from collections.abc import Iterable
from typing import Any

import pytest

import service_client as sc
from service_client.testing import FakeService, RecordedCall


@pytest.fixture
def service() -> FakeService:
    """Offer a desk with one account and a wiki with none."""
    service = FakeService(page_size=2)
    service.add_app("desk", title="Desk", accounts=["Ann's desk"])
    service.add_app("wiki")

    @service.function(
        "desk-create-ticket",
        type="mutation",
        properties={"title": {"type": "string"}, "count": {"type": "number"}},
        required=["title"],
    )
    def create_ticket(arguments: dict[str, Any]) -> Any:
        return {"id": 7, **arguments}

    @service.function("desk-list-tickets", paginated=True)
    def list_tickets(arguments: dict[str, Any]) -> Any:
        if arguments.get("next_page"):
            return sc.CallResult(network_code="200", output=[3], next_page="")
        return sc.CallResult(network_code="200", output=[1, 2], next_page="two")

    @service.function(
        "desk-passthrough-request",
        type="passthrough",
        properties={"method": {"type": "string"}, "url": {"type": "string"}, "body": {"type": "object"}},
        required=["method", "url"],
    )
    def passthrough(arguments: dict[str, Any]) -> Any:
        return sc.CallResult(network_code="404", output=arguments)

    service.function("wiki-list-pages")(lambda arguments: [])
    service.predict("write down: printer", "desk-create-ticket", {"title": "printer"})
    return service


@pytest.fixture
def client(service: FakeService) -> sc.Client:
    """Its client, which works at once."""
    return service.client()


def names(found: Iterable[Any]) -> list[str]:
    """Return the names of what was listed."""
    return [item.name for item in found]


def test_it_lists_over_pages_with_every_filter(client: sc.Client) -> None:
    """Lists come in pages, sorted by name, and obey the filters."""
    functions = ["desk-create-ticket", "desk-list-tickets", "desk-passthrough-request", "wiki-list-pages"]

    assert ["desk", "wiki"] == names(client.apps.list())
    assert ["desk"] == names(client.apps.list(connected_only=True))
    assert functions == names(client.functions.list())
    assert functions[:3] == names(client.functions.list(connected_only=True))
    assert functions[3:] == names(client.functions.list(app="wiki"))
    assert functions[2:3] == names(client.functions.list(type="passthrough"))
    assert [2, 2] == [len(page.data) for page in client.functions.list().iter_pages()]


def test_it_executes_and_records_calls(service: FakeService, client: sc.Client) -> None:
    """A call's output is what the function returns; the call is recorded with the account used."""
    result = client.functions.call("desk-create-ticket", {"title": "x"})
    other = client.functions.passthrough("desk", "GET", "/me")

    assert ("200", {"id": 7, "title": "x"}) == (result.network_code, result.output)
    assert ("404", {"method": "GET", "url": "/me"}) == (other.network_code, other.output)
    assert [1, 2, 3] == list(client.functions.items("desk-list-tickets"))
    made = RecordedCall(function="desk-create-ticket", arguments={"title": "x"}, connected_account_id=1)
    assert made == service.calls[0]
    assert ["desk-passthrough-request", "desk-list-tickets", "desk-list-tickets"] == [
        call.function for call in service.calls[1:]
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "account", "expected"),
    [
        ("desk-create-ticket", {}, None, [("title", "required")]),
        ("desk-create-ticket", {"title": 1, "x": 1}, None, [("title", "type"), ("x", "unknown_parameter")]),
        ("desk-create-ticket", {"title": "x", "count": True}, None, [("count", "type")]),
        ("desk-create-ticket", {"title": "x", "next_page": ""}, None, [("next_page", "unknown_parameter")]),
        ("desk-create-ticket", {"title": "x"}, 99, [(None, "account_not_found")]),
        ("wiki-list-pages", {}, None, [(None, "not_connected")]),
    ],
)
def test_it_refuses_what_the_service_refuses(
    service: FakeService, client: sc.Client, name: str, arguments: Any, account: Any, expected: Any
) -> None:
    """A call that the service would not execute is refused with its codes, and not recorded."""
    with pytest.raises(sc.CallRefusedError) as caught:
        client.functions.call(name, arguments, connected_account_id=account)

    assert expected == [(detail.field, detail.code) for detail in caught.value.details]
    assert [] == service.calls


def test_several_accounts_need_a_choice(service: FakeService, client: sc.Client) -> None:
    """With two accounts a call and a disconnection must name one; the newest comes first."""
    service.connect("desk", "Team desk")

    assert ["Team desk", "Ann's desk"] == [each.display_name for each in client.connected_accounts.list("desk")]
    for step, name in ((client.connected_accounts.disconnect, "desk"), (client.functions.call, "desk-list-tickets")):
        with pytest.raises(sc.BadRequestError) as caught:
            step(name)
        assert (sc.Code.ACCOUNT_REQUIRED, sc.Action.PICK_ACCOUNT) == (caught.value.code, caught.value.action)
    client.functions.call("desk-list-tickets", connected_account_id="2")
    client.connected_accounts.disconnect("desk", 1)

    assert [2] == [account.id for account in client.connected_accounts.list("desk")]


def test_it_predicts_what_it_was_told(client: sc.Client) -> None:
    """A known prompt gives its function and arguments; any other fits nothing; a blank one is an error."""
    prompt = "write down: printer"
    found: Any = client.functions.predict(prompt, arguments=True)
    bare: Any = client.functions.predict(prompt)
    got: Any = client.functions.get(found.name, predict_arguments=True, prompt="other")

    assert ("desk-create-ticket", {"title": "printer"}) == (found.name, found.arguments)
    assert bare.arguments is None
    assert ({}, ("title",)) == (got.arguments, got.prediction.missing)
    assert client.functions.predict("sing") is None
    with pytest.raises(sc.BadRequestError) as caught:
        client.functions.predict(" ")
    assert sc.Code.PROMPT_REQUIRED == caught.value.code


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (lambda c: c.apps.get("nope"), "unknown_app"),
        (lambda c: c.functions.list(app="nope"), "unknown_app"),
        (lambda c: c.functions.get("nope-x"), "unknown_function"),
        (lambda c: c.functions.call("nope-x"), "unknown_function"),
        (lambda c: c.connect_sessions.get("nope"), "unknown_connect_session"),
        (lambda c: c.connect_sessions.redeem("s", "c"), "not_found"),
    ],
)
def test_it_does_not_know_what_was_not_added(client: sc.Client, step: Any, code: str) -> None:
    """Unknown names, and endpoints the fake does not have, are 404 as in the service."""
    with pytest.raises(sc.NotFoundError) as caught:
        step(client)

    assert code == caught.value.code


async def test_tokens_are_made_and_it_can_be_awaited(service: FakeService, client: sc.Client) -> None:
    """`async_client()` is ready to use, too."""
    assert client.session_tokens.create().token
    async with service.async_client() as awaiting:
        assert "Desk" == (await awaiting.apps.get("desk")).title


def test_a_function_needs_its_app() -> None:
    """A function of an app that was not added is a mistake in the test, told at once."""
    with pytest.raises(ValueError, match="Add the app 'desk'"):
        FakeService().function("desk-create")
