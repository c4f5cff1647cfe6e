"""Alembic's entry: runs the migrations over the asynchronous driver that the service itself uses."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy import Connection

from service_server.store.kind import DatabaseKind
from service_server.store.migrations import compatibility
from service_server.store.tables import METADATA

_kind: DatabaseKind = context.config.attributes["kind"]


def _is_to_be_changed(connection: Connection) -> bool:
    return compatibility.is_to_be_changed(connection, context.script, str(context.get_revision_argument()), _kind.name)


def _run(connection: Connection) -> None:
    # Looked at again by the one process that changes the schema: another may just have brought it up to date.
    in_transaction = connection.in_transaction()
    is_to_be_changed = _is_to_be_changed(connection)
    if not in_transaction:
        connection.rollback()  # else there would be no transaction for each migration
    if not is_to_be_changed:
        return
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=True,
        transaction_per_migration=True,
        on_version_apply=_note,
    )
    with context.begin_transaction():
        context.run_migrations()


def _note(ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]) -> None:
    if ctx.connection is not None:  # else a script is written, which nobody asks for
        compatibility.note_oldest_working(ctx.connection, context.script, step)


async def _migrate() -> None:
    engine = _kind.looking()
    try:
        async with engine.connect() as connection:
            if not await connection.run_sync(_is_to_be_changed):
                return
    finally:
        await engine.dispose()
    async with _kind.changing_schema() as connection:
        await connection.run_sync(_run)


asyncio.run(_migrate())
