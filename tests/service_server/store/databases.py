"""Databases for tests, and the rows that tests keep in them."""

import contextlib
import itertools
import shutil
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from service_server.store import Account, Accounts, Call, ConnectSessionRow, ConnectSessions, Database, NewAccount
from service_server.store.clock import now

_numbers = itertools.count()


@contextlib.asynccontextmanager
async def opened_copy(empty_database: Path, folder: Path) -> AsyncIterator[Database]:
    """Open a copy of the empty database in a folder."""
    shutil.copy(empty_database, folder / "service.db")
    database = Database(f"sqlite+aiosqlite:///{folder / 'service.db'}")
    await database.open()
    try:
        yield database
    finally:
        await database.close()


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """What another process would read from the database in a folder."""
    with contextlib.closing(sqlite3.connect(folder / "service.db")) as connection:
        return connection.execute(query).fetchall()


def call(identifier: str, **changes: Any) -> Call:
    """A call that was started, with `changes`."""
    values: dict[str, Any] = {
        "application_id": 1,
        "user_id": "ann",
        "app_name": "sandbox",
        "function_name": "sandbox-create-ticket",
        "function_type": "mutation",
        "account_id": 1,
        "outcome": "started",
        "started_at": "2026-01-01T00:00:00.000000Z",
        "request_id": "r",
        **changes,
    }
    return Call(id=identifier, **values)


def new_account(identity: str | None = "alice", **changes: Any) -> NewAccount:
    """What a finished connect flow hands over, with `changes`."""
    values: dict[str, Any] = {
        "application_id": 1,
        "user_id": "ann",
        "app_name": "sandbox",
        "auth_id": "oauth",
        "display_name": f"Known as {identity}",
        "sealed_credentials": "sealed",
        **changes,
    }
    return NewAccount(external_id=identity, **values)


async def pending_session(database: Database, owner: NewAccount | None = None, **changes: Any) -> ConnectSessionRow:
    """A connect session that waits for its user."""
    owner = owner or new_account()
    moment = now()
    values: dict[str, Any] = {
        "application_id": owner.application_id,
        "user_id": owner.user_id,
        "app_name": owner.app_name,
        "created_at": moment,
        "expires_at": moment + 600,
        **changes,
    }
    session = ConnectSessionRow(id=f"session-{next(_numbers)}", **values)
    await ConnectSessions(database).create(session)
    return session


async def connect(database: Database, new: NewAccount, reconnect: int | None = None) -> Account:
    """Connect an account through a session of its own."""
    session = await pending_session(database, new)
    return await Accounts(database).connect(new, session_id=session.id, reconnect_account_id=reconnect)
