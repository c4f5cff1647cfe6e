"""The cursor of a list leads to its next page, and is good for one list of one user with the same filters."""

import pytest

from service_client.models import Code
from service_server.errors import ServiceError
from service_server.rest.cursors import Cursors
from service_server.vault import Vault, new_keys
from tests.service_server.rest.conftest import caller

VAULT = Vault(new_keys())
NAMES = [f"name-{number:03}" for number in range(7)]


def cursors(
    *filters: str | None, user_id: str = "ann", application_id: int = 1, endpoint: str = "/functions"
) -> Cursors:
    """What cuts a list into pages."""
    return Cursors(VAULT, caller(application_id, user_id), endpoint, *filters)


def test_pages_lead_through_everything_once() -> None:
    """Each page begins after the one before; the last one has no cursor, whether it is full or not."""
    for size in (3, 7, 8):
        found, cursor, pages = list[str](), "", 0
        while True:
            page, cursor = cursors().page(NAMES, cursor, size)
            found, pages = found + page, pages + 1
            assert len(page) <= size
            if not cursor:
                break

        assert (NAMES, -(-len(NAMES) // size)) == (found, pages)
    assert ([], "") == cursors().page([], None)
    page, cursor = cursors().page([f"{number:03}" for number in range(51)], None)
    assert (50, True) == (len(page), bool(cursor))  # as the reference says


def test_a_page_begins_after_a_name_that_has_gone() -> None:
    """What is added or removed between two pages moves nothing else: the place is a name, not a number."""
    _, cursor = cursors().page(NAMES, None, 3)
    changed = ["a-new-one", *NAMES[:2], *NAMES[3:]]

    assert NAMES[3:] == cursors().page(changed, cursor)[0]


def test_a_cursor_is_good_for_its_list_only() -> None:
    """Another user's, application's, endpoint's or filter's cursor is refused, and so is what was never one."""
    _, cursor = cursors("crm", None).page(NAMES, None, 3)
    sealed_for_something_else = VAULT.seal(NAMES[2], "credentials", 1, "ann", "/functions", "crm", "")

    assert NAMES[3:] == cursors("crm", None).page(NAMES, cursor)[0]
    assert NAMES[3:] == cursors("crm", "").page(NAMES, cursor)[0]
    for others, given in [
        (cursors("crm", None, user_id="bob"), cursor),
        (cursors("crm", None, application_id=2), cursor),
        (cursors("crm", None, endpoint="/apps"), cursor),
        (cursors("crm", "query"), cursor),
        (cursors(None, "crm"), cursor),
        (cursors("crm"), cursor),
        (cursors("crm", None), sealed_for_something_else),
        (cursors("crm", None), "x"),
    ]:
        with pytest.raises(ServiceError) as caught:
            others.page(NAMES, given)

        assert (400, Code.BAD_CURSOR) == (caught.value.status, caught.value.code)
        assert "cursor" == caught.value.details[0].field
