"""Lists: where they stand in the answer and how they are paged."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import (
    TEXT,
    answer,
    document,
    holding,
    in_path,
    json_body,
    taken,
)

NUMBER = {"type": "integer"}
ITEM = holding(id=NUMBER, name=TEXT)
ITEMS = {"type": "array", "items": ITEM}


def query(name: str, kind: str = "integer", **schema: Any) -> dict[str, Any]:
    """Declare an optional query parameter."""
    return {"name": name, "in": "query", "schema": {"type": kind, **schema}}


def listing(parameters: list[dict[str, Any]], responses: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Import an operation that lists things; returns the connector's pagination and the function's file."""
    imported = taken(document({"/things": {"get": {"parameters": parameters, "responses": responses}}}))
    [function] = imported.functions.values()
    return imported.connector.get("pagination", {}), function


def envelope(**members: Any) -> dict[str, Any]:
    """Return the answer of a list that stands beside other things."""
    return answer(holding(data=ITEMS, **members))


def with_header(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a list that has a header."""
    return answer(ITEMS, headers={name: {"schema": schema}})


CURSOR = holding(next_cursor={"type": "string", "nullable": True})


LIMIT = {"limit": "query.limit"}


def cursor(send: str, following: str, **more: Any) -> dict[str, Any]:
    """Declare paging by a cursor."""
    return {"type": "cursor", "send": f"query.{send}", "next": following, **more}


def by_number(kind: str, send: str, **more: Any) -> dict[str, Any]:
    """Declare paging by the number of a page or of an item."""
    return {"type": kind, "send": f"query.{send}", **more}


@pytest.mark.parametrize(
    ("parameters", "responses", "declared"),
    [
        (
            [query("page"), query("per_page", maximum=100)],
            with_header("Link", TEXT),
            {"type": "link", "limit": "query.per_page", "size": 100},
        ),
        (
            [query("cursor", "string"), query("limit", default=20)],
            envelope(meta=CURSOR),
            cursor("cursor", "body.meta.next_cursor", **LIMIT, size=20),
        ),
        (
            [query("starting_after", "string")],
            envelope(next_cursor=TEXT, has_more={"type": "boolean"}),
            cursor("starting_after", "body.next_cursor", more="body.has_more"),
        ),
        ([query("pageToken", "string")], envelope(nextPageToken=TEXT), cursor("pageToken", "body.nextPageToken")),
        (
            [query("page")],
            envelope(links=holding(next={"type": "string", "format": "uri"})),
            {"type": "body_url", "next": "body.links.next"},
        ),
        (
            [query("_limit"), query("_token", "string")],
            with_header("Next-Page", TEXT),
            {"type": "header_url", "next": "header.next-page"},
        ),
        (
            [query("page"), query("size", default=20)],
            with_header("X-Next-Page", NUMBER),
            cursor("page", "header.x-next-page", limit="query.size", size=20),
        ),
        ([query("page", default=0)], answer(ITEMS), by_number("page", "page", first=0)),
        ([query("page")], envelope(total_pages=NUMBER), by_number("page", "page", total="body.total_pages")),
        (
            [query("page[number]"), query("PageSize", default=50)],
            envelope(totalPages=NUMBER),
            by_number("page", "page[number]", total="body.totalPages", limit="query.PageSize", size=50),
        ),
        (
            [query("offset"), query("limit", maximum=500)],
            envelope(total=NUMBER),
            by_number("offset", "offset", total="body.total", **LIMIT, size=100),
        ),
        (
            [query("startAt"), query("maxResults", default=50)],
            answer(ITEMS),
            by_number("offset", "startAt", limit="query.maxResults", size=50),
        ),
    ],
)
def test_paging_is_recognised(
    parameters: list[dict[str, Any]], responses: dict[str, Any], declared: dict[str, Any]
) -> None:
    """The names of parameters and of the answer's parts tell how pages are asked for; callers aren't asked for them."""
    pagination, function = listing(parameters, responses)

    assert [declared] == list(pagination.values())
    assert function["paginate"] in pagination
    assert {} == function["parameters"]["properties"]


@pytest.mark.parametrize(
    ("parameters", "responses"),
    [
        ([query("page")], {}),
        ([query("cursor", "string")], answer(ITEMS)),
        ([query("before", "string", format="date-time"), query("offset", "string")], answer(ITEMS)),
    ],
)
def test_what_is_not_paging(parameters: list[dict[str, Any]], responses: dict[str, Any]) -> None:
    """Without a list in the answer, or without the next position in it, parameters stay what they are."""
    pagination, function = listing(parameters, responses)

    assert {} == pagination
    assert len(parameters) == len(function["parameters"]["properties"])


def test_positions_that_a_request_holds() -> None:
    """A search by POST sends its cursor in the body; a page number that is required is sent for the first page."""
    body = json_body(holding(q=TEXT, start_cursor=TEXT), False)
    post = {"requestBody": body, "responses": envelope(next_cursor=TEXT)}
    imported = taken(document({"/search": {"post": post}}))
    [function] = imported.functions.values()
    paging = {"type": "cursor", "send": "body.start_cursor", "next": "body.next_cursor"}

    assert paging == imported.connector["pagination"]["cursor"]
    assert {"q": "${args.q?}"} == function["request"]["body"]
    _, numbered = listing([{**query("page"), "required": True}], answer(ITEMS))
    assert {"page": 1} == numbered["request"]["query"]


LINKS = {"type": "array", "items": holding(href=TEXT)}


@pytest.mark.parametrize(
    ("schema", "path", "output"),
    [
        (ITEMS, "/things", None),
        (holding(data=ITEMS), "/things", "data"),
        (holding(total_count=NUMBER, workflow_runs=ITEMS), "/runs", "workflow_runs"),
        (holding(data=holding(items=ITEMS, next=TEXT)), "/things", "data.items"),
        (holding(thing=ITEM), "/things/{id}", "thing"),
        (holding(id=TEXT, labels=ITEMS), "/things/{id}", None),
        (holding(red=ITEMS, blue=ITEMS), "/things", None),
        (holding(**{"odd-name": ITEMS}), "/things", '"odd-name"'),
        (holding(links=LINKS, total_pages=NUMBER, items=ITEMS), "/invoices", "items"),
        (holding(links=LINKS, errors=ITEMS), "/payment-links", "links"),
    ],
)
def test_the_list_in_an_answer(schema: dict[str, Any], path: str, output: str | None) -> None:
    """A query relays the list or the object that an envelope holds, of links only if asked for, or else the whole."""
    [function] = taken(document({path: {"get": {"responses": answer(schema)}}})).functions.values()
    assert output == function.get("output")


def test_paths_that_end_in_json() -> None:
    """What a path's `.json` stands behind is seen all the same: names, lists and sources are those of the things."""
    one = {"parameters": [in_path("id", "integer")], "responses": answer(holding(issue=ITEM))}
    paths = {"/issues.json": {"get": {"responses": envelope()}, "post": {}}, "/issues/{id}.json": {"get": one}}
    functions = taken(document(paths)).functions
    source = functions["get-issue"]["parameters"]["properties"]["id"]["x-source"]

    assert {"list-issues", "create-issue", "get-issue"} == set(functions)
    assert {"function": "list-issues", "value": "id", "label": "name"} == source
    assert "/issues/${args.id}.json" == functions["get-issue"]["request"]["get"]


def test_the_account_is_asked_for() -> None:
    """A call for oneself becomes the connection test, and names the account by what it answers."""
    me = {"get": {"responses": answer(holding(user=holding(id=NUMBER, login=TEXT, email=TEXT)))}}
    connector = taken(document({"/users/me": me})).connector

    assert {"get": "/users/me"} == connector["test"]
    assert {"id": "${test.user.id}", "name": ["${test.user.login}", "${test.user.email}"]} == connector["account"]


def test_examples_use_the_documents_values() -> None:
    """A prompt comes from the title, its arguments from the document; what has no value there gets no example."""
    told = {"get": {"summary": "Get a thing", "parameters": [in_path("id", example="T-1")]}}
    untold = {"get": {"summary": "Get another", "parameters": [in_path("id")]}}
    imported = taken(document({"/things/{id}": told, "/others/{id}": untold}))
    example = {"prompt": "get a thing in Acme Desk", "arguments": {"id": "T-1"}}

    assert [example] == imported.functions["get-thing"]["examples"]
    assert ["get-another"] == imported.report.without_example
