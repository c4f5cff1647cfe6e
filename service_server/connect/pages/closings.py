"""Ends the sessions whose page was closed, once it is clear that it was not reloaded."""

import asyncio

from service_client.models import ConnectStatus
from service_server.connect.sessions.parts import ConnectParts, about_session
from service_server.events import tell

# A reload looks like closing; a page that follows within this time shows that it was a reload.
CLOSING_GRACE_SECONDS = 2.0


class Closings:
    """The pages closed a moment ago; one object per process."""

    def __init__(self, parts: ConnectParts, grace_seconds: float) -> None:
        self._vault = parts.vault
        self._sessions = parts.sessions
        self._changes = parts.changes
        self._grace_seconds = grace_seconds
        self._waiting: set[asyncio.Task[None]] = set()

    def begin(self, session_id: str, page: str) -> None:
        """End a session after the moment of grace if this page is still the last one shown by then."""
        closing = asyncio.create_task(self._close(session_id, page), name="connect page closed")
        self._waiting.add(closing)
        closing.add_done_callback(self._waiting.discard)

    async def _close(self, session_id: str, page: str) -> None:
        await asyncio.sleep(self._grace_seconds)
        session = await self._sessions.get(session_id)
        if session is None:
            return
        status: ConnectStatus = "cancelled" if session.error is None else "failed"
        if await self._sessions.finish(session_id, status, error=session.error, page=page):
            if status == "cancelled":
                tell("connect.cancelled", **about_session(self._vault, session))
            self._changes.announce(session_id)
