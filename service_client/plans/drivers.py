"""The two drivers: they carry out plans, one blocking, one awaiting."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from attrs import frozen

from service_client.errors import ServiceClientError
from service_client.plans.exchange import Settings, exchange
from service_client.plans.lifetime import Lifetime
from service_client.plans.pages import AsyncPage, AsyncPages, Page
from service_client.plans.values import (
    AskTime,
    AskToken,
    Effect,
    HttpRequest,
    ItemsAt,
    PatientPlan,
    Request,
    Response,
    Wait,
)

T = TypeVar("T")

_LOG = logging.getLogger("service_client")


class Transport(Protocol):
    """What a blocking client needs from its environment; without an answer `send` raises `ServiceUnreachableError`."""

    def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer, whatever its status; redirects are not followed."""
        ...

    def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        ...

    def now(self) -> float:
        """Return the time in seconds since some moment; it never goes back."""
        ...

    def close(self) -> None:
        """Release what the transport holds."""
        ...


class AsyncTransport(Protocol):
    """What an awaiting client needs from its environment; without an answer `send` raises `ServiceUnreachableError`."""

    async def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer, whatever its status; redirects are not followed."""
        ...

    async def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        ...

    def now(self) -> float:
        """Return the time in seconds since some moment; it never goes back."""
        ...

    async def aclose(self) -> None:
        """Release what the transport holds."""
        ...


@frozen
class Session:
    """Carries out plans, blocking; `ask_token` returns the session token, replacing the rejected one it is given."""

    settings: Settings
    transport: Transport
    ask_token: Callable[[str | None], str | None]
    lifetime: Lifetime

    def run(self, plan: PatientPlan[T]) -> T:
        """Carry out a plan and return its result."""
        resume: Callable[[], Request | Wait | AskTime] = partial(next, plan)
        while True:
            try:
                step = resume()
            except StopIteration as stop:
                result: T = stop.value
                return result
            resume = partial(plan.send, self._exchange(step) if isinstance(step, Request) else self._perform(step))

    def page(self, items_at: ItemsAt[T], cursor: str) -> Page[T]:
        """Return the page at a cursor."""
        items = self.run(items_at(cursor))
        return Page(
            data=items.items,
            cursor=items.cursor,
            request_id=items.request_id,
            asked=cursor,
            turn_to=partial(self.page, items_at),
        )

    def iterate(self, items_at: ItemsAt[T], cursor: str) -> Iterator[T]:
        """Yield the items of all pages from a cursor on, asking for each page when it is reached."""
        yield from self.page(items_at, cursor)

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
                _log_failure(effect, error)
                resume = partial(steps.throw, error)

    def _perform(self, effect: Effect) -> Any:
        self.lifetime.check()
        match effect:
            case HttpRequest():
                response = self.transport.send(effect)
                _log_answer(effect, response)
                return response
            case Wait(seconds):
                _log_wait(seconds)
                return self.transport.sleep(seconds)
            case AskToken(rejected):
                return self.ask_token(rejected)
            case AskTime():
                return self.transport.now()


@frozen
class AsyncSession:
    """Carries out plans, awaiting; `ask_token` returns the session token, replacing the rejected one it is given."""

    settings: Settings
    transport: AsyncTransport
    ask_token: Callable[[str | None], Awaitable[str | None]]
    lifetime: Lifetime

    async def run(self, plan: PatientPlan[T]) -> T:
        """Carry out a plan and return its result."""
        resume: Callable[[], Request | Wait | AskTime] = partial(next, plan)
        while True:
            try:
                step = resume()
            except StopIteration as stop:
                result: T = stop.value
                return result
            awaited = self._exchange(step) if isinstance(step, Request) else self._perform(step)
            resume = partial(plan.send, await awaited)

    async def page(self, items_at: ItemsAt[T], cursor: str) -> AsyncPage[T]:
        """Return the page at a cursor."""
        items = await self.run(items_at(cursor))
        return AsyncPage(
            data=items.items,
            cursor=items.cursor,
            request_id=items.request_id,
            asked=cursor,
            turn_to=partial(self.page, items_at),
        )

    def pages(self, items_at: ItemsAt[T], cursor: str) -> AsyncPages[T]:
        """Return the list from a cursor on, not yet fetched."""
        return AsyncPages(partial(self.page, items_at, cursor))

    async def iterate(self, items_at: ItemsAt[T], cursor: str) -> AsyncIterator[T]:
        """Yield the items of all pages from a cursor on, asking for each page when it is reached."""
        async for item in self.pages(items_at, cursor):
            yield item

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
                _log_failure(effect, error)
                resume = partial(steps.throw, error)

    async def _perform(self, effect: Effect) -> Any:
        self.lifetime.check()
        match effect:
            case HttpRequest():
                response = await self.transport.send(effect)
                _log_answer(effect, response)
                return response
            case Wait(seconds):
                _log_wait(seconds)
                return await self.transport.sleep(seconds)
            case AskToken(rejected):
                return await self.ask_token(rejected)
            case AskTime():
                return self.transport.now()


def _log_answer(request: HttpRequest, response: Response) -> None:
    _LOG.debug("%s %s: HTTP %d%s", request.method, _place(request), response.status, _request_note(response))


def _log_failure(effect: Effect, error: ServiceClientError) -> None:
    if isinstance(effect, HttpRequest):
        _LOG.debug("%s %s: %s", effect.method, _place(effect), type(error).__name__)


def _log_wait(seconds: float) -> None:
    _LOG.debug("waiting %.1f seconds before the next request", seconds)


def _place(request: HttpRequest) -> str:
    """Return the address without the query, which can contain prompts."""
    return urlsplit(request.url)._replace(query="").geturl()


def _request_note(response: Response) -> str:
    return f", request {response.request_id}" if response.request_id else ""
