"""Wakes those who wait for a connect session to end."""

import asyncio


class Changes:
    """
    Announcements of this process, and of others where the database carries them.

    Not every database does, and a connection may be lost meanwhile: whoever waits must also look from time to time.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}

    def announce(self, session_id: str) -> None:
        """Wake everyone who waits for this session."""
        for waiter in self._waiting.get(session_id, ()):
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self, session_id: str, seconds: float) -> None:
        """Return when the session is announced, or after so many seconds."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(session_id, set()).add(waiter)
        try:
            await asyncio.wait([waiter], timeout=seconds)
        finally:
            waiter.cancel()
            waiters = self._waiting[session_id]
            waiters.discard(waiter)
            if not waiters:
                del self._waiting[session_id]
