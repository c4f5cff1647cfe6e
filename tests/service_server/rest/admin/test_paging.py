"""Pages of the admin API's lists, of what is in memory and of what was asked for newest first."""

from typing import Any

import pytest

from service_client.models import Code
from service_server.errors import ServiceError
from service_server.rest.admin.paging import MOST_ITEMS, Paging
from service_server.vault import Vault, new_keys

VAULT = Vault(new_keys())
CALLS = Paging(VAULT, "calls", ("crm", None, 7))


def itself(item: Any) -> Any:
    """What tells an item from the others: the item."""
    return item


def test_pages_lead_through_what_is_in_memory_once_and_in_order() -> None:
    """Each page begins after the place where the one before ended; only the last has no cursor."""
    for limit, pages in ((3, 3), (7, 1), (8, 1)):
        found, cursor, seen = list[int](), "", 0
        while True:
            page, cursor = CALLS.page([4, 0, 6, 2, 5, 1, 3], itself, cursor, limit)
            found, seen = [*found, *page], seen + 1
            if not cursor:
                break

        assert (list(range(7)), pages) == (found, seen)


def test_the_order_is_that_of_the_key() -> None:
    """Items come by their keys, and the place where a page ends is a key, so that an item may go meanwhile."""
    page, cursor = CALLS.page(["a", "ccc", "bb"], len, None, 2)

    assert (["a", "bb"], ["ccc"]) == (page, CALLS.page(["ccc", "a"], len, cursor, 2)[0])


def test_newest_first_one_more_than_the_page_tells_that_another_follows() -> None:
    """Of what was asked for with one more than the page has, the page is shown, and its cursor holds the last of it."""
    page, cursor = CALLS.newest([9, 8, 7], itself, 2)

    assert ([9, 8], 8) == (page, CALLS.after(cursor))
    assert ([9, 8], "") == CALLS.newest([9, 8], itself, 2)
    assert ([], "") == CALLS.newest([], itself, 2)
    many = range(51)  # the sizes are those of the reference
    assert (50, 50, 200) == (
        len(CALLS.page(many, itself, "", None)[0]),
        len(CALLS.newest(many, itself, None)[0]),
        MOST_ITEMS,
    )


def test_a_cursor_leads_to_any_place() -> None:
    """Zero and an empty text are places, too; nothing follows after None, and without a cursor a list begins."""
    for place in (0, "", 8, ["2026", 3]):
        assert place == CALLS.after(CALLS.cursor(place))
    assert "" == CALLS.cursor(None)
    assert CALLS.after(None) is None
    assert CALLS.after("") is None


def test_a_cursor_is_good_for_its_list_with_its_filters_only() -> None:
    """Cursors of another list or other filters are refused, as is what was never one; no filter is an empty one."""
    cursor = CALLS.cursor(8)

    assert 8 == Paging(VAULT, "calls", ("crm", "", "7")).after(cursor)
    for others, given in [
        (Paging(VAULT, "audit", ("crm", None, 7)), cursor),
        (Paging(VAULT, "calls", ("crm", None, 8)), cursor),
        (Paging(VAULT, "calls", ("crm", 7, None)), cursor),
        (Paging(VAULT, "calls", ("crm", None)), cursor),
        (Paging(VAULT, "calls"), cursor),
        (Paging(Vault(new_keys()), "calls", ("crm", None, 7)), cursor),
        (CALLS, VAULT.seal(8, "cursor", "calls", "crm", "", "7")),
        (CALLS, "x"),
    ]:
        with pytest.raises(ServiceError) as caught:
            others.after(given)

        assert (400, Code.BAD_CURSOR, "cursor") == (
            caught.value.status,
            caught.value.code,
            caught.value.details[0].field,
        )
