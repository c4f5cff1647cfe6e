"""Connect sessions: one attempt of one user to connect one account, in one browser."""

from typing import Any

import attrs
from attrs import frozen
from sqlalchemy import Update, delete, insert, select, update

from service_client.models import ConnectStatus
from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.tables import CONNECT_SESSIONS

KEPT_AFTER_EXPIRY_SECONDS = 24 * 3600


@frozen(kw_only=True)
class ConnectSessionRow:
    """A connect session as it is kept; hashes stand for values that only the browser holds."""

    id: str
    application_id: int
    user_id: str
    app_name: str
    reconnect_account_id: int | None = None
    redirect_url: str | None = None
    functions: list[str] | None = None
    status: ConnectStatus = "pending"
    error: str | None = None
    connected_account_id: int | None = None
    page: str | None = None
    browser_hash: str | None = None
    state_hash: str | None = None
    sealed_progress: str | None = None
    code_hash: str | None = None
    created_at: float
    expires_at: float

    @property
    def standing(self) -> ConnectStatus:
        """The status as of now: a pending session past its time has expired."""
        return "expired" if self.status == "pending" and self.expires_at <= now() else self.status


class ConnectSessions:
    """The connect sessions of all applications."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, session: ConnectSessionRow) -> None:
        """Keep a new session, erase what unfinished ones left behind, and forget those that ended long ago."""
        async with self._database.write(turn="old connect sessions") as connection:
            await connection.execute(
                update(CONNECT_SESSIONS)
                .where(CONNECT_SESSIONS.c.expires_at < now(), CONNECT_SESSIONS.c.sealed_progress.is_not(None))
                .values(state_hash=None, code_hash=None, sealed_progress=None)
            )
            await connection.execute(
                delete(CONNECT_SESSIONS).where(CONNECT_SESSIONS.c.expires_at < now() - KEPT_AFTER_EXPIRY_SECONDS)
            )
            await connection.execute(insert(CONNECT_SESSIONS).values(attrs.asdict(session)))

    async def get(self, session_id: str) -> ConnectSessionRow | None:
        """A session by its id."""
        return await self._one(CONNECT_SESSIONS.c.id == session_id)

    async def with_state(self, state_hash: str) -> ConnectSessionRow | None:
        """The session whose OAuth2 `state` is out."""
        return await self._one(CONNECT_SESSIONS.c.state_hash == state_hash)

    async def bind(self, session_id: str, browser_hash: str) -> bool:
        """Bind a session to the first browser that opens it; False if another browser was first."""
        return await self._change(
            session_id, CONNECT_SESSIONS.c.browser_hash.is_(None), values={"browser_hash": browser_hash}
        )

    async def show(self, session_id: str, page: str | None) -> bool:
        """Take note of the page that the browser shows now; False if the session is no longer pending."""
        return await self._change(session_id, values={"page": page})

    async def note_error(self, session_id: str, error: str | None) -> bool:
        """Keep what went wrong in an attempt that the user may repeat; False if the session is no longer pending."""
        return await self._change(session_id, values={"error": error})

    async def progress(self, session_id: str, state_hash: str | None, sealed_progress: str | None) -> bool:
        """Keep what the next step needs; False if the session is no longer pending."""
        values = {"state_hash": state_hash, "sealed_progress": sealed_progress, "code_hash": None}
        return await self._change(session_id, values=values)

    async def take_state(self, session_id: str, state_hash: str) -> bool:
        """Use an OAuth2 `state` up; False if it was used before or the session has ended."""
        return await self._change(session_id, CONNECT_SESSIONS.c.state_hash == state_hash, values={"state_hash": None})

    async def await_redemption(self, session_id: str, code_hash: str, sealed_outcome: str) -> bool:
        """Park the outcome until the page that started the session redeems it (redirect mode)."""
        return await self._change(session_id, values={"code_hash": code_hash, "sealed_progress": sealed_outcome})

    async def take_code(self, session_id: str, code_hash: str) -> bool:
        """Use a redemption code up; False if it is wrong, was used before or the session has ended."""
        return await self._change(session_id, CONNECT_SESSIONS.c.code_hash == code_hash, values={"code_hash": None})

    async def finish(
        self,
        session_id: str,
        status: ConnectStatus,
        *,
        connected_account_id: int | None = None,
        error: str | None = None,
        page: str | None = None,
    ) -> bool:
        """
        End a pending session; False if it had ended before (its first end stands).

        With `page` only if that is still the page that the browser shows.
        """
        conditions = [] if page is None else [CONNECT_SESSIONS.c.page == page]
        values = ended(status, connected_account_id=connected_account_id, error=error)
        return await self._change(session_id, *conditions, values=values, announce=True)

    async def _one(self, condition: Any) -> ConnectSessionRow | None:
        async with self._database.read() as connection:
            row = (await connection.execute(select(CONNECT_SESSIONS).where(condition))).first()
            return None if row is None else ConnectSessionRow(**row._mapping)

    async def _change(self, session_id: str, *conditions: Any, values: dict[str, Any], announce: bool = False) -> bool:
        """Change a session that is still pending and in time, if the conditions hold."""
        statement = pending(session_id).where(*conditions).values(values)
        async with self._database.write() as connection:
            changed = (await connection.execute(statement)).rowcount > 0
            if changed and announce:
                await self._database.announce(connection, session_id)
        return changed


def pending(session_id: str) -> Update:
    """An update that only meets a session that is still pending and in time."""
    return update(CONNECT_SESSIONS).where(
        CONNECT_SESSIONS.c.id == session_id,
        CONNECT_SESSIONS.c.status == "pending",
        CONNECT_SESSIONS.c.expires_at > now(),
    )


def ended(status: ConnectStatus, *, connected_account_id: int | None, error: str | None) -> dict[str, Any]:
    """The values of a session that has ended: nothing secret stays behind."""
    return {
        "status": status,
        "connected_account_id": connected_account_id,
        "error": error,
        "state_hash": None,
        "code_hash": None,
        "sealed_progress": None,
    }
