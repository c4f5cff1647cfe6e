"""What shipped connectors make of answers, where it takes more than a case: next pages, accounts and errors."""

import json
from typing import Any

import jmespath
import pytest

from service_server.catalog.answers import error_kind
from service_server.catalog.values import AccountIdentity
from tests.connectors.building import connector_of
from tests.connectors.functions import next_position, read, request, request_at, response

LIST_OF_COMPANIES = {"listId": "32", "name": "Fair", "processingType": "MANUAL", "objectTypeId": "0-2"}
HUNDRED = [{"token": f"t{number}"} for number in range(100)]


def tab(title: str, *content: dict[str, Any], below: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return a tab of a Google document."""
    properties = {"tabId": f"t.{title}", "title": title}
    body = {"content": list(content)}
    return {"tabProperties": properties, "documentTab": {"body": body}, "childTabs": list(below)}


def paragraph(*texts: str | dict[str, Any]) -> dict[str, Any]:
    """Return a paragraph of a Google document."""
    elements = [{"textRun": {"content": each}} if isinstance(each, str) else each for each in texts]
    return {"paragraph": {"elements": elements}}


def test_google_documents_are_read_as_plain_text() -> None:
    """Paragraphs, people and tables are read in their order; each text says which tab it is of if there are several."""
    person = {"person": {"personProperties": {"email": "ada@example.com"}}}
    cell = {"content": [paragraph("a\n")]}
    table = {"table": {"tableRows": [{"tableCells": [cell, cell]}]}}
    one = tab("One", {"sectionBreak": {}}, paragraph("Hello ", "World, ", person, "\n"), table)
    two = {"tabs": [tab("One", paragraph("first\n"), below=(tab("Two", paragraph("second\n")),))]}
    plans = {"documentId": "d", "title": "Plans"}

    assert {**plans, "text": "Hello World, ada@example.com\na\ta"} == read(
        "google_docs-read-document", {**plans, "tabs": [one]}
    )
    assert "One\n\nfirst\n\nTwo\n\nsecond" == read("google_docs-read-document", two)["text"]
    assert ["t.One", "t.Two"] == [each["tabId"] for each in read("google_docs-list-tabs", two)]


def in_graphql(field: str, cursor: str) -> dict[str, Any]:
    """Return an answer in GraphQL with a page that isn't the last."""
    return {"data": {field: {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": cursor}}}}


PINS = [
    {"pinned_at": "2026-11-02T09:00:00+00:00", "message": {"id": "2"}},
    {"pinned_at": "2026-11-01T09:00:00+00:00", "message": {"id": "1"}},
]
SPACES = {"link": '</wiki/api/v2/spaces?cursor=c>; rel="next", <https://x>; rel="base"'}


@pytest.mark.parametrize(
    ("name", "answer", "headers", "position"),
    [
        ("typeform-list-responses form", {"items": HUNDRED}, {}, "t99"),
        # Places are counted by all that the app lists: files and folders, and fields that no form can fill.
        ("box-list-files", {"entries": [{"type": "folder"}] * 3, "total_count": 9}, {}, 3),
        ("box-list-folders", {"entries": [{"type": "folder"}, {"type": "file"}], "total_count": 3}, {}, 2),
        ("jira-list-fields-of-new-issue project issue_type", {"fields": [{"fieldId": "summary"}], "total": 2}, {}, 1),
        ("typeform-list-responses form", {"items": HUNDRED[:99]}, {}, None),
        ("asana-list-workspaces", {"data": [1], "next_page": {"offset": "o"}}, {}, "o"),
        ("asana-list-workspaces", {"data": [1], "next_page": None}, {}, None),
        ("notion-list-pages", {"results": [], "has_more": True, "next_cursor": "n"}, {}, "n"),
        ("linear-list-teams", in_graphql("page", "c2"), {}, "c2"),
        ("shopify-list-orders", in_graphql("orders", "c1"), {}, "c1"),
        ("monday-list-items board", {"data": {"boards": [{"items_page": {"cursor": "c"}}]}}, {}, "c"),
        ("monday-list-items board", {"data": {"boards": [{"items_page": {"cursor": None}}]}}, {}, None),
        ("confluence-list-spaces", {"results": []}, SPACES, "https://acme.atlassian.net/wiki/api/v2/spaces?cursor=c"),
        (
            "salesforce-list-accounts",
            {"records": [{"Id": "1"}], "nextRecordsUrl": "/services/data/v64.0/query/01g-2000"},
            {},
            "https://acme.my.salesforce.com/services/data/v64.0/query/01g-2000",
        ),
        ("stripe-list-customers", {"data": [{"id": "c1"}, {"id": "c2"}], "has_more": True}, {}, "c2"),
        ("stripe-list-customers", {"data": [{"id": "c1"}], "has_more": False}, {}, None),
        ("stripe-list-customers", {"data": [], "has_more": False}, {}, None),
        # Lists of other objects are left out, but the next page begins behind them all the same.
        ("hubspot-list-lists", {"lists": [LIST_OF_COMPANIES], "offset": 100, "hasMore": True}, {}, 100),
        ("hubspot-list-lists", {"lists": [], "offset": 101, "hasMore": False}, {}, None),
        ("discord-list-pins channel_id", {"items": PINS, "has_more": True}, {}, "2026-11-01T09:00:00+00:00"),
        ("discord-list-pins channel_id", {"items": PINS, "has_more": False}, {}, None),
        ("azure_devops-list-comments project work_item", {"comments": [{}], "continuationToken": "t"}, {}, "t"),
        ("azure_devops-list-comments project work_item", {"comments": [{}]}, {}, None),
    ],
)
def test_next_pages(name: str, answer: Any, headers: dict[str, str], position: Any) -> None:
    """The next page is found where the app tells it, and there is none after the last one."""
    function, *arguments = name.split()
    assert position == next_position(function, response(answer, **headers), **dict.fromkeys(arguments, "1"))


def test_lists_of_hubspot_are_those_of_contacts() -> None:
    """Lists of other objects are left out of the results."""
    lists = [{**LIST_OF_COMPANIES, "listId": "31", "objectTypeId": "0-1"}, LIST_OF_COMPANIES]

    assert ["31"] == [each["id"] for each in read("hubspot-list-lists", {"lists": lists})]


@pytest.mark.parametrize(
    ("name", "arguments", "path", "expected"),
    [
        ("notion-list-pages", {"search": "x"}, "[query, start_cursor]", ["x", "n"]),
        ("linear-search-issues", {"text": "x"}, "variables.[term, after]", ["x", "n"]),
        ("monday-list-items", {"board": "1"}, "variables.[board, cursor]", [["1"], "n"]),
        ("shopify-list-orders", {"query": "status:open"}, "variables", {"query": "status:open", "after": "n"}),
        ("hubspot-list-lists", {}, "offset", "n"),
    ],
)
def test_cursors_in_bodies(name: str, arguments: dict[str, Any], path: str, expected: Any) -> None:
    """The cursor of the next page is put into the body beside what the first page was asked with."""
    assert expected == jmespath.search(path, json.loads(request_at(name, "n", **arguments).body))


def test_cursors_in_queries() -> None:
    """Meta writes the token into the address of the next page: only the cursor is taken of it."""
    assert "starting_after=c2" in request_at("stripe-list-customers", "c2").url
    templates = request_at("whatsapp-list-templates", "c2").url
    assert templates.startswith(request("whatsapp-list-templates").url.partition("?")[0])
    assert templates.startswith("https://graph.facebook.com/v24.0/")
    assert "after=c2" in templates


ADA = {"id": 7, "name": "Ada", "username": "ada"}
BOT = {"id": "b", "name": "Bot", "bot": {"owner": {"workspace": True}, "workspace_name": "Acme"}}
ADAS_BOT = {**BOT, "bot": {"owner": {"user": {"name": "Ada"}}, "workspace_name": "Acme"}}
VIEWER = {"data": {"viewer": {"id": "u", "name": "Ada", "organization": {"name": "Acme"}}}}
SERVER = "https://git.example"


@pytest.mark.parametrize(
    ("app", "variables", "test", "external_id", "name"),
    [
        ("gitlab", {"server_url": SERVER}, ADA, f"{SERVER}/users/7", f"Ada (ada) at {SERVER}"),
        ("notion", {}, ADAS_BOT, "b", "Ada at Acme"),
        ("notion", {}, BOT, "b", "Bot at Acme"),
        ("airtable", {}, {"id": "usr1"}, "usr1", "Airtable user usr1"),
        ("jira", {"site": "acme"}, {"accountId": "5b", "displayName": "Ada"}, "acme/5b", "Ada at acme"),
        ("asana", {}, {"data": {"gid": "1", "name": "Ada"}}, "1", "Ada"),
        ("linear", {}, VIEWER, "u", "Ada at Acme"),
    ],
)
def test_accounts(app: str, variables: dict[str, str], test: Any, external_id: str, name: str) -> None:
    """Accounts are told apart by the app's own ids, and named so that people know which is which."""
    context = {"vars": variables, "test": test, "creds": {}, "token": {}}
    assert AccountIdentity(external_id, name) == connector_of(app).identity(context)


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({"x-ratelimit-remaining": "0"}, "rate_limited"),
        ({"x-ratelimit-remaining": "10"}, None),
        ({"retry-after": "60"}, "rate_limited"),
    ],
)
def test_github_tells_in_headers_why_it_refuses(headers: dict[str, str], kind: str | None) -> None:
    """A 403 means to slow down where its headers say so."""
    assert kind == error_kind(connector_of("github").error_rules, response({}, 403, **headers), {})


@pytest.mark.parametrize(
    ("app", "status", "body", "kind"),
    [
        ("linear", 400, {"errors": [{"extensions": {"code": "RATELIMITED"}}]}, "rate_limited"),
        ("linear", 400, {"errors": [{"extensions": {"code": "AUTHENTICATION_ERROR"}}]}, "reconnect"),
        ("linear", 400, {"errors": [{"extensions": {"code": "INVALID_INPUT"}}]}, None),
        ("monday", 200, {"errors": [{"extensions": {"code": "COMPLEXITY_BUDGET_EXHAUSTED"}}]}, "rate_limited"),
        ("dropbox", 401, {"error": {"required_scope": "sharing.write"}}, "forbidden"),
        ("gitlab", 429, {}, "rate_limited"),
    ],
)
def test_error_kinds(app: str, status: int, body: Any, kind: str | None) -> None:
    """What an answer means is told by the app's own codes, also where the status doesn't tell."""
    assert kind == error_kind(connector_of(app).error_rules, response(body, status), body)
