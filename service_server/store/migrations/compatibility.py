"""Which releases work on which schema: a release older than the schema may, if the schema says so."""

from typing import Any

import structlog
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, delete, insert, inspect, select

from service_server.store.failures import DatabaseUnusable
from service_server.store.tables import SCHEMA_COMPATIBILITY

_LOG = structlog.get_logger(__name__)


def is_to_be_changed(connection: Connection, known: ScriptDirectory, wanted: str, database: str) -> bool:
    """
    Whether this release has migrations to apply, or at least to check, to bring the database to the `wanted` revision.

    A schema that is newer than this release is left as it is: if this release works on it, the log says so, else
    DatabaseUnusable is raised. `known` are the revisions of this release.
    """
    heads = MigrationContext.configure(connection).get_current_heads()
    if heads == (wanted,):
        return False
    newer = [head for head in heads if not _is_known(known, head)]
    if not newer:
        return True
    oldest, ours, schema = _oldest_working(connection), known.get_current_head(), ", ".join(newer)
    if oldest is None:
        raise DatabaseUnusable(
            f"The database {database} was made by another version of the service: its schema is {schema}, and the "
            f"latest that this version knows is {ours}."
        )
    if not _is_known(known, oldest):
        raise DatabaseUnusable(
            f"The schema of the database {database} was changed by a newer version of the service, and this one no "
            f"longer works on it: the schema is {schema} and needs a version that knows {oldest}, while the latest "
            f"that this one knows is {ours}. Install the newer version, or go back to a backup from before the change."
        )
    _LOG.warning(
        "schema.newer",
        message="a newer version has changed the database; this one still works on it",
        schema=schema,
        known=ours,
        oldest_working=oldest,
    )
    return False


def note_oldest_working(connection: Connection, known: ScriptDirectory, step: Any) -> None:
    """Write down, along with a migration, the oldest revision whose code works on the schema after it."""
    module = known.get_revision(step.up_revision_id).module if step.is_upgrade else None
    oldest = getattr(module, "oldest_working", None)
    if oldest is not None:  # the first ones did not say so
        connection.execute(delete(SCHEMA_COMPATIBILITY))
        connection.execute(insert(SCHEMA_COMPATIBILITY).values(oldest_revision=oldest))


def _oldest_working(connection: Connection) -> str | None:
    if not inspect(connection).has_table(SCHEMA_COMPATIBILITY.name):
        return None
    found: str | None = connection.scalar(select(SCHEMA_COMPATIBILITY.c.oldest_revision))
    return found


def _is_known(known: ScriptDirectory, revision: str) -> bool:
    try:
        return known.get_revision(revision) is not None
    except CommandError:
        return False
