"""The two drivers: they carry out plans, one blocking, one awaiting."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar

from attrs import frozen

from service_client.errors import MalformedAnswer, ServiceClientError
from service_client.plans.exchange import Settings, exchange
from service_client.plans.values import AskToken, Effect, HttpRequest, Page, PageOf, Plan, Request, Response, Wait

T = TypeVar("T")


class Transport(Protocol):
    """What a blocking client needs of its surroundings; `send` raises `ServiceUnreachable` when no answer comes."""

    def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer, whatever its status; redirects are not followed."""
        ...

    def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        ...

    def close(self) -> None:
        """Give back what the transport holds."""
        ...


class AsyncTransport(Protocol):
    """What an awaiting client needs of its surroundings; `send` raises `ServiceUnreachable` when no answer comes."""

    async def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer, whatever its status; redirects are not followed."""
        ...

    async def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        ...

    async def aclose(self) -> None:
        """Give back what the transport holds."""
        ...


@frozen
class Session:
    """Carries out plans, blocking; `ask_token` returns the session token, replacing the rejected one it is given."""

    settings: Settings
    transport: Transport
    ask_token: Callable[[str | None], str | None]

    def run(self, plan: Plan[T]) -> T:
        """Return what a plan comes to."""
        resume: Callable[[], Request] = partial(next, plan)
        while True:
            try:
                request = resume()
            except StopIteration as stop:
                result: T = stop.value
                return result
            resume = partial(plan.send, self._exchange(request))

    def iterate(self, page_of: PageOf[T], cursor: str) -> Iterator[T]:
        """Yield the items of all pages from a cursor on, asking for each page when it is reached."""
        while True:
            page = self.run(page_of(cursor))
            yield from page.items
            if not page.cursor:
                return
            cursor = _next_cursor(cursor, page)

    def _exchange(self, request: Request) -> Response:
        steps = exchange(request, self.settings)
        resume: Callable[[], Effect] = partial(next, steps)
        while True:
            try:
                effect = resume()
            except StopIteration as stop:
                response: Response = stop.value
                return response
            try:
                resume = partial(steps.send, self._perform(effect))
            except ServiceClientError as error:
                resume = partial(steps.throw, error)

    def _perform(self, effect: Effect) -> Any:
        match effect:
            case HttpRequest():
                return self.transport.send(effect)
            case Wait(seconds):
                return self.transport.sleep(seconds)
            case AskToken(rejected):
                return self.ask_token(rejected)


@frozen
class AsyncSession:
    """Carries out plans, awaiting; `ask_token` returns the session token, replacing the rejected one it is given."""

    settings: Settings
    transport: AsyncTransport
    ask_token: Callable[[str | None], Awaitable[str | None]]

    async def run(self, plan: Plan[T]) -> T:
        """Return what a plan comes to."""
        resume: Callable[[], Request] = partial(next, plan)
        while True:
            try:
                request = resume()
            except StopIteration as stop:
                result: T = stop.value
                return result
            resume = partial(plan.send, await self._exchange(request))

    async def iterate(self, page_of: PageOf[T], cursor: str) -> AsyncIterator[T]:
        """Yield the items of all pages from a cursor on, asking for each page when it is reached."""
        while True:
            page = await self.run(page_of(cursor))
            for item in page.items:
                yield item
            if not page.cursor:
                return
            cursor = _next_cursor(cursor, page)

    async def _exchange(self, request: Request) -> Response:
        steps = exchange(request, self.settings)
        resume: Callable[[], Effect] = partial(next, steps)
        while True:
            try:
                effect = resume()
            except StopIteration as stop:
                response: Response = stop.value
                return response
            try:
                resume = partial(steps.send, await self._perform(effect))
            except ServiceClientError as error:
                resume = partial(steps.throw, error)

    async def _perform(self, effect: Effect) -> Any:
        match effect:
            case HttpRequest():
                return await self.transport.send(effect)
            case Wait(seconds):
                return await self.transport.sleep(seconds)
            case AskToken(rejected):
                return await self.ask_token(rejected)


def _next_cursor(cursor: str, page: Page[Any]) -> str:
    if page.cursor == cursor:
        raise MalformedAnswer("A page names itself as the next one; following it would never end.", 200)
    return page.cursor
