"""The `cursor` of list endpoints: opaque, and good only for the same user, endpoint and filters."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from service_client.models import Code
from service_server.errors import refused
from service_server.rest.caller import Caller
from service_server.vault import Unsealable, Vault

PAGE_SIZE = 50


class Cursors:
    """Cuts sorted names into pages; a page begins after the name its cursor holds, whatever was added or removed."""

    def __init__(self, vault: Vault, caller: Caller, endpoint: str, *filters: str | None) -> None:
        self._vault = vault
        self._owner: tuple[str | int, ...] = (
            caller.application.id,
            caller.user_id,
            endpoint,
            *(each or "" for each in filters),
        )

    def page(self, names: Sequence[str], cursor: str | None, size: int = PAGE_SIZE) -> tuple[list[str], str]:
        """The names of one page, `size` at most, and the cursor of the next (empty on the last page)."""
        after: str = opened(self._vault, cursor, "cursor", *self._owner) if cursor else ""
        first = bisect_right(names, after)
        page = list(names[first : first + size])
        more = first + size < len(names)
        return page, self._vault.seal(page[-1], "cursor", *self._owner) if more else ""


def opened(vault: Vault, cursor: str, purpose: str, *owner: str | int) -> Any:
    """The place that a sealed cursor holds; raises 400 for one of another list, or with other filters."""
    try:
        return vault.open(cursor, purpose, *owner)
    except Unsealable:
        message = "The cursor is not one of this list with these filters."
        raise refused(Code.BAD_CURSOR, message, field="cursor") from None
