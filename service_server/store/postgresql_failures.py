"""What PostgreSQL and its driver raise, translated to the service's own failures."""

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service_server.store.failures import DatabaseAway, DatabaseBusy, RowRefused

FAILURES = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What the driver raises (the last where a server ends a session as it is asked), and what comes from the system."""

# By the classes of SQLSTATE: connections, transactions rolled back by others, resources, the operator, the system.
_AWAY_CLASSES = ("08", "28", "3D", "40", "53", "57", "58", "XX")
# A read-only server, a transaction left idle, rights or tables taken away, a process that was taken for dead.
_AWAY = ("25006", "25P03", "42501", "42P01", "23503")
_LOCK_NOT_GOT = "55P03"
_PASSING = ("08", "40", "57P01", "57P02", "57P03", "57P05")
# Values that do not fit, and constraints.
_REFUSED = ("22", "23")
_QUOTING = "invalid input for query argument"


def translated(error: Exception) -> Exception:
    """Translate by SQLSTATE; an error that is not about the database being away keeps its class but not its details."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        state = getattr(error.orig, "sqlstate", None)
        if state == _LOCK_NOT_GOT:
            return DatabaseBusy(reason(error.orig))
        if error.connection_invalidated or state is None or _is_away(state):
            return DatabaseAway(reason(error.orig), passing=error.connection_invalidated or _is_passing(state))
        # A DETAIL line quotes rows; errors go to the log, which must not hold what users sent and got.
        return type(error)(error.statement, None, Exception(reason(error.orig)), hide_parameters=True)
    if isinstance(error, PoolTimeout):
        return DatabaseAway("every connection is in use")
    if isinstance(error, FAILURES):
        return _translated_of_driver(error)
    return error


def reason(error: BaseException) -> str:
    """What the server, its driver or the system says, in its first line, which quotes no rows."""
    lines = str(error).splitlines()
    if not lines:
        return type(error).__name__
    # The driver says this before anything is sent; the value follows it.
    return lines[0].partition(":")[0] if lines[0].startswith(_QUOTING) else lines[0]


def _translated_of_driver(error: Exception) -> Exception:
    state = getattr(error, "sqlstate", None)
    if state is None:
        return DatabaseAway(reason(error), passing=True)
    if _is_away(state):
        return DatabaseAway(reason(error), passing=_is_passing(state))
    if state == _LOCK_NOT_GOT:
        return DatabaseBusy(reason(error))
    return RowRefused(reason(error)) if state.startswith(_REFUSED) else type(error)(reason(error))


def _is_away(state: str) -> bool:
    return state.startswith(_AWAY_CLASSES) or state in _AWAY


def _is_passing(state: str | None) -> bool:
    return state is not None and state.startswith(_PASSING)
