"""The service in memory that `service_client.testing` offers."""

from typing import Any

import pytest

import service_client as sc
from service_client.testing import FakeService, RecordedCall
from tests.service_client.conftest import Driver


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

    @service.function("wiki-list-pages")
    def list_pages(arguments: dict[str, Any]) -> Any:
        return []

    service.predict("write down: printer", "desk-create-ticket", {"title": "printer"})
    return service


def run(driver: Driver, service: FakeService, step: Any) -> Any:
    """Run a step with the fake service behind the driver's client."""
    return driver.run("http://service.test", step, token="made-up", transport=driver.memory(service.handle))


def names(found: Any) -> list[str]:
    """Return the names of what was listed."""
    return [item.name for item in found]


def test_it_lists_over_pages_with_every_filter(driver: Driver, service: FakeService) -> None:
    """Lists come in pages, sorted by name, and obey the filters."""
    functions = ["desk-create-ticket", "desk-list-tickets", "desk-passthrough-request", "wiki-list-pages"]

    assert ["desk", "wiki"] == names(run(driver, service, lambda c: c.apps.list()))
    assert ["desk"] == names(run(driver, service, lambda c: c.apps.list(connected_only=True)))
    assert functions == names(run(driver, service, lambda c: c.functions.list()))
    assert functions[:3] == names(run(driver, service, lambda c: c.functions.list(connected_only=True)))
    assert functions[3:] == names(run(driver, service, lambda c: c.functions.list(app="wiki")))
    assert functions[2:3] == names(run(driver, service, lambda c: c.functions.list(type="passthrough")))
    assert [2, 2] == [len(page.data) for page in run(driver, service, lambda c: c.functions.list().iter_pages())]


def test_it_executes_and_records_calls(driver: Driver, service: FakeService) -> None:
    """A call's output is what the function returns; the call is recorded with the account used."""
    result = run(driver, service, lambda c: c.functions.call("desk-create-ticket", {"title": "x"}))
    other = run(driver, service, lambda c: c.functions.passthrough("desk", "GET", "/me"))
    tickets = run(driver, service, lambda c: c.functions.items("desk-list-tickets"))

    assert ("200", {"id": 7, "title": "x"}) == (result.network_code, result.output)
    assert ("404", {"method": "GET", "url": "/me"}) == (other.network_code, other.output)
    assert [1, 2, 3] == tickets
    assert ["desk-create-ticket", "desk-passthrough-request", "desk-list-tickets", "desk-list-tickets"] == [
        call.function for call in service.calls
    ]
    assert (
        RecordedCall(function="desk-create-ticket", arguments={"title": "x"}, connected_account_id=1)
        == (service.calls[0])
    )


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
    driver: Driver, service: FakeService, name: str, arguments: Any, account: Any, expected: Any
) -> None:
    """A call that the service would not execute is refused with its codes, and not recorded."""
    with pytest.raises(sc.CallRefusedError) as caught:
        run(driver, service, lambda c: c.functions.call(name, arguments, connected_account_id=account))

    assert expected == [(detail.field, detail.code) for detail in caught.value.details]
    assert [] == service.calls


def test_several_accounts_need_a_choice(driver: Driver, service: FakeService) -> None:
    """With two accounts a call and a disconnection must name one; the newest comes first."""
    service.connect("desk", "Team desk")

    assert ["Team desk", "Ann's desk"] == [
        account.display_name for account in run(driver, service, lambda c: c.connected_accounts.list("desk"))
    ]
    for step in (lambda c: c.functions.call("desk-list-tickets"), lambda c: c.connected_accounts.disconnect("desk")):
        with pytest.raises(sc.BadRequestError) as caught:
            run(driver, service, step)
        assert caught.value.code == sc.Code.ACCOUNT_REQUIRED
        assert caught.value.action == sc.Action.PICK_ACCOUNT
    run(driver, service, lambda c: c.functions.call("desk-list-tickets", connected_account_id="2"))
    run(driver, service, lambda c: c.connected_accounts.disconnect("desk", 1))

    assert [2] == [account.id for account in run(driver, service, lambda c: c.connected_accounts.list("desk"))]


def test_it_predicts_what_it_was_told(driver: Driver, service: FakeService) -> None:
    """A known prompt gives its function and arguments; any other fits nothing; a blank one is an error."""
    prompt = "write down: printer"
    found = run(driver, service, lambda c: c.functions.predict(prompt, arguments=True))
    bare = run(driver, service, lambda c: c.functions.predict(prompt))
    got = run(driver, service, lambda c: c.functions.get(found.name, predict_arguments=True, prompt="other"))

    assert ("desk-create-ticket", {"title": "printer"}) == (found.name, found.arguments)
    assert bare.arguments is None
    assert ({}, ("title",)) == (got.arguments, got.prediction.missing)
    assert run(driver, service, lambda c: c.functions.predict("sing")) is None
    with pytest.raises(sc.BadRequestError) as caught:
        run(driver, service, lambda c: c.functions.predict(" "))
    assert caught.value.code == sc.Code.PROMPT_REQUIRED


def test_it_connects_accounts_as_told(driver: Driver, service: FakeService) -> None:
    """A connect session is pending until the test finishes or cancels it."""
    session = run(driver, service, lambda c: c.connect_sessions.create("wiki"))
    assert run(driver, service, lambda c: c.connect_sessions.get(session.id)).status == "pending"

    account = service.finish_connecting(session.id)
    run(driver, service, lambda c: c.connect_sessions.cancel(session.id))
    state = run(driver, service, lambda c: c.connect_sessions.get(session.id))
    assert ("connected", account.id) == (state.status, state.connected_account_id)

    other = run(driver, service, lambda c: c.connect_sessions.create("wiki"))
    run(driver, service, lambda c: c.connect_sessions.cancel(other.id))
    assert run(driver, service, lambda c: c.connect_sessions.get(other.id)).status == "cancelled"


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
def test_it_does_not_know_what_was_not_added(driver: Driver, service: FakeService, step: Any, code: str) -> None:
    """Unknown names, and endpoints the fake does not have, are 404 as in the service."""
    with pytest.raises(sc.NotFoundError) as caught:
        run(driver, service, step)

    assert code == caught.value.code


def test_its_clients_work_at_once(service: FakeService) -> None:
    """`client()` is ready to use, and session tokens can be minted."""
    with service.client() as client:
        assert client.apps.get("desk").title == "Desk"
        assert client.session_tokens.create().token


async def test_its_awaiting_client_works_at_once(service: FakeService) -> None:
    """`async_client()` is ready to use."""
    async with service.async_client() as client:
        assert (await client.apps.get("desk")).title == "Desk"


def test_a_function_needs_its_app() -> None:
    """A function of an app that was not added is a mistake in the test, told at once."""
    with pytest.raises(ValueError, match="Add the app 'desk'"):
        FakeService().function("desk-create")
