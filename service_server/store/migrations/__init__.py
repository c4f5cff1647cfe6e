"""Bringing a database's schema up to date."""

import asyncio
import time
from functools import cache
from pathlib import Path

import structlog
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from service_server.store.database_url import kind_of
from service_server.store.failures import DatabaseAway, DatabaseBusy, DatabaseUnusable
from service_server.store.kind import DatabaseKind

__all__ = [
    "REVISION",
    "WAIT_SECONDS",
    "DatabaseUnusable",
    "known_revisions",
    "newest_revision",
    "revision_of",
    "upgrade",
]

HERE = Path(__file__).parent
WAIT_SECONDS = 300.0
REVISION = text("SELECT version_num FROM alembic_version")
"""What revision a schema is at."""
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0

_LOG = structlog.get_logger(__name__)


def upgrade(database_url: str, revision: str = "head", *, wait_seconds: float = WAIT_SECONDS) -> None:
    """
    Apply every migration that the database has not seen, up to a revision; runs its own event loop, so call it before
    serving.

    If several processes do so at the same time, one migrates and the others wait for it. If someone else holds what is
    needed, it lets go for a moment, so that nobody queues behind it, and tries again for `wait_seconds`; the log says
    who holds it. A newer release's schema is left as it is, if this release works on it. Raises `DatabaseUnusable`.
    """
    kind = kind_of(database_url)
    kind.prepare()
    if revision == "head" and asyncio.run(revision_of(kind)) == newest_revision():
        return
    # Loading it takes a tenth of a second and 7 MiB, and most starts don't need it.
    from service_server.store.migrations.change import change

    until = time.monotonic() + wait_seconds
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            change(kind, revision, wait_seconds)
        except (DatabaseAway, DatabaseError) as error:
            reason = kind.translated(error)
            if not isinstance(reason, DatabaseBusy):
                told = str(reason.orig) if isinstance(reason, DatabaseError) else str(reason)
                raise DatabaseUnusable(f"The database {kind.name} cannot be used: {told}.") from None
            if time.monotonic() + pause > until:
                raise DatabaseUnusable(
                    f"The schema of the database {kind.name} could not be brought up to date within {wait_seconds:g} "
                    f"seconds: {reason}. Wait until that has ended, or end it, and start again. "
                    "SERVICE_MIGRATION_WAIT_SECONDS sets how long is waited."
                ) from None
            _LOG.warning("schema.change_delayed", reason=str(reason), seconds=pause)
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        else:
            return


def known_revisions() -> list[str]:
    """The revisions of all migrations, oldest first; each file name begins with its revision."""
    return sorted(path.name.partition("_")[0] for path in (HERE / "versions").glob("[0-9]*.py"))


@cache
def newest_revision() -> str:
    """
    Return the last of the migrations.

    It stays what it was when first asked for: a newer release may be installed under a running process.
    """
    return known_revisions()[-1]


async def revision_of(kind: DatabaseKind) -> str | None:
    """The revision that a database is at; None if that can't be told, whatever the reason."""
    engine = kind.looking()
    try:
        async with engine.connect() as connection:
            found = (await connection.execute(REVISION)).scalars().all()
    except (DatabaseAway, DatabaseError):
        return None
    finally:
        await engine.dispose()
    return found[0] if len(found) == 1 else None
