"""Wakes those who wait for a connect session to end."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence

import structlog

from service_server.events import Seldom
from service_server.store import DatabaseAway

# How late this process sees the end of a session that nobody announced to it.
POLL_SECONDS = 1.0
_SELDOM_SECONDS = 60.0

_LOG = structlog.get_logger(__name__)


EndedOf = Callable[[Sequence[str]], Awaitable[Sequence[str]]]


class Changes:
    """
    Announcements by this process, and by others if the database carries them (a `Listener` of the store).

    While all of them are heard, nobody looks. But not every database carries them, and a connection may be lost. As
    long as they aren't heard and anybody waits, `ended_of` is asked once a second which of the sessions waited for have
    ended. Once they are heard again, one more look finds what was missed.
    """

    def __init__(self, poll_seconds: float = POLL_SECONDS) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._poll_seconds = poll_seconds
        self._ended_of: EndedOf | None = None
        self._looking: asyncio.Task[None] | None = None
        self._hears = False
        self._has_missed = asyncio.Event()  # or may have
        self._seldom = Seldom(_SELDOM_SECONDS)

    def look_at(self, ended_of: EndedOf) -> None:
        """Take the function that says which of the sessions waited for have ended."""
        self._ended_of = ended_of

    def hears_all(self) -> None:
        """From now on, the ends of sessions that other processes announce are heard."""
        self._hears = True
        self._has_missed.set()
        self._look_if_needed()

    def heard(self, announcement: str) -> None:
        """A process has announced that the session with this id has ended."""
        self.announce(announcement)

    def hears_nothing(self) -> None:
        """What other processes announce is no longer heard."""
        self._hears = False
        self._look_if_needed()

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
        """Yield an event that is set once the session is announced; start watching before you look at the session."""
        waiter = asyncio.Event()
        self._waiting.setdefault(session_id, set()).add(waiter)
        self._look_if_needed()
        try:
            yield waiter
        finally:
            waiters = self._waiting[session_id]
            waiters.discard(waiter)
            if not waiters:
                del self._waiting[session_id]

    def _look_if_needed(self) -> None:
        if not self._waiting:
            self._has_missed.clear()  # whoever comes next looks first
        elif self._looking is None and self._ended_of is not None and self._needs_looks():
            self._looking = asyncio.create_task(self._look(self._ended_of), name="connect sessions that are waited for")

    def _needs_looks(self) -> bool:
        return self._has_missed.is_set() or not self._hears

    async def _look(self, ended_of: EndedOf) -> None:
        """Look from time to time until nobody waits any more or everything is heard."""
        try:
            while self._waiting and self._needs_looks():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._has_missed.wait(), self._poll_seconds)
                self._has_missed.clear()
                try:
                    for session_id in await ended_of(list(self._waiting)):
                        self.announce(session_id)
                except DatabaseAway as away:
                    if self._seldom.is_due():
                        _LOG.warning("connect.sessions_not_read", reason=str(away))
                    await asyncio.sleep(self._poll_seconds)
                    self._has_missed.set()
        finally:
            self._looking = None
