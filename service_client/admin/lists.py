"""What all lists of the admin API have in common: a page with a cursor."""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from service_client.plans import Items, ItemsAt, Plan, Request, read

Item = TypeVar("Item", covariant=True)
Query = Mapping[str, str | float | bool | None]


class _PageOf(Protocol[Item]):
    """A page as the service tells it."""

    @property
    def data(self) -> tuple[Item, ...]: ...
    @property
    def cursor(self) -> str: ...


def pages(
    path: tuple[str, ...], page: type[_PageOf[Item]], query: Query, cursor: str, timeout: float | None
) -> tuple[str, ItemsAt[Item]]:
    """What a `listed` method returns: its first cursor, and the plan of the page at any other."""

    def items_at(cursor: str) -> Plan[Items[Item]]:
        asked = {**query, "cursor": cursor or None}
        response = yield Request("GET", ("admin", *path), query=asked, timeout=timeout)
        found = read(response, page)
        return Items(found.data, found.cursor, response.request_id)

    return cursor, items_at


def given(**fields: object) -> dict[str, object]:
    """The fields of a body that were given."""
    return {name: value for name, value in fields.items() if value is not None}
