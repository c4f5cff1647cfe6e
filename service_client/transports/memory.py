"""Requests that go nowhere: a handler answers them. For tests."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from service_client.plans import HttpRequest, Response


class MemoryTransport:
    """Answers blocking requests with a handler; `requests` and `waits` (seconds) tell what was done."""

    def __init__(self, handler: Callable[[HttpRequest], Response]) -> None:
        self._handler = handler
        self.requests: list[HttpRequest] = []
        self.waits: list[float] = []

    def send(self, request: HttpRequest, /) -> Response:
        """Answer with the handler; an error that it raises is raised here."""
        self.requests.append(request)
        return self._handler(request)

    def sleep(self, seconds: float, /) -> None:
        """Note the seconds, and go on at once."""
        self.waits.append(seconds)

    def now(self) -> float:
        """Return the time in seconds: only waits advance it."""
        return sum(self.waits)

    def close(self) -> None:
        """Do nothing."""


class AsyncMemoryTransport:
    """Answers awaited requests with a handler, which may be a coroutine function."""

    def __init__(self, handler: Callable[[HttpRequest], Response | Awaitable[Response]]) -> None:
        self._handler = handler
        self.requests: list[HttpRequest] = []
        self.waits: list[float] = []

    async def send(self, request: HttpRequest, /) -> Response:
        """Answer with the handler; an error that it raises is raised here."""
        self.requests.append(request)
        answer = self._handler(request)
        return await answer if inspect.isawaitable(answer) else answer

    async def sleep(self, seconds: float, /) -> None:
        """Note the seconds, and go on as soon as other tasks have had their turn."""
        self.waits.append(seconds)
        await asyncio.sleep(0)

    def now(self) -> float:
        """Return the time in seconds: only waits advance it."""
        return sum(self.waits)

    async def aclose(self) -> None:
        """Do nothing."""
