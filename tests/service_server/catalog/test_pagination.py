"""Paging strategies: where the position goes, where the next one is found, and when nobody can tell."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from service_server.catalog.pagination import Following, JsonValue, Pagination, link_targets
from service_server.onward.values import OnwardRequest, OnwardResponse
from tests.service_server.catalog.compiled import read_paging

REQUEST = OnwardRequest("GET", "https://h/items?filter=a")


def answer(body: Any = None, status: int = 200, **headers: str) -> OnwardResponse:
    """Return an answer with a JSON body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return OnwardResponse(status, named, json.dumps(body).encode(), REQUEST.url)


def following(pagination: Pagination, position: JsonValue, response: OnwardResponse, items: Any = None) -> Following:
    """Ask what comes after a page."""
    body = json.loads(response.body)
    request = pagination.apply(REQUEST, position)
    return pagination.following(position, request, response, body, body if items is None else items)


def query(request: OnwardRequest) -> dict[str, list[str]]:
    """Return the query of a request."""
    return parse_qs(urlsplit(request.url).query)


CURSOR = read_paging({"type": "cursor", "send": "query.after", "next": "body.next", "limit": "query.n", "size": 9})
PAGE = read_paging({"type": "page", "send": "query.page", "limit": "query.per_page", "size": 2})


def test_positions_in_the_query() -> None:
    """Cursor or number go into the query next to what is there, and the size on every page, also the first."""
    assert {"filter": ["a"], "n": ["9"]} == query(CURSOR.apply(REQUEST, None))
    assert {"filter": ["a"], "n": ["9"], "after": ["x&y"]} == query(CURSOR.apply(REQUEST, "x&y"))
    assert {"filter": ["a"], "per_page": ["2"]} == query(PAGE.apply(REQUEST, None))
    assert {"filter": ["a"], "per_page": ["2"], "page": ["2"]} == query(PAGE.apply(REQUEST, 2))


def test_cursor_with_a_flag() -> None:
    """Where the app says whether there is more, a cursor it still sends on the last page doesn't count."""
    flagged = {"type": "cursor", "send": "header.X-Cursor", "next": "header.x-next", "more": "body.more"}
    pagination = read_paging(flagged)

    assert Following(position="n") == following(pagination, None, answer({"more": True}, x_next="n"))
    assert Following() == following(pagination, None, answer({"more": False}, x_next="n"))
    assert (("X-Cursor", "n"),) == pagination.apply(REQUEST, "n").headers


@pytest.mark.parametrize(
    ("declared", "position", "before", "after"),
    [
        ({"type": "cursor", "send": "body.cursor", "next": "body.next"}, "c", {"q": "a"}, {"q": "a", "cursor": "c"}),
        (
            {"type": "cursor", "send": "body.variables.after", "next": "body.next"},
            "c",
            {"query": "{ x }", "variables": {"first": 50}},
            {"query": "{ x }", "variables": {"first": 50, "after": "c"}},
        ),
        (
            {"type": "page", "send": "body.variables.page", "size": 2},
            2,
            {"query": "{ x }"},
            {"query": "{ x }", "variables": {"page": 2}},
        ),
    ],
)
def test_positions_in_the_body(declared: dict[str, Any], position: JsonValue, before: Any, after: Any) -> None:
    """A cursor or a number joins what is in the body, and makes room where none is; the first page is as it was."""
    pagination = read_paging(declared)
    headers = (("content-type", "application/json"),)
    request = OnwardRequest("POST", "https://h/search", headers, json.dumps(before).encode())
    applied = pagination.apply(request, position)

    assert (after, headers) == (json.loads(applied.body), applied.headers)
    assert pagination.sent_query is None
    assert request == pagination.apply(request, None)


OFFSET = read_paging({"type": "offset", "send": "query.p", "total": "body.total"})
PAGES = read_paging({"type": "page", "send": "query.p", "total": "body.pages"})
FLAGGED = read_paging({"type": "page", "send": "query.p", "more": "body.more"})
FROM_0 = read_paging({"type": "page", "send": "query.p", "more": "body.more", "first": 0})


@pytest.mark.parametrize(
    ("paging", "position", "body", "items", "expected"),
    [
        # A cursor goes on; none, an empty or an odd one ends the list, and so does the same one again.
        (CURSOR, "c1", {"next": "c2"}, [], "c2"),
        (CURSOR, "c1", {"next": 17}, [], 17),
        (CURSOR, "c1", {"next": None}, [], None),
        (CURSOR, "c1", {"next": ""}, [], None),
        (CURSOR, "c1", {"next": False}, [], None),
        (CURSOR, "c1", {"next": {"odd": 1}}, [], None),
        (CURSOR, "c1", {}, [], None),
        (CURSOR, "c1", [1], [1], None),
        (CURSOR, "c1", {"next": "c1"}, [], None),
        # A full page may be the last: the next one is offered but not promised; a short or empty one is the last.
        (PAGE, None, [1, 2], [1, 2], 2),
        (PAGE, 2, [3, 4], [3, 4], 3),
        (PAGE, 2, [3], [3], None),
        (PAGE, 3, [], [], None),
        (PAGE, None, {"error": "x"}, {"error": "x"}, None),
        # A total (of items, or of pages) or a flag makes it certain whether there is more.
        (OFFSET, None, {"total": 5}, [1, 2], 2),
        (OFFSET, 4, {"total": 5}, [5], None),
        (OFFSET, 2, {"total": "5"}, [3, 4], 4),
        (OFFSET, 2, {"total": 4}, [3, 4], None),
        (OFFSET, None, {}, [1, 2], 2),
        (PAGES, None, {"pages": 2}, [1], 2),
        (PAGES, 2, {"pages": 2}, [1], None),
        (FLAGGED, 7, {"more": True}, [1], 8),
        (FLAGGED, 7, {"more": False}, [1], None),
        (FROM_0, None, {"more": True}, [1], 1),
    ],
)
def test_what_comes_after_a_page(
    paging: Pagination, position: JsonValue, body: Any, items: Any, expected: JsonValue
) -> None:
    """The next position is told by a cursor, by how full the page is, by a total or by a flag; or there is none."""
    assert Following(position=expected) == following(paging, position, answer(body), items)


LINK = read_paging({"type": "link"})


def test_link_header() -> None:
    """The next page is the target of rel=next, relative to the page itself."""
    response = answer([], link='<https://h/items?p=1>; rel="prev", </items?p=3&x=a,b>; rel="next last"')

    assert Following(position="https://h/items?p=3&x=a,b") == following(LINK, "https://h/items?p=2", response)
    assert Following() == following(LINK, None, answer([], link='<https://h/>; rel="prev"'))
    assert Following() == following(LINK, None, answer([]))
    assert "https://h/items?p=3" == LINK.apply(REQUEST, "https://h/items?p=3").url


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/wiki/pages?cursor=b", "https://gate.example/ex/7/wiki/pages?cursor=b"),
        ("https://h/wiki/pages?cursor=b", "https://h/wiki/pages?cursor=b"),
        ("//h/wiki/pages?cursor=b", "https://h/wiki/pages?cursor=b"),
        ("/?cursor=b", "https://gate.example/?cursor=b"),
        ("/other/pages?cursor=b", "https://gate.example/other/pages?cursor=b"),
    ],
)
def test_a_link_of_an_app_behind_a_gateway(link: str, expected: str) -> None:
    """A path from the top that ends the one that was asked lacks what the gateway has before it."""
    response = evolve(answer([], link=f'<{link}>; rel="next"'), url="https://gate.example/ex/7/wiki/pages?cursor=a")

    assert Following(position=expected) == following(LINK, None, response)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("<a>; rel=next", {"next": "a"}),
        ('<a>;title="x, <y>; rel=no";rel="next"', {"next": "a"}),
        ('<a>; REL="Next" , <b>; rel="next"', {"next": "a"}),
        ("<a>", {}),
        ("nonsense", {}),
        ("<a; rel=next", {}),
        ("", {}),
        ('<a>; rel="previous"; results="false", <b>; rel="next"; results="true"', {"next": "b"}),
        ('<a>; rel="previous"; results="true", <b>; rel="next"; results="false"', {"previous": "a"}),
    ],
)
def test_links_as_rfc_8288_writes_them(header: str, expected: dict[str, str]) -> None:
    """Quoted texts, letter case and repeated relations are read as the RFC says; a link without results is none."""
    assert expected == link_targets(header)


@given(st.text(alphabet='<>;,="rel next', max_size=300))
def test_any_link_header_is_read(header: str) -> None:
    """No header makes reading it fail."""
    assert isinstance(link_targets(header), dict)


def test_hostile_link_headers_are_read_in_linear_time() -> None:
    """Headers made to slow pattern matching down are read all the same: this test would not end otherwise."""
    for piece in ("<", '<a>; x="', "; rel =", "<a>;" + " " * 50, ';"'):
        link_targets(piece * 20_000)


def test_next_url_in_body_or_header() -> None:
    """The next URL may stand in the body or in a header of its own; the page itself again ends the list."""
    in_body = read_paging({"type": "body_url", "next": "body.links.next.href"})
    in_header = read_paging({"type": "header_url", "next": "header.next-page"})
    by_odd_key = read_paging({"type": "body_url", "next": "body.'@odata.nextLink'"})
    body = {"links": {"next": {"href": "/items?start=2"}}}

    assert Following(position="https://h/items?start=2") == following(in_body, None, answer(body))
    assert Following(position="https://h/2") == following(in_header, None, answer([], next_page="https://h/2"))
    assert Following(position="https://h/3") == following(by_odd_key, None, answer({"@odata.nextLink": "/3"}))
    assert Following() == following(in_header, "https://h/2", answer([], next_page="https://h/2"))
    assert Following() == following(in_body, None, answer({"links": None}))


def test_a_relative_address_after_a_redirect() -> None:
    """It is relative to where the answer came from, and that same page again ends the list."""
    in_body = read_paging({"type": "body_url", "next": "body.next"})
    moved = "https://h/v2/items?filter=a"

    def came(link: str) -> OnwardResponse:
        return evolve(answer({"next": link}), url=moved)

    assert Following(position="https://h/v2/items?start=2") == following(in_body, None, came("?start=2"))
    assert Following(position="https://h/v2/more") == following(in_body, None, came("more"))
    assert Following() == following(in_body, None, came("items?filter=a"))
    assert Following() == following(in_body, None, came(REQUEST.url))


def test_past_the_end() -> None:
    """Where a page behind the last is an error, that error ends the list; on the first page it is one."""
    pagination = read_paging({"type": "page", "send": "query.page", "end_status": [400, 404]})

    assert Following(past_end=True) == following(pagination, 3, answer({"code": "bad_page"}, status=400))
    assert Following() == following(pagination, None, answer({"code": "bad_page"}, status=400))


@pytest.mark.parametrize("status", [301, 400, 401, 429, 500])
def test_a_failed_page_has_none_after_it(status: int) -> None:
    """An answer that isn't a page leads nowhere, whatever it holds."""
    assert Following() == following(CURSOR, "c", answer({"next": "c2"}, status=status))


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ({"type": "cursor", "send": "query.c", "next": "body.next"}, "body.next"),
        ({"type": "cursor", "send": "query.c", "next": "body.next", "more": "body.more"}, "body.more and body.next"),
        ({"type": "page", "send": "query.p", "total": "body.pages"}, "body.pages"),
        ({"type": "offset", "send": "query.o", "size": 5}, "the number of its items"),
        ({"type": "link"}, "its Link header, rel=next"),
        ({"type": "header_url", "next": "header.X-Next"}, "header.x-next"),
    ],
)
def test_what_tells_of_more_pages_has_a_name(declared: dict[str, Any], told: str) -> None:
    """Whoever tries a connector learns where the end of a list was read."""
    assert told == read_paging(declared).goes_by
