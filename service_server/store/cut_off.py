"""
Ends, in a database restored from a backup, what was under way when the backup was taken.

The service went on after the backup, and nobody here knows what it did then. After a crash, a call that is not in the
log was not sent; that is not so here.
"""

from attrs import frozen
from sqlalchemy import delete, or_, update

from service_server.store.call_filter import CallOutcome
from service_server.store.connect_sessions import ended
from service_server.store.database import Database
from service_server.store.tables import ACCOUNTS, CALLS, CONNECT_SESSIONS, IDEMPOTENCY, PROCESSES

_UNKNOWN: CallOutcome = "unknown"


@frozen
class CutOff:
    """How many calls have an unknown outcome now, and how many idempotency keys, refreshes and sessions were open."""

    calls: int
    idempotency_keys: int
    refreshes: int
    connect_sessions: int


async def end_what_was_under_way(database: Database) -> CutOff:
    """
    End it all in one transaction, before anything uses the database.

    A key whose call was not in the log yet stays taken for its 24 hours: after a crash it would be free, but here the
    call may have been sent after the backup. What a connect session had gained is erased and never revoked, since the
    service may have kept that very account after the backup.
    """
    async with database.write() as connection:
        calls = await connection.execute(
            update(CALLS).where(CALLS.c.outcome == "started").values(outcome=_UNKNOWN, process_id=None)
        )
        await connection.execute(update(CALLS).where(CALLS.c.process_id.is_not(None)).values(process_id=None))
        keys = await connection.execute(
            update(IDEMPOTENCY).where(IDEMPOTENCY.c.process_id.is_not(None)).values(process_id=None)
        )
        refreshes = await connection.execute(
            update(ACCOUNTS)
            .where(ACCOUNTS.c.lease_owner.is_not(None))
            .values(lease_owner=None, lease_until=None, refresh_interrupted=True)
        )
        sessions = await connection.execute(
            update(CONNECT_SESSIONS)
            .where(or_(CONNECT_SESSIONS.c.status == "pending", CONNECT_SESSIONS.c.sealed_outcome.is_not(None)))
            .values(**ended("expired", connected_account_id=None, error=None) | {"sealed_outcome": None})
        )
        await connection.execute(delete(PROCESSES))
    return CutOff(calls.rowcount, keys.rowcount, refreshes.rowcount, sessions.rowcount)
