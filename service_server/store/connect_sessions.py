"""Connect sessions: one attempt of one user to connect one account, in one browser."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs
from attrs import frozen
from sqlalchemy import ColumnElement, Update, and_, insert, or_, select, update

from service_client.models import ConnectStatus
from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.tables import CONNECT_SESSIONS

Theme = Literal["light", "dark"]

_MOST_ASKED = 500
_MOST = 20  # sessions that are handled together
# A user who redeems at the last moment may still be about to keep the account, on a machine whose clock is behind.
_GRACE_SECONDS = 5.0


@frozen(kw_only=True)
class ConnectSessionRow:
    """A connect session as it is kept; hashes stand for values that only the browser holds."""

    id: str
    application_id: int
    user_id: str
    app_name: str
    reconnect_account_id: int | None = None
    redirect_url: str | None = None
    return_url: str | None = None
    locale: str | None = None
    theme: Theme | None = None
    accent: str | None = None
    functions: list[str] | None = None
    status: ConnectStatus = "pending"
    error: str | None = None
    connected_account_id: int | None = None
    page: str | None = None
    browser_hash: str | None = None
    state_hash: str | None = None
    sealed_progress: str | None = None
    code_hash: str | None = None
    sealed_outcome: str | None = None
    revoking_until: float | None = None
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
        """Keep a new session."""
        async with self._database.write() as connection:
            await connection.execute(insert(CONNECT_SESSIONS).values(attrs.asdict(session)))

    async def get(self, session_id: str) -> ConnectSessionRow | None:
        """A session by its id."""
        return await self._one(CONNECT_SESSIONS.c.id == session_id)

    async def ended_of(self, session_ids: Sequence[str]) -> list[str]:
        """Those of the sessions that have been ended or redeemed, or that are not there (any more)."""
        ended: list[str] = []
        async with self._database.read() as connection:
            for start in range(0, len(session_ids), _MOST_ASKED):
                some = session_ids[start : start + _MOST_ASKED]
                query = select(CONNECT_SESSIONS.c.id).where(
                    CONNECT_SESSIONS.c.id.in_(some), CONNECT_SESSIONS.c.status == "pending"
                )
                pending = set(await connection.scalars(query))
                ended += [each for each in some if each not in pending]
        return ended

    async def with_state(self, state_hash: str) -> ConnectSessionRow | None:
        """The session whose last OAuth2 `state` this is, as it is or, once it was taken, as it was marked."""
        return await self._one(CONNECT_SESSIONS.c.state_hash == state_hash)

    async def bind(self, session_id: str, browser_hash: str, expires_at: float) -> bool:
        """Bind a session, until then at most, to the first browser that opens it; False if another was first."""
        values = {"browser_hash": browser_hash, "expires_at": expires_at}
        return await self._change(session_id, CONNECT_SESSIONS.c.browser_hash.is_(None), values=values)

    async def show(self, session_id: str, page: str | None) -> bool:
        """Note the page that the browser shows now; False if the session is no longer pending."""
        return await self._change(session_id, values={"page": page})

    async def note_error(self, session_id: str, error: str | None) -> bool:
        """Keep what went wrong in an attempt that the user may repeat; False if the session is no longer pending."""
        return await self._change(session_id, values={"error": error})

    async def progress(self, session_id: str, state_hash: str, sealed_progress: str) -> bool:
        """Keep what the provider's answer to a `state` needs; False if the session is no longer pending."""
        values = {"state_hash": state_hash, "sealed_progress": sealed_progress, "code_hash": None}
        return await self._change(session_id, values=values)

    async def take_state(self, session_id: str, state_hash: str, mark: str) -> bool:
        """
        Use an OAuth2 `state` up; False if it was used before or the session has ended.

        By its `mark`, which opens nothing, the session is still found, and an error in it is one that came after this.
        """
        values = {"state_hash": mark, "error": None}
        return await self._change(session_id, CONNECT_SESSIONS.c.state_hash == state_hash, values=values)

    async def await_choice(self, session_id: str, sealed_progress: str) -> bool:
        """Keep what there is to choose; False if the session is no longer pending."""
        return await self._change(session_id, values={"sealed_progress": sealed_progress, "code_hash": None})

    async def await_redemption(
        self, session_id: str, code_hash: str, sealed_outcome: str, *, in_place_of: str | None = None
    ) -> bool:
        """
        Park the outcome until the page that started the session redeems it (redirect mode).

        With `in_place_of` only if that is still the hash of its code.
        """
        conditions = [] if in_place_of is None else [CONNECT_SESSIONS.c.code_hash == in_place_of]
        values = {"code_hash": code_hash, "sealed_outcome": sealed_outcome}
        return await self._change(session_id, *conditions, values=values)

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

    async def erase_progress(self) -> None:
        """Erase what expired sessions had kept for their next step."""
        statement = (
            update(CONNECT_SESSIONS)
            .where(CONNECT_SESSIONS.c.expires_at < now(), CONNECT_SESSIONS.c.sealed_progress.is_not(None))
            .values(sealed_progress=None)
        )
        async with self._database.write() as connection:
            await connection.execute(statement)

    async def unredeemed(self) -> list[ConnectSessionRow]:
        """Some of the sessions that ended or expired before their outcome was redeemed, and that nobody is revoking."""
        moment = now()
        query = select(CONNECT_SESSIONS).where(_unredeemed(moment)).order_by(CONNECT_SESSIONS.c.expires_at).limit(_MOST)
        async with self._database.read() as connection:
            return [ConnectSessionRow(**row._mapping) for row in await connection.execute(query)]

    async def claim_unredeemed(self, session_id: str, seconds: float) -> bool:
        """Become, for a while, the one who revokes what a session had gained; False if someone else is."""
        moment = now()
        statement = (
            update(CONNECT_SESSIONS)
            .where(CONNECT_SESSIONS.c.id == session_id, _unredeemed(moment))
            .values(revoking_until=moment + seconds)
        )
        async with self._database.write() as connection:
            return (await connection.execute(statement)).rowcount > 0

    async def erase_outcome(self, session_id: str) -> None:
        """Erase what an ended session had gained."""
        statement = (
            update(CONNECT_SESSIONS)
            .where(CONNECT_SESSIONS.c.id == session_id)
            .values(code_hash=None, sealed_outcome=None, revoking_until=None)
        )
        async with self._database.write() as connection:
            await connection.execute(statement)

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


def _unredeemed(moment: float) -> ColumnElement[bool]:
    return and_(
        CONNECT_SESSIONS.c.sealed_outcome.is_not(None),
        or_(CONNECT_SESSIONS.c.status != "pending", CONNECT_SESSIONS.c.expires_at < moment - _GRACE_SECONDS),
        or_(CONNECT_SESSIONS.c.revoking_until.is_(None), CONNECT_SESSIONS.c.revoking_until < moment),
    )


def pending(session_id: str) -> Update:
    """An update that affects only a session that is still pending and in time."""
    return update(CONNECT_SESSIONS).where(
        CONNECT_SESSIONS.c.id == session_id,
        CONNECT_SESSIONS.c.status == "pending",
        CONNECT_SESSIONS.c.expires_at > now(),
    )


def ended(status: ConnectStatus, *, connected_account_id: int | None, error: str | None) -> dict[str, Any]:
    """
    The values of a session that has ended: nothing secret stays behind. The `state` is none any more.

    The exception is an outcome that was not redeemed; it has to be revoked before it may be erased.
    """
    kept = {"sealed_outcome": None} if status == "connected" else {}
    return kept | {
        "status": status,
        "connected_account_id": connected_account_id,
        "error": error,
        "code_hash": None,
        "sealed_progress": None,
    }
