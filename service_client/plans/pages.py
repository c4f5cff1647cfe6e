"""Pages of a list, as callers see them: each knows how to ask for the next."""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from service_client.errors import InvalidArgumentError, MalformedAnswerError

T = TypeVar("T")


@frozen(kw_only=True)
class Page(Generic[T]):
    """
    One page of a list. Iterating over it goes on through all later pages, asking for each when it is reached.

    `data` holds only this page's items. `cursor` is where the next page begins: keep it to pass to `list` later. It is
    empty on the last page.
    """

    data: tuple[T, ...]
    cursor: str
    request_id: str = ""
    _asked: str = field(alias="asked", repr=False, eq=False)
    _turn_to: "Callable[[str], Page[T]]" = field(alias="turn_to", repr=False, eq=False)

    def __iter__(self) -> Iterator[T]:
        for page in self.iter_pages():
            yield from page.data

    def auto_paging_iter(self) -> Iterator[T]:
        """Yield the items of this page and of all that follow: the same as iterating over the page."""
        return iter(self)

    def iter_pages(self) -> Iterator["Page[T]"]:
        """Yield this page and all that follow."""
        page = self
        yield page
        while page.has_next_page():
            page = page.get_next_page()
            yield page

    def has_next_page(self) -> bool:
        """Whether another page follows."""
        return bool(self.cursor)

    def get_next_page(self) -> "Page[T]":
        """Ask for the next page."""
        return self._turn_to(_next_cursor(self._asked, self.cursor))


@frozen(kw_only=True)
class AsyncPage(Generic[T]):
    """
    One page of a list. `async for` goes on through all later pages, asking for each when it is reached.

    `data` holds only this page's items. `cursor` is where the next page begins: keep it to pass to `list` later. It is
    empty on the last page.
    """

    data: tuple[T, ...]
    cursor: str
    request_id: str = ""
    _asked: str = field(alias="asked", repr=False, eq=False)
    _turn_to: "Callable[[str], Awaitable[AsyncPage[T]]]" = field(alias="turn_to", repr=False, eq=False)

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.iter_pages():
            for item in page.data:
                yield item

    def auto_paging_iter(self) -> AsyncIterator[T]:
        """Yield the items of this page and of all that follow: the same as `async for` over the page."""
        return aiter(self)

    async def iter_pages(self) -> AsyncIterator["AsyncPage[T]"]:
        """Yield this page and all that follow."""
        page = self
        yield page
        while page.has_next_page():
            page = await page.get_next_page()
            yield page

    def has_next_page(self) -> bool:
        """Whether another page follows."""
        return bool(self.cursor)

    async def get_next_page(self) -> "AsyncPage[T]":
        """Ask for the next page."""
        return await self._turn_to(_next_cursor(self._asked, self.cursor))


@frozen
class AsyncPages(Generic[T]):
    """
    A list that has not been fetched yet.

    `async for` goes through the items of all pages; awaiting it gives the first page.
    """

    _first: Callable[[], Awaitable[AsyncPage[T]]] = field(repr=False)

    def __await__(self) -> Generator[Any, Any, AsyncPage[T]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self:
            yield item

    def auto_paging_iter(self) -> AsyncIterator[T]:
        """Yield the items of all pages: the same as `async for` over the list."""
        return aiter(self)

    async def iter_pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Yield all pages."""
        async for page in (await self).iter_pages():
            yield page


def _next_cursor(asked: str, cursor: str) -> str:
    if not cursor:
        raise InvalidArgumentError("This is the last page: ask has_next_page() before get_next_page().")
    if cursor == asked:
        raise MalformedAnswerError("A page names itself as the next one; following it would never end.", 200)
    return cursor
