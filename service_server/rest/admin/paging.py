"""Pages of the admin API's lists: the cursor is opaque, and good only for the same list with the same filters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar

from attrs import frozen
from litestar.params import QueryParameter

from service_server.rest.cursors import opened
from service_server.vault import Vault

Item = TypeVar("Item")

PAGE_SIZE = 50
MOST_ITEMS = 200
_PURPOSE = "admin cursor"

GivenLimit: TypeAlias = Annotated[int | None, QueryParameter(ge=1, le=MOST_ITEMS)]
GivenFilter: TypeAlias = Annotated[str | None, QueryParameter(max_length=256)]
GivenApplication: TypeAlias = Annotated[int | None, QueryParameter(ge=1, le=2**53 - 1)]


@frozen
class Paging:
    """Turns the place where a page ends into a cursor and back; `filters` belong to the cursor."""

    vault: Vault
    list_name: str
    filters: tuple[Any, ...] = ()

    def after(self, cursor: str | None) -> Any:
        """The place at which a cursor goes on, None without one; raises 400 for one of another list."""
        return opened(self.vault, cursor, _PURPOSE, *self._owner) if cursor else None

    def cursor(self, place: Any) -> str:
        """The cursor of the page that follows a place; empty for None, after which nothing follows."""
        return "" if place is None else self.vault.seal(place, _PURPOSE, *self._owner)

    def page(
        self, items: Iterable[Item], key: Callable[[Item], Any], cursor: str | None, limit: int | None
    ) -> tuple[Sequence[Item], str]:
        """One page of a list that is in memory, in the order of a key that none of them shares, and its cursor."""
        place = self.after(cursor)
        following = [each for each in sorted(items, key=key) if place is None or key(each) > place]
        shown = following[: limit or PAGE_SIZE]
        return shown, self.cursor(key(shown[-1]) if len(following) > len(shown) else None)

    def newest(
        self, found: Sequence[Item], key: Callable[[Item], Any], limit: int | None
    ) -> tuple[Sequence[Item], str]:
        """The same of items that were asked for newest first, with one more than the page has."""
        shown = found[: limit or PAGE_SIZE]
        return shown, self.cursor(key(shown[-1]) if len(found) > len(shown) else None)

    @property
    def _owner(self) -> tuple[str, ...]:
        return (self.list_name, *("" if each is None else str(each) for each in self.filters))
