"""Databases for tests, and the rows that tests keep in them."""

import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from service_server.store import (
    Account,
    Accounts,
    Call,
    ConnectSessionRow,
    ConnectSessions,
    Database,
    IdempotencyRecord,
    NewAccount,
    Operator,
    Operators,
    Processes,
    Refusal,
)
from service_server.store.clock import now
from tests.service_server.databases import EmptyDatabases

_numbers = itertools.count()


@contextlib.asynccontextmanager
async def opened_copy(empty_database: Path, folder: Path) -> AsyncIterator[Database]:
    """Open a copy of the empty SQLite database in a folder."""
    with EmptyDatabases(str(empty_database)).new(folder) as url:
        async with opened(url) as database:
            yield database


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """Open the database of a URL."""
    database = Database(url)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


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


def refusal(identifier: str, **changes: Any) -> Refusal:
    """A call that was refused, with `changes`."""
    values: dict[str, Any] = {
        "application_id": 1,
        "user_id": "ann",
        "function_name": "sandbox-create-ticket",
        "code": "required",
        "error": "title is required.",
        "at": "2026-01-01T00:00:00.000000Z",
        "request_id": "r",
        **changes,
    }
    return Refusal(id=identifier, **values)


async def put_operator(operators: Operators, name: str, hashed: str = "hash") -> None:
    """Add an operator, or replace the password of one."""
    made = Operator(name=name, password_hash=hashed, role="owner", created_at="2026-01-01T00:00:00.000000Z")
    await operators.change(name, lambda current, others: made)


def keyed(key: str, processes: Processes, **changes: Any) -> IdempotencyRecord:
    """The claim of a key for a call of a process, with `changes`."""
    values: dict[str, Any] = {
        "application_id": 1,
        "user_id": "ann",
        "function_name": "sandbox-create-ticket",
        "arguments_hash": "hash",
        "call_id": f"call-{key}",
        "process_id": processes.id,
        "created_at": now(),
        **changes,
    }
    return IdempotencyRecord(idempotency_key=key, **values)


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
