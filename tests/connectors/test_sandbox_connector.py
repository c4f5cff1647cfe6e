"""The sandbox connector against the running sandbox app."""

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.values import AccountIdentity
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from tests.connectors.building import connector_of
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
    context = {"vars": {"base_url": app.url}, "creds": {"api_key": app.api_keys["alice"]}}
    async with Sender(OnwardSettings(allow_hosts=(urlsplit(app.url).netloc,))) as sender:
        yield Account(connector_of("sandbox"), sender, "key", context)


async def test_an_account_is_that_of_its_credentials(alice: Account) -> None:
    """It is known by its stable id and shown with its workspace; a wrong key is sent as it is and refused."""
    stranger = evolve(alice, context={**alice.context, "creds": {"api_key": "wrong"}})

    assert AccountIdentity("u-alice", "Alice Andersson (Acme)") == await alice.identity()
    assert 401 == (await stranger.call("list-labels")).status


async def test_a_tickets_life(alice: Account) -> None:
    """A ticket with custom fields is created, read, changed and deleted; what the app refuses is relayed whole."""
    fields = {"severity": "high", "page_views": 12}
    created = await alice.call("create-ticket", title="Broken", project_id="website", urgent=True, fields=fields)
    ticket = created.body["id"]
    changed = await alice.call("update-ticket", ticket_id=ticket, status="closed", labels=["done"])
    shown = await alice.call("get-ticket", ticket_id=ticket)
    deleted = await alice.call("delete-ticket", ticket_id=ticket)
    gone = await alice.call("get-ticket", ticket_id=ticket)
    refused = await alice.call("create-ticket", title="No fields", project_id="website")

    assert 201 == created.status
    assert ["Broken", True, fields] == [created.body[key] for key in ("title", "urgent", "fields")]
    assert (200, "closed", ["done"]) == (changed.status, shown.output["status"], shown.output["labels"])
    assert (204, None, 404) == (deleted.status, deleted.body, gone.status)
    assert 422 == refused.status
    assert ["fields.severity"] == [problem["field"] for problem in refused.output["error"]["fields"]]


async def test_sources_give_what_fields_name(alice: Account) -> None:
    """Every source answers objects that have the keys its fields name, and so does that of the custom fields."""
    for function in alice.connector.functions.values():
        for meta in function.fields.values():
            if meta.source is not None:
                rows = (await alice.call(meta.source.function.removeprefix("sandbox-"))).output
                assert rows
                assert all({meta.source.value, meta.source.label} <= set(row) for row in rows)
    dynamic = alice.connector.functions["sandbox-create-ticket"].fields["fields"].dynamic_fields
    rows = (await alice.call("list-custom-fields", project_id="website")).output

    assert dynamic is not None
    assert {"severity", "browser", "page_views", "reproducible"} == {row[dynamic.key] for row in rows}
    assert all({dynamic.title, dynamic.type, dynamic.required, dynamic.options} <= set(row) for row in rows)


async def test_lists_are_paged_and_filtered(alice: Account) -> None:
    """Tickets come once each; a full page of events may be the last, so that the one after it is empty."""
    pages = [page async for page in alice.pages("list-tickets")]
    tickets = [ticket["id"] for page in pages for ticket in page.output]
    events = [page async for page in alice.pages("list-events")]
    found = (await alice.call("list-tickets", project_id="website", status="open")).output
    projects = (await alice.call("list-projects", query="bill")).output

    assert [20, 20, 5] == [len(page.output) for page in pages]
    assert len(tickets) == len(set(tickets))
    assert len(events[-1].output) < 10
    assert {("website", "open")} == {(ticket["project_id"], ticket["status"]) for ticket in found}
    assert ["billing"] == [project["id"] for project in projects]


async def test_dots_never_reach_the_app(alice: Account) -> None:
    """An argument that would climb out of its path is refused before anything is sent."""
    with pytest.raises(InvalidRequest) as error:
        await alice.call("list-custom-fields", project_id="..")
    assert "project_id" == error.value.field


async def test_passthrough_reaches_the_api(alice: Account) -> None:
    """A free-form request goes below the base URL, or to a whole URL of the app."""
    whole = f"{alice.context['vars']['base_url']}/api/v1/users?query=ali"
    by_path, by_url = [
        await alice.call("passthrough-request", method="GET", url=url) for url in ("/users?query=ali", whole)
    ]

    assert ["u-alice"] == [user["id"] for user in by_path.body["items"]]
    assert by_path.body == by_url.body
