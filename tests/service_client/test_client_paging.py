from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import service_client as sc
from service_client.testing import HttpRequest, MemoryTransport, Response
from tests.service_client.conftest import KNOWN, AwaitingDriver, BlockingDriver, Driver

PAGES = st.lists(st.lists(st.integers(), max_size=4), min_size=1, max_size=6)
DRIVERS = st.sampled_from([BlockingDriver(), AwaitingDriver()])


def app(number: int) -> dict[str, Any]:
    """Return an app as the service writes it."""
    return {"id": number, "name": f"app{number}", "title": "", "icon_url": "", "connected_accounts": []}


def cursor_of(pages: list[Any], index: int) -> str:
    """Return the cursor of the page after this one."""
    return f"c{index + 1}" if index + 1 < len(pages) else ""


@given(PAGES, DRIVERS)
def test_paging_yields_each_item_once_in_order(pages: list[list[int]], driver: Driver) -> None:
    """However the items are spread over pages, empty ones too, all come once and in order."""

    def handler(request: HttpRequest) -> Response:
        index = int(request.query.get("cursor", "c0")[1:])
        return Response.of_json({"apps": [app(number) for number in pages[index]], "cursor": cursor_of(pages, index)})

    transport = driver.memory(handler)
    found = driver.run("http://service.test", lambda c: c.apps.list(), **KNOWN, transport=transport)

    assert [number for page in pages for number in page] == [item.id for item in found]
    assert len(pages) == len(transport.requests)


@given(PAGES, DRIVERS, st.booleans())
def test_call_pages_follows_next_page_to_its_end(pages: list[list[int]], driver: Driver, reports_end: bool) -> None:
    """Each page's cursor goes back in the body with the arguments, and the last page ends it."""

    def handler(request: HttpRequest) -> Response:
        index = int(request.json.get("next_page", "c0")[1:])
        assert request.json["limit"] == 5
        answer: dict[str, Any] = {"network_code": "200", "output": pages[index]}
        next_page = cursor_of(pages, index)
        # A function that does not paginate says nothing; one that does ends with an empty cursor.
        return Response.of_json(answer | ({"next_page": next_page} if next_page or reports_end else {}))

    transport = driver.memory(handler)
    options = {**KNOWN, "transport": transport}
    results = driver.run("http://service.test", lambda c: c.functions.call_pages("a-b", {"limit": 5}), **options)
    items = driver.run("http://service.test", lambda c: c.functions.items("a-b", {"limit": 5}), **options)

    assert pages == [result.output for result in results]
    assert [item for page in pages for item in page] == items


def test_pages_are_asked_for_only_when_they_are_reached() -> None:
    """A list costs one request until its second page is reached, a call's pages none until the first is."""
    transport = MemoryTransport(lambda request: Response.of_json({"apps": [app(1)], "cursor": "more"}))
    client = sc.Client("http://service.test", **KNOWN, transport=transport)

    apps = client.apps.list()
    assert len(transport.requests) == 1
    next(iter(apps))
    assert len(transport.requests) == 1
    results = client.functions.call_pages("a-b")
    assert len(transport.requests) == 1
    assert isinstance(results, Iterator)


def test_call_pages_go_on_from_a_kept_cursor() -> None:
    """From a `next_page` among the arguments, which are left alone."""
    transport = MemoryTransport(lambda request: Response.of_json({"network_code": "200", "output": [request.json]}))
    client = sc.Client("http://service.test", **KNOWN, transport=transport)
    arguments = {"next_page": "c1", "a": 1}

    assert [{"next_page": "c1", "a": 1}] == list(client.functions.items("a-b", arguments))
    assert {"next_page": "c1", "a": 1} == arguments


def test_a_page_that_names_itself_as_the_next_ends_with_an_error(driver: Driver) -> None:
    """A cursor that does not move would be followed for ever."""
    transport = driver.memory(lambda request: Response.of_json({"apps": [], "cursor": "same"}))

    with pytest.raises(sc.MalformedAnswerError, match="never end"):
        driver.run("http://service.test", lambda c: c.apps.list(), **KNOWN, transport=transport)
    assert len(transport.requests) == 2


def test_a_failed_page_is_the_last(driver: Driver) -> None:
    """Among pages it is yielded and not followed further; where items were asked for it raises."""
    failed = {"network_code": "503", "output": {"error": "x"}, "next_page": "c1"}
    transport = driver.memory(lambda request: Response.of_json(failed))
    options = {**KNOWN, "transport": transport}

    assert [sc.ExecutedCall(**failed, function="a-b")] == driver.run(
        "http://service.test", lambda c: c.functions.call_pages("a-b"), **options
    )
    with pytest.raises(sc.OnwardCallError, match="503") as caught:
        driver.run("http://service.test", lambda c: c.functions.items("a-b"), **options)
    assert ("a-b", {"error": "x"}) == (caught.value.function, caught.value.result.output)


def test_items_of_something_that_is_no_list_are_refused(driver: Driver) -> None:
    """An output without items raises instead of yielding an object's keys or a text's letters."""
    transport = driver.memory(lambda request: Response.of_json({"network_code": "200", "output": {"a": 1}}))

    with pytest.raises(sc.MalformedAnswerError, match="not a list"):
        driver.run("http://service.test", lambda c: c.functions.items("a-b"), **KNOWN, transport=transport)
