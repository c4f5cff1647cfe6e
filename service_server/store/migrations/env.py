"""Alembic's entry: runs the migrations over the asynchronous driver that the service itself uses."""

import asyncio

from alembic import context
from sqlalchemy import Connection

from service_server.store.kind import DatabaseKind
from service_server.store.tables import METADATA

_kind: DatabaseKind = context.config.attributes["kind"]


def _run(connection: Connection) -> None:
    _kind.lock_schema(connection)
    # Configured under the lock: it reads what another process may just have brought up to date.
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


async def _migrate() -> None:
    engine = _kind.migrating()
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_run)
    finally:
        await engine.dispose()


asyncio.run(_migrate())
