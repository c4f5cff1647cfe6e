"""All that is kept of one user of an application: told row by row, and deleted in small transactions."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from attrs import frozen
from sqlalchemy import ColumnElement, Table, Text, and_, cast, delete, func, or_, select, tuple_, update

from service_server.store.connect_sessions import ConnectSessionRow
from service_server.store.database import Database
from service_server.store.files import StoredFiles
from service_server.store.tables import (
    ACCOUNT_EVENTS,
    ACCOUNTS,
    AUDIT_EVENTS,
    BUDGET_USES,
    CALLS,
    CONNECT_SESSIONS,
    FILES,
    IDEMPOTENCY,
    REFUSALS,
    WEBHOOK_DELIVERIES,
    WEBHOOK_ENDPOINTS,
)
from service_server.store.webhook_deliveries import WebhookDeliveries

# Acts in the audit trail that may name a user as what they were about.
_ABOUT_USERS = ("calls.exported", "playground.opened")
_BATCH_ROWS = 100  # a row of the log may hold 64 KiB
# How the service itself works with a row; nobody learns anything about a person from it.
_INNER = {"application_id", "user_id", "version", "page", "process_id", "endpoint_id", "renewal_due_at", "due_at"}
_INNER |= {"response", "arguments_hash", "revoking_until", "is_whole", "refresh_interrupted", "own_settings"}
_INNER_ENDINGS = ("_hash", "_owner", "_until")


@frozen
class _Kind:
    """A table with rows of users, and the columns by which a row is found."""

    table: Table
    key: tuple[str, ...]
    may_go: ColumnElement[bool] | None = None

    @property
    def columns(self) -> list[ColumnElement[Any]]:
        return [self.table.c[name] for name in self.key]

    def of(self, application_id: int, user_id: str) -> ColumnElement[bool]:
        return and_(self.table.c.application_id == application_id, self.table.c.user_id == user_id)


_KINDS: Mapping[str, _Kind] = {
    "account": _Kind(ACCOUNTS, ("id",)),
    "connect_session": _Kind(CONNECT_SESSIONS, ("id",)),
    "call": _Kind(CALLS, ("id",), CALLS.c.outcome != "started"),
    "refused_call": _Kind(REFUSALS, ("id",)),
    "idempotency_key": _Kind(IDEMPOTENCY, ("function_name", "idempotency_key"), IDEMPOTENCY.c.process_id.is_(None)),
    "file": _Kind(FILES, ("id",)),
    "account_event": _Kind(ACCOUNT_EVENTS, ("id",)),
}
USER_DATA_KINDS = (*_KINDS, "webhook_delivery")
"""What is kept of users."""
_DELETED = ("connect_session", "call", "refused_call", "idempotency_key", "account_event")


class UserData:
    """The rows of one user at a time, whatever they are about."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._files = StoredFiles(database)
        self._webhooks = WebhookDeliveries(database)

    async def rows(self, kind: str, application_id: int, user_id: str) -> AsyncIterator[dict[str, Any]]:
        """All rows of a kind, without what only the service needs; a file's sealed head is left for the vault."""
        if kind == "webhook_delivery":
            async for row in self._deliveries(application_id, user_id):
                yield _told(row)
            return
        found = _KINDS[kind]
        query = select(found.table).where(found.of(application_id, user_id)).order_by(*found.columns)
        after: tuple[Any, ...] | None = None
        while True:
            batch = query if after is None else query.where(tuple_(*found.columns) > after)
            async with self._database.read() as connection:
                rows = [dict(row) for row in (await connection.execute(batch.limit(_BATCH_ROWS))).mappings()]
            for row in rows:
                yield _told(row)
            if len(rows) < _BATCH_ROWS:
                return
            after = tuple(rows[-1][name] for name in found.key)

    async def under_way(self, application_id: int, user_id: str) -> int:
        """How many calls of the user are being carried out, as far as they are noted before their end."""
        calls = select(func.count()).where(_KINDS["call"].of(application_id, user_id), CALLS.c.outcome == "started")
        keys = select(func.count()).where(
            _KINDS["idempotency_key"].of(application_id, user_id), IDEMPOTENCY.c.process_id.is_not(None)
        )
        async with self._database.read() as connection:
            return max(
                int((await connection.execute(calls)).scalar_one()), int((await connection.execute(keys)).scalar_one())
            )

    async def connect_sessions(self, application_id: int, user_id: str) -> list[ConnectSessionRow]:
        """The user's connect sessions that are open, or have gained something that nobody has taken."""
        query = select(CONNECT_SESSIONS).where(
            _KINDS["connect_session"].of(application_id, user_id),
            or_(CONNECT_SESSIONS.c.status == "pending", CONNECT_SESSIONS.c.sealed_outcome.is_not(None)),
        )
        async with self._database.read() as connection:
            return [ConnectSessionRow(**row._mapping) for row in await connection.execute(query)]

    async def forget_budget(self, account_id: int) -> None:
        """Delete when requests were sent for an account."""
        async with self._database.write() as connection:
            await connection.execute(delete(BUDGET_USES).where(BUDGET_USES.c.account_id == account_id))

    async def delete(self, application_id: int, user_id: str) -> dict[str, int]:
        """
        Delete all but the accounts, and the calls that are under way; returns how many rows of which kind.

        What is deleted stays deleted if it is broken off: it can be begun again.
        """
        deleted = {kind: await self._delete(_KINDS[kind], application_id, user_id) for kind in _DELETED}
        deleted["file"] = await self._delete_files(application_id, user_id)
        deleted["webhook_delivery"] = 0
        # Of these nobody can tell any more whose users they were about.
        await self._webhooks.forget_of_removed()
        async for row in self._deliveries(application_id, user_id):
            async with self._database.write() as connection:
                await connection.execute(delete(WEBHOOK_DELIVERIES).where(WEBHOOK_DELIVERIES.c.id == row["id"]))
            deleted["webhook_delivery"] += 1
        return deleted

    async def users(self, application_id: int, beginning: str, limit: int) -> list[str]:
        """Users with accounts whose ids begin with a text, in the order of their ids."""
        query = select(ACCOUNTS.c.user_id).where(ACCOUNTS.c.application_id == application_id).distinct()
        if beginning:
            query = query.where(ACCOUNTS.c.user_id.startswith(beginning, autoescape=True))
        async with self._database.read() as connection:
            return list(await connection.scalars(query.order_by(ACCOUNTS.c.user_id).limit(limit)))

    async def latest(self, kind: str, application_id: int, user_id: str, limit: int) -> list[dict[str, Any]]:
        """The last rows of a kind whose ids sort by time, newest first."""
        found = _KINDS[kind]
        columns = [column for column in found.table.c if column.name not in ("arguments", "output")]
        query = select(*columns).where(found.of(application_id, user_id)).order_by(found.table.c.id.desc())
        async with self._database.read() as connection:
            return [_told(dict(row)) for row in (await connection.execute(query.limit(limit))).mappings()]

    async def rename_in_trail(self, application_id: int, user_id: str, instead: str) -> None:
        """
        Have the audit trail name something else where an act names the user as what it was about.

        What says that it was about another application is left alone: its user of the same id is somebody else.
        """
        columns, written = AUDIT_EVENTS.c, json.dumps(user_id)
        about = select(columns.id, columns.subject, columns.changes).where(
            columns.act.in_(_ABOUT_USERS),
            or_(columns.subject == user_id, cast(columns.changes, Text).contains(written, autoescape=True)),
        )
        async with self._database.write() as connection:
            for row in (await connection.execute(about)).all():
                if _is_of_another(row.changes, application_id):
                    continue
                values = {
                    "subject": instead if row.subject == user_id else row.subject,
                    "changes": _renamed(row.changes, user_id, instead),
                }
                await connection.execute(update(AUDIT_EVENTS).where(columns.id == row.id).values(values))

    async def _delete(self, kind: _Kind, application_id: int, user_id: str) -> int:
        some = select(*kind.columns).where(kind.of(application_id, user_id)).limit(_BATCH_ROWS)
        if kind.may_go is not None:
            some = some.where(kind.may_go)
        count = 0
        while True:
            async with self._database.write() as connection:
                keys = [tuple(row) for row in await connection.execute(some)]
                if keys:
                    going = delete(kind.table).where(kind.of(application_id, user_id), tuple_(*kind.columns).in_(keys))
                    count += (await connection.execute(going)).rowcount
            if len(keys) < _BATCH_ROWS:
                return count

    async def _delete_files(self, application_id: int, user_id: str) -> int:
        of_user = _KINDS["file"].of(application_id, user_id)
        async with self._database.read() as connection:
            ids = list(await connection.scalars(select(FILES.c.id).where(of_user)))
        for file_id in ids:
            await self._files.delete(file_id)
        return len(ids)

    async def _deliveries(self, application_id: int, user_id: str) -> AsyncIterator[dict[str, Any]]:
        """
        What the application was told, or will be, about the user; only the text that is sent says whom it is about.

        All that its endpoints still have is looked through, a batch at a time.
        """
        endpoints = select(WEBHOOK_ENDPOINTS.c.id).where(WEBHOOK_ENDPOINTS.c.application_id == application_id)
        columns, written = WEBHOOK_DELIVERIES.c, json.dumps(user_id, ensure_ascii=False)
        async with self._database.read() as connection:
            ids = list(await connection.scalars(endpoints))
        for endpoint_id in ids:
            after = 0
            while True:
                query = (
                    select(WEBHOOK_DELIVERIES)
                    .where(
                        columns.endpoint_id == endpoint_id,
                        columns.id > after,
                        columns.body.contains(written, autoescape=True),
                    )
                    .order_by(columns.id)
                    .limit(_BATCH_ROWS)
                )
                async with self._database.read() as connection:
                    rows = [dict(row) for row in (await connection.execute(query)).mappings()]
                for row in rows:
                    if json.loads(row["body"])["data"].get("user_id") == user_id:
                        yield row
                if len(rows) < _BATCH_ROWS:
                    break
                after = rows[-1]["id"]


def _is_of_another(changes: Mapping[str, Any], application_id: int) -> bool:
    """Whether an act was about another application, as far as it says: an export may be narrowed to one."""
    named = changes.get("application") or changes.get("filters", {}).get("application")
    return bool(named) and str(named) != str(application_id)


def _renamed(value: Any, name: str, instead: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, name, instead) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, name, instead) for each in value]
    return instead if value == name else value


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what only the service needs."""
    return {
        name: value
        for name, value in row.items()
        if name == "sealed_head" or not (name in _INNER or name.startswith("sealed_") or name.endswith(_INNER_ENDINGS))
    }
