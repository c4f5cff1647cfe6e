"""The requests under way: what becomes of them, and of new ones, when the service goes down."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from service_server.errors import going_down
from service_server.rest.wire import send_failure

LAST_WORDS_SECONDS = 0.5
"""How long handlers that know what to say, and then those that are cut off, have to say it."""

IS_CLOSING = "is_closing"
"""In the scope's state: what tells whether the service goes down, to a handler that has more to begin."""


class UnderWay:
    """Hands requests on to an application, until it is told that the service goes down."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._application = application
        self._closing = False
        self._limits: set[asyncio.Timeout] = set()
        self._none_left = asyncio.Event()
        self._none_left.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request; with 503 once the service goes down."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        if self._closing:
            await _refuse(scope, send)
            return
        scope["state"][IS_CLOSING] = self.is_closing
        has_started = False

        async def noting(message: Any) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        limit = asyncio.timeout(None)
        try:
            async with limit:
                self._limits.add(limit)
                self._none_left.clear()
                await self._application(scope, receive, noting)
        except TimeoutError:
            if not limit.expired():
                raise
            if not has_started:
                await _refuse(scope, send)
        finally:
            self._limits.discard(limit)
            if not self._limits:
                self._none_left.set()

    def is_closing(self) -> bool:
        """Whether nothing more is taken."""
        return self._closing

    def refuse_new(self) -> None:
        """Take nothing more."""
        self._closing = True

    async def answered(self) -> None:
        """Wait until every request is answered."""
        await self._none_left.wait()

    async def cut_off(self) -> None:
        """Have all requests answered now, in the words of their handlers or else in ours."""
        await self._wait_a_moment()
        now = asyncio.get_running_loop().time()
        for limit in self._limits:
            limit.reschedule(now)
        await self._wait_a_moment()

    async def _wait_a_moment(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await self._none_left.wait()


async def _refuse(scope: Any, send: Any) -> None:
    refusal = going_down()
    refusal.headers["Connection"] = "close"  # the next one may reach another process
    await send_failure(send, refusal, scope["state"]["request_id"])
