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

_MOMENT = "2026-01-01T00:00:00.000000Z"
_OWNER: dict[str, Any] = {"application_id": 1, "user_id": "ann", "app_name": "sandbox"}
_CALLED: dict[str, Any] = {"application_id": 1, "user_id": "ann", "function_name": "sandbox-create-ticket"}
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
    started: dict[str, Any] = {"function_type": "mutation", "account_id": 1, "outcome": "started", "request_id": "r"}
    return Call(**{"id": identifier, **_OWNER, **_CALLED, **started, "started_at": _MOMENT, **changes})


def refusal(identifier: str, **changes: Any) -> Refusal:
    """A call that was refused, with `changes`."""
    reason: dict[str, Any] = {"code": "required", "error": "title is required.", "request_id": "r"}
    return Refusal(**{"id": identifier, **_CALLED, **reason, "at": _MOMENT, **changes})


async def put_operator(operators: Operators, name: str, hashed: str = "hash") -> None:
    """Add an operator, or replace the password of one."""
    made = Operator(name=name, password_hash=hashed, role="owner", created_at=_MOMENT)
    await operators.change(name, lambda current, others: made)


def keyed(key: str, processes: Processes, **changes: Any) -> IdempotencyRecord:
    """The claim of a key for a call of a process, with `changes`."""
    claim: dict[str, Any] = {"arguments_hash": "hash", "call_id": f"call-{key}", "process_id": processes.id}
    return IdempotencyRecord(**{"idempotency_key": key, **_CALLED, **claim, "created_at": now(), **changes})


def new_account(identity: str | None = "alice", **changes: Any) -> NewAccount:
    """What a finished connect flow hands over, with `changes`."""
    known: dict[str, Any] = {"external_id": identity, "display_name": f"Known as {identity}"}
    return NewAccount(**{**_OWNER, **known, "auth_id": "oauth", "sealed_credentials": "sealed", **changes})


async def pending_session(database: Database, owner: NewAccount | None = None, **changes: Any) -> ConnectSessionRow:
    """A connect session that waits for its user."""
    whose = {name: getattr(owner or new_account(), name) for name in _OWNER}
    lasting = {"created_at": now(), "expires_at": now() + 600}
    session = ConnectSessionRow(**{"id": f"session-{next(_numbers)}", **whose, **lasting, **changes})
    await ConnectSessions(database).create(session)
    return session


async def connect(database: Database, new: NewAccount, reconnect: int | None = None) -> Account:
    """Connect an account through a session of its own."""
    session = await pending_session(database, new)
    return await Accounts(database).connect(new, session_id=session.id, reconnect_account_id=reconnect)
