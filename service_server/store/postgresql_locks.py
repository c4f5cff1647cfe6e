"""Who holds what others wait for on PostgreSQL."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

import asyncpg
import structlog
from attrs import frozen
from sqlalchemy.exc import DBAPIError

from service_server.store.failures import DatabaseBusy

_LOOK_SECONDS = 0.5
_SESSIONS = """
    SELECT pid, application_name AS program, usename AS "user", host(client_addr) AS address, state,
           to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
    FROM pg_stat_activity WHERE pid = ANY({pids}) ORDER BY pid
"""
_HOLDERS = """
    ARRAY(SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
"""

_LOG = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Session:
    """A session of the server, as far as this user may see it; `since` is when its transaction began."""

    pid: int
    program: str | None
    user: str | None
    address: str | None
    state: str | None
    since: str | None

    def __str__(self) -> str:
        """As a message describes it."""
        told = [
            self.program or "",
            f"user {self.user}" if self.user else "",
            f"from {self.address}" if self.address else "",
            f"{self.state} since {self.since}" if self.state and self.since else self.state or "",
        ]
        return f"process {self.pid} of the server ({', '.join(each for each in told if each)})"


def told(sessions: Sequence[Session]) -> str:
    """Who holds what is needed, and how to end that; once it is over, the server no longer knows who it was."""
    if not sessions:
        return "another session held a lock that is needed"
    ending = " or ".join(f"SELECT pg_terminate_backend({session.pid})" for session in sessions)
    return f"a lock that is needed is held by {' and '.join(map(str, sessions))}, which {ending} would end"


async def holders(connection: asyncpg.Connection, name: str) -> list[Session]:
    """The sessions that hold the advisory lock of a name."""
    return [Session(**row) for row in await connection.fetch(_SESSIONS.format(pids=_HOLDERS), name)]


@contextlib.asynccontextmanager
async def telling_blockers(connection: asyncpg.Connection, process: int) -> AsyncIterator[None]:
    """Log whom a process of the server waits for meanwhile; if it waits in vain, DatabaseBusy says for whom."""
    latest: list[Session] = []

    async def look() -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            found = await connection.fetch(_SESSIONS.format(pids="pg_blocking_pids($1)"), process)
            sessions = [Session(**row) for row in found]
            if sessions and sessions != latest:
                _LOG.warning("schema.waits_for_lock", held_by=[str(each) for each in sessions])
            if sessions:
                latest[:] = sessions

    looking = asyncio.create_task(look(), name="who holds what the schema waits for")
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == "55P03":
            raise DatabaseBusy(told(latest)) from None
        raise
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
