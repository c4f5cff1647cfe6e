"""The sandbox connector against the running sandbox app."""

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import pytest

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


async def test_lists_are_filtered(alice: Account) -> None:
    """Tickets by their project and status, projects by a part of their name."""
    tickets = (await alice.call("list-tickets", project_id="website", status="open")).output
    projects = (await alice.call("list-projects", query="bill")).output

    assert {("website", "open")} == {(ticket["project_id"], ticket["status"]) for ticket in tickets}
    assert ["billing"] == [project["id"] for project in projects]
