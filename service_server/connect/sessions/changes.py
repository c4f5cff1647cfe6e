"""Wakes those who wait for a connect session to end."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence

import structlog

from service_server.store import DatabaseAway

# How late the end of a session is seen that was not announced to this process.
POLL_SECONDS = 1.0

_LOG = structlog.get_logger(__name__)


EndedOf = Callable[[Sequence[str]], Awaitable[Sequence[str]]]


class Changes:
    """
    Announcements of this process, and of others where the database carries them.

    Not every database does, and a connection may be lost meanwhile: so as long as anybody waits, one look a second
    asks `ended_of` for all of them which sessions have ended.
    """

    def __init__(self, poll_seconds: float = POLL_SECONDS) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._poll_seconds = poll_seconds
        self._ended_of: EndedOf | None = None
        self._looking: asyncio.Task[None] | None = None

    def look_at(self, ended_of: EndedOf) -> None:
        """Ask this which of the sessions that somebody waits for have ended."""
        self._ended_of = ended_of

    def announce(self, session_id: str) -> None:
        """Wake everyone who waits for this session."""
        for waiter in self._waiting.get(session_id, ()):
            waiter.set()

    def announce_all(self) -> None:
        """Wake everyone."""
        for session_id in self._waiting:
            self.announce(session_id)

    @contextlib.contextmanager
    def watching(self, session_id: str) -> Iterator[asyncio.Event]:
        """An event that is set when the session is announced from now on: watch it before you look at the session."""
        waiter = asyncio.Event()
        self._waiting.setdefault(session_id, set()).add(waiter)
        if self._looking is None and self._ended_of is not None:
            self._looking = asyncio.create_task(self._look(self._ended_of), name="connect sessions that are waited for")
        try:
            yield waiter
        finally:
            waiters = self._waiting[session_id]
            waiters.discard(waiter)
            if not waiters:
                del self._waiting[session_id]

    async def _look(self, ended_of: EndedOf) -> None:
        """Look from time to time until nobody waits any more."""
        try:
            while True:
                await asyncio.sleep(self._poll_seconds)
                if not self._waiting:
                    return
                try:
                    for session_id in await ended_of(list(self._waiting)):
                        self.announce(session_id)
                except DatabaseAway as away:
                    _LOG.warning("waiting connect sessions could not be looked at", reason=str(away))
        finally:
            self._looking = None
