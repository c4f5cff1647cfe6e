"""Alembic's entry: runs the migrations over the asynchronous driver that the service itself uses."""

import asyncio

from alembic import context
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from service_server.store.kind import DatabaseKind
from service_server.store.tables import METADATA

_kind: DatabaseKind = context.config.attributes["kind"]


def _is_current(connection: Connection) -> bool:
    wanted = context.get_revision_argument()
    return MigrationContext.configure(connection).get_current_heads() == (
        (wanted,) if isinstance(wanted, str) else wanted
    )


def _run(connection: Connection) -> None:
    # Configured by the one process that changes the schema: it reads what another may just have brought up to date.
    context.configure(
        connection=connection, target_metadata=METADATA, render_as_batch=True, transaction_per_migration=True
    )
    with context.begin_transaction():
        context.run_migrations()


async def _migrate() -> None:
    engine = _kind.looking()
    try:
        async with engine.connect() as connection:
            if await connection.run_sync(_is_current):
                return
    finally:
        await engine.dispose()
    async with _kind.changing_schema() as connection:
        await connection.run_sync(_run)


asyncio.run(_migrate())
