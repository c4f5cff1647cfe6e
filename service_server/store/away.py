"""What the log says of a database that is away: everybody finds out at once, and again with each request."""

import structlog

from service_server.events import Seldom
from service_server.store.failures import DatabaseAway

_LOG = structlog.get_logger(__name__)
_SELDOM = Seldom(10.0)


def tell_away(away: DatabaseAway) -> None:
    """Say why the database is away, in one line without a traceback, unless this process has said so just now."""
    if _SELDOM.is_due():
        _LOG.warning("database.away", reason=str(away))
