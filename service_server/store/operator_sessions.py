"""Who is signed in to the console, and in which browsers; the secret of a session is only in its browser's cookie."""

from attrs import asdict, field, frozen
from sqlalchemy import bindparam, delete, insert, select, update

from service_server.store.audit_events import Act, acting
from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import OPERATOR_SESSIONS


@frozen(kw_only=True)
class OperatorSession:
    """
    A session of an operator; `id` is the hash of its secret, and times are Unix seconds.

    `password_mark` tells which password it was opened with, so that a new one ends it; empty with OpenID Connect.
    """

    id: str
    operator: str
    password_mark: str = field(repr=False)
    browser: str
    address: str
    created_at: float
    seen_at: float
    expires_at: float


class OperatorSessions:
    """The sessions of all operators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, session: OperatorSession, act: Act, unseen_since: float) -> None:
        """Keep a new session; those that have ended, or were not seen since a moment, are forgotten."""
        over = (OPERATOR_SESSIONS.c.expires_at <= session.created_at) | (OPERATOR_SESSIONS.c.seen_at < unseen_since)
        async with acting(self._database, act) as done:
            await done.connection.execute(delete(OPERATOR_SESSIONS).where(over))
            await done.connection.execute(insert(OPERATOR_SESSIONS).values(asdict(session)))
            await done.note()

    async def get(self, session_id: str) -> OperatorSession | None:
        """A session, also one that is over."""
        rows = await self._database.fetch(_GET, {"session": session_id})
        return OperatorSession(**rows[0]) if rows else None

    async def seen(self, session_id: str, moment: float) -> None:
        """Note that a session was used."""
        statement = update(OPERATOR_SESSIONS).where(OPERATOR_SESSIONS.c.id == session_id).values(seen_at=moment)
        async with self._database.write() as connection:
            await connection.execute(statement)

    async def everyone(self, operator: str | None = None) -> list[OperatorSession]:
        """All sessions, or those of one operator, last seen first."""
        query = select(OPERATOR_SESSIONS).order_by(OPERATOR_SESSIONS.c.seen_at.desc(), OPERATOR_SESSIONS.c.id)
        if operator is not None:
            query = query.where(OPERATOR_SESSIONS.c.operator == operator)
        async with self._database.read() as connection:
            return [OperatorSession(**row._mapping) for row in await connection.execute(query)]

    async def end(self, operator: str, session_id: str | None, act: Act, *, but: str | None = None) -> int:
        """End a session of an operator, or all but one, in every process at once; returns how many there were."""
        ending = delete(OPERATOR_SESSIONS).where(OPERATOR_SESSIONS.c.operator == operator)
        if session_id is not None:
            ending = ending.where(OPERATOR_SESSIONS.c.id == session_id)
        if but is not None:
            ending = ending.where(OPERATOR_SESSIONS.c.id != but)
        async with acting(self._database, act) as done:
            count = (await done.connection.execute(ending)).rowcount
            if count:
                await done.note()
        return count


_GET = PreparedStatement(select(OPERATOR_SESSIONS).where(OPERATOR_SESSIONS.c.id == bindparam("session")))
