"""What shipped connectors make of answers, where it takes more than a case: next pages, accounts and errors."""

import json
from typing import Any

import jmespath
import pytest

from service_server.catalog.values import AccountIdentity
from service_server.onward.values import OnwardResponse
from tests.connectors.building import connector_of
from tests.connectors.functions import next_position, read, request, request_at, response

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


@pytest.mark.parametrize(
    ("name", "arguments", "answer", "position"),
    [
        ("typeform-list-responses", {"form": "f"}, response({"items": HUNDRED}), "t99"),
        ("typeform-list-responses", {"form": "f"}, response({"items": HUNDRED[:99]}), None),
        ("asana-list-workspaces", {}, response({"data": [1], "next_page": {"offset": "o"}}), "o"),
        ("asana-list-workspaces", {}, response({"data": [1], "next_page": None}), None),
        ("notion-list-pages", {}, response({"results": [], "has_more": True, "next_cursor": "n"}), "n"),
        (
            "linear-list-teams",
            {},
            response({"data": {"page": {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": "c2"}}}}),
            "c2",
        ),
        (
            "shopify-list-orders",
            {},
            response({"data": {"orders": {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": "c1"}}}}),
            "c1",
        ),
        ("monday-list-items", {"board": "1"}, response({"data": {"boards": [{"items_page": {"cursor": "c"}}]}}), "c"),
        ("monday-list-items", {"board": "1"}, response({"data": {"boards": [{"items_page": {"cursor": None}}]}}), None),
        (
            "confluence-list-spaces",
            {},
            response({"results": []}, link='</wiki/api/v2/spaces?cursor=c>; rel="next", <https://x>; rel="base"'),
            "https://acme.atlassian.net/wiki/api/v2/spaces?cursor=c",
        ),
        (
            "salesforce-list-accounts",
            {},
            response({"records": [{"Id": "1"}], "nextRecordsUrl": "/services/data/v64.0/query/01g-2000"}),
            "https://acme.my.salesforce.com/services/data/v64.0/query/01g-2000",
        ),
        ("stripe-list-customers", {}, response({"data": [{"id": "c1"}, {"id": "c2"}], "has_more": True}), "c2"),
        ("stripe-list-customers", {}, response({"data": [{"id": "c1"}], "has_more": False}), None),
        ("stripe-list-customers", {}, response({"data": [], "has_more": False}), None),
        # Lists of other objects are left out, but the next page begins behind them all the same.
        (
            "hubspot-list-lists",
            {},
            response({"lists": [{"listId": "32", "objectTypeId": "0-2"}], "offset": 100, "hasMore": True}),
            100,
        ),
        ("hubspot-list-lists", {}, response({"lists": [], "offset": 101, "hasMore": False}), None),
    ],
)
def test_next_pages(name: str, arguments: dict[str, Any], answer: OnwardResponse, position: Any) -> None:
    """The next page is found where the app tells it, and there is none after the last one."""
    assert position == next_position(name, answer, **arguments)


def test_lists_of_hubspot_are_those_of_contacts() -> None:
    """Lists of other objects are left out of the results."""
    lists = [
        {"listId": number, "name": "Fair", "processingType": "MANUAL", "objectTypeId": kind}
        for number, kind in (("31", "0-1"), ("32", "0-2"))
    ]

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


@pytest.mark.parametrize(
    ("app", "variables", "test", "identity"),
    [
        (
            "gitlab",
            {"server_url": "https://git.example"},
            {"id": 7, "name": "Ada", "username": "ada"},
            AccountIdentity("https://git.example/users/7", "Ada (ada) at https://git.example"),
        ),
        (
            "notion",
            {},
            {"id": "b", "name": "Bot", "bot": {"owner": {"user": {"name": "Ada"}}, "workspace_name": "Acme"}},
            AccountIdentity("b", "Ada at Acme"),
        ),
        (
            "notion",
            {},
            {"id": "b", "name": "Bot", "bot": {"owner": {"workspace": True}, "workspace_name": "Acme"}},
            AccountIdentity("b", "Bot at Acme"),
        ),
        ("airtable", {}, {"id": "usr1"}, AccountIdentity("usr1", "Airtable user usr1")),
        (
            "jira",
            {"site": "acme"},
            {"accountId": "5b", "displayName": "Ada"},
            AccountIdentity("acme/5b", "Ada at acme"),
        ),
        ("asana", {}, {"data": {"gid": "1", "name": "Ada"}}, AccountIdentity("1", "Ada")),
        (
            "linear",
            {},
            {"data": {"viewer": {"id": "u", "name": "Ada", "organization": {"name": "Acme"}}}},
            AccountIdentity("u", "Ada at Acme"),
        ),
    ],
)
def test_accounts(app: str, variables: dict[str, str], test: Any, identity: AccountIdentity) -> None:
    """Accounts are told apart by the app's own ids, and named so that people know which is which."""
    assert identity == connector_of(app).identity({"vars": variables, "test": test, "creds": {}, "token": {}})


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
    assert kind == connector_of("github").error_kind(response({}, 403, **headers), {})


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
    assert kind == connector_of(app).error_kind(response(body, status), body)
