"""The sandbox connector against the running sandbox app."""

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import pytest

from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.load import SHIPPED, load_connector
from service_server.catalog.values import AccountIdentity
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from tests.connectors.calling import Account
from tests.examples.processes import SandboxApp, sandbox_app


@pytest.fixture(scope="module")
def app() -> Iterator[SandboxApp]:
    """The running app."""
    with sandbox_app("http://127.0.0.1:9/oauth/callback") as running:
        yield running


@pytest.fixture
async def alice(app: SandboxApp) -> AsyncIterator[Account]:
    """Alice, with her API key."""
    connector, problems = load_connector(SHIPPED / "sandbox")
    assert [] == problems
    assert connector is not None
    context = {"vars": {"base_url": app.url}, "creds": {"api_key": app.api_keys["alice"]}}
    async with Sender(OnwardSettings(allow_hosts=(urlsplit(app.url).netloc,))) as sender:
        yield Account(connector, sender, "key", context)


async def test_identity(alice: Account) -> None:
    """The account is known by its stable id and shown with its workspace."""
    assert AccountIdentity("u-alice", "Alice Andersson (Acme)") == await alice.identity()


async def test_a_tickets_life(alice: Account) -> None:
    """A ticket with custom fields is created, read, changed and deleted."""
    fields = {"severity": "high", "page_views": 12}
    created = await alice.call("create-ticket", title="Broken", project_id="website", urgent=True, fields=fields)
    ticket = created.body["id"]
    changed = await alice.call("update-ticket", ticket_id=ticket, status="closed", labels=["done"])
    shown = await alice.call("get-ticket", ticket_id=ticket)
    deleted = await alice.call("delete-ticket", ticket_id=ticket)
    gone = await alice.call("get-ticket", ticket_id=ticket)

    assert (201, "Broken", True, fields) == (
        created.status,
        created.body["title"],
        created.body["urgent"],
        created.body["fields"],
    )
    assert (200, "closed", ["done"]) == (changed.status, shown.output["status"], shown.output["labels"])
    assert (204, None, 404) == (deleted.status, deleted.body, gone.status)


async def test_the_apps_own_refusal_comes_through(alice: Account) -> None:
    """What the app refuses is relayed whole, with its own words for the fields."""
    answer = await alice.call("create-ticket", title="No fields", project_id="website")

    assert 422 == answer.status
    assert ["fields.severity"] == [problem["field"] for problem in answer.output["error"]["fields"]]


async def test_sources_give_rows_with_value_and_label(alice: Account) -> None:
    """Every source function answers objects that have the keys its fields name."""
    for function in alice.connector.functions.values():
        for meta in function.fields.values():
            if meta.source is not None:
                rows = (await alice.call(meta.source.function.removeprefix("sandbox-"))).output
                assert rows
                assert all({meta.source.value, meta.source.label} <= set(row) for row in rows)


async def test_custom_fields_are_rows(alice: Account) -> None:
    """The source of dynamic fields answers the keys that the field's meta names."""
    dynamic = alice.connector.functions["sandbox-create-ticket"].fields["fields"].dynamic_fields
    rows = (await alice.call("list-custom-fields", project_id="website")).output

    assert dynamic is not None
    assert {"severity", "browser", "page_views", "reproducible"} == {row[dynamic.key] for row in rows}
    assert all({dynamic.title, dynamic.type, dynamic.required, dynamic.options} <= set(row) for row in rows)


async def test_tickets_are_paged_by_cursor(alice: Account) -> None:
    """All tickets come once each, and the last page says so."""
    pages = [page async for page in alice.pages("list-tickets")]
    tickets = [ticket["id"] for page in pages for ticket in page.output]

    assert [20, 20, 5] == [len(page.output) for page in pages]
    assert len(tickets) == len(set(tickets))


async def test_filters_are_sent(alice: Account) -> None:
    """Optional arguments filter when given."""
    found = (await alice.call("list-tickets", project_id="website", status="open")).output
    projects = (await alice.call("list-projects", query="bill")).output

    assert {("website", "open")} == {(ticket["project_id"], ticket["status"]) for ticket in found}
    assert ["billing"] == [project["id"] for project in projects]


async def test_events_cannot_tell_their_end(alice: Account) -> None:
    """A full page of events may be the last, which can't be known: the page after it is empty and ends the list."""
    pages = [page async for page in alice.pages("list-events")]

    assert len(pages[-1].output) < 10


async def test_dots_never_reach_the_app(alice: Account) -> None:
    """An argument that would climb out of its path is refused before anything is sent."""
    with pytest.raises(InvalidRequest) as error:
        await alice.call("list-custom-fields", project_id="..")
    assert "project_id" == error.value.field


async def test_credentials_are_those_of_the_context(alice: Account) -> None:
    """A wrong key is sent as it is and refused by the app: nobody else's is ever used in its place."""
    stranger = Account(alice.connector, alice.sender, "key", {**alice.context, "creds": {"api_key": "wrong"}})
    answer = await stranger.call("list-labels")

    assert 401 == answer.status


async def test_passthrough_reaches_the_api(alice: Account) -> None:
    """A free-form request goes below the base URL, or to a whole URL of the app."""
    by_path = await alice.call("passthrough-request", method="GET", url="/users?query=ali")
    whole = f"{alice.context['vars']['base_url']}/api/v1/users?query=ali"
    by_url = await alice.call("passthrough-request", method="GET", url=whole)

    assert ["u-alice"] == [user["id"] for user in by_path.body["items"]]
    assert by_path.body == by_url.body
