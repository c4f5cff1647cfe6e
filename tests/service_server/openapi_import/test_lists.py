"""Lists: where they stand in the answer and how they are paged."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import JSON_ANSWER, answer, document, json_body, taken

ITEM = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
ITEMS = {"type": "array", "items": ITEM}
LINK = {"headers": {"Link": {"schema": {"type": "string"}}}}


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
    return answer({"type": "object", "properties": {"data": ITEMS, **members}})


CURSOR = {"type": "object", "properties": {"next_cursor": {"type": "string", "nullable": True}}}


@pytest.mark.parametrize(
    ("parameters", "responses", "declared"),
    [
        (
            [query("page"), query("per_page", maximum=100)],
            answer(ITEMS, **LINK),
            {"type": "link", "limit": "query.per_page", "size": 100},
        ),
        (
            [query("cursor", "string"), query("limit", default=20)],
            envelope(meta=CURSOR),
            {
                "type": "cursor",
                "send": "query.cursor",
                "next": "body.meta.next_cursor",
                "limit": "query.limit",
                "size": 20,
            },
        ),
        (
            [query("starting_after", "string")],
            envelope(next_cursor={"type": "string"}, has_more={"type": "boolean"}),
            {"type": "cursor", "send": "query.starting_after", "next": "body.next_cursor", "more": "body.has_more"},
        ),
        (
            [query("pageToken", "string")],
            envelope(nextPageToken={"type": "string"}),
            {"type": "cursor", "send": "query.pageToken", "next": "body.nextPageToken"},
        ),
        (
            [query("page")],
            envelope(links={"type": "object", "properties": {"next": {"type": "string", "format": "uri"}}}),
            {"type": "body_url", "next": "body.links.next"},
        ),
        (
            [query("_limit"), query("_token", "string")],
            answer(ITEMS, headers={"Next-Page": {"schema": {"type": "string"}}}),
            {"type": "header_url", "next": "header.next-page"},
        ),
        (
            [query("page"), query("per_page", default=20)],
            answer(ITEMS, headers={"X-Next-Page": {"schema": {"type": "integer"}}}),
            {
                "type": "cursor",
                "send": "query.page",
                "next": "header.x-next-page",
                "limit": "query.per_page",
                "size": 20,
            },
        ),
        ([query("page", default=0)], answer(ITEMS), {"type": "page", "send": "query.page", "first": 0}),
        (
            [query("page")],
            envelope(total_pages={"type": "integer"}),
            {"type": "page", "send": "query.page", "total": "body.total_pages"},
        ),
        (
            [query("page[number]"), query("PageSize", default=50)],
            envelope(totalPages={"type": "integer"}),
            {
                "type": "page",
                "send": "query.page[number]",
                "total": "body.totalPages",
                "limit": "query.PageSize",
                "size": 50,
            },
        ),
        (
            [query("offset"), query("limit", maximum=500)],
            envelope(total_count={"type": "integer"}),
            {
                "type": "offset",
                "send": "query.offset",
                "total": "body.total_count",
                "limit": "query.limit",
                "size": 100,
            },
        ),
        (
            [query("startAt"), query("maxResults", default=50)],
            answer(ITEMS),
            {"type": "offset", "send": "query.startAt", "limit": "query.maxResults", "size": 50},
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
        ([query("page")], JSON_ANSWER),
        ([query("cursor", "string")], answer(ITEMS)),
        ([query("before", "string", format="date-time"), query("offset", "string")], answer(ITEMS)),
    ],
)
def test_what_is_not_paging(parameters: list[dict[str, Any]], responses: dict[str, Any]) -> None:
    """Without a list in the answer, or without the next position in it, parameters stay what they are."""
    pagination, function = listing(parameters, responses)

    assert {} == pagination
    assert len(parameters) == len(function["parameters"]["properties"])


def test_a_page_that_is_required() -> None:
    """A required page number is sent for the first page, and paging replaces it afterwards."""
    _, function = listing([{**query("page"), "required": True}], answer(ITEMS))
    assert {"page": 1} == function["request"]["query"]


def test_a_cursor_in_the_body() -> None:
    """A search by POST sends its cursor in the body."""
    body = json_body(
        {"type": "object", "properties": {"q": {"type": "string"}, "start_cursor": {"type": "string"}}}, False
    )
    responses = envelope(next_cursor={"type": "string"})
    imported = taken(document({"/search": {"post": {"requestBody": body, "responses": responses}}}))

    assert {"type": "cursor", "send": "body.start_cursor", "next": "body.next_cursor"} == imported.connector[
        "pagination"
    ]["cursor"]
    [function] = imported.functions.values()
    assert {"q": "${args.q?}"} == function["request"]["body"]


@pytest.mark.parametrize(
    ("schema", "path", "output"),
    [
        (ITEMS, "/things", None),
        ({"properties": {"data": ITEMS}}, "/things", "data"),
        ({"properties": {"total_count": {"type": "integer"}, "workflow_runs": ITEMS}}, "/runs", "workflow_runs"),
        (
            {"properties": {"data": {"properties": {"items": ITEMS, "next": {"type": "string"}}}}},
            "/things",
            "data.items",
        ),
        ({"properties": {"thing": ITEM}}, "/things/{id}", "thing"),
        ({"properties": {"id": {"type": "string"}, "labels": ITEMS}}, "/things/{id}", None),
        ({"properties": {"red": ITEMS, "blue": ITEMS}}, "/things", None),
        ({"properties": {"odd-name": ITEMS}}, "/things", '"odd-name"'),
    ],
)
def test_the_list_in_an_answer(schema: dict[str, Any], path: str, output: str | None) -> None:
    """A query relays the list or the object that an envelope holds, and the whole answer where nothing is sure."""
    [function] = taken(document({path: {"get": {"responses": answer(schema)}}})).functions.values()
    assert output == function.get("output")


def test_paths_that_end_in_json() -> None:
    """What a path's `.json` stands behind is seen all the same: names, lists and sources are those of the things."""
    issue = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    imported = taken(
        document(
            {
                "/issues.json": {"get": {"responses": envelope()}, "post": {"responses": JSON_ANSWER}},
                "/issues/{id}.json": {
                    "get": {"parameters": [issue], "responses": answer({"properties": {"issue": ITEM}})}
                },
            }
        )
    )

    assert {"list-issues", "create-issue", "get-issue"} == set(imported.functions)
    source = imported.functions["get-issue"]["parameters"]["properties"]["id"]["x-source"]
    assert {"function": "list-issues", "value": "id", "label": "name"} == source
    assert "/issues/${args.id}.json" == imported.functions["get-issue"]["request"]["get"]


def test_the_account_is_asked_for() -> None:
    """A call for oneself becomes the connection test, and names the account by what it answers."""
    user = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "login": {"type": "string"}, "email": {"type": "string"}},
    }
    connector = taken(document({"/users/me": {"get": {"responses": answer({"properties": {"user": user}})}}})).connector

    assert {"get": "/users/me"} == connector["test"]
    assert {"id": "${test.user.id}", "name": ["${test.user.login}", "${test.user.email}"]} == connector["account"]


def test_examples_use_the_documents_values() -> None:
    """A prompt comes from the title, its arguments from the document; what has no value there gets no example."""
    told = {"name": "id", "in": "path", "required": True, "example": "T-1", "schema": {"type": "string"}}
    untold = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    imported = taken(
        document(
            {
                "/things/{id}": {"get": {"summary": "Get a thing", "parameters": [told], "responses": JSON_ANSWER}},
                "/others/{id}": {"get": {"summary": "Get another", "parameters": [untold], "responses": JSON_ANSWER}},
            }
        )
    )

    assert [{"prompt": "get a thing in Acme Desk", "arguments": {"id": "T-1"}}] == imported.functions["get-thing"][
        "examples"
    ]
    assert ["get-another"] == imported.report.without_example


@pytest.mark.parametrize(
    ("path", "more", "output"),
    [
        ("/invoices", {"total_pages": {"type": "integer"}}, "items"),
        ("/payment-links", {"errors": {"type": "array", "items": ITEM}}, "links"),
    ],
)
def test_links_are_no_list_unless_asked_for(path: str, more: dict[str, Any], output: str) -> None:
    """Links to other pages don't hide the list they stand beside; where links are what is listed, they are the list."""
    links = {"type": "array", "items": {"type": "object", "properties": {"href": {"type": "string"}}}}
    members = {"links": links, **more} | ({"items": ITEMS} if output == "items" else {})
    responses = answer({"type": "object", "properties": members})
    [function] = taken(document({path: {"get": {"responses": responses}}})).functions.values()

    assert output == function["output"]
