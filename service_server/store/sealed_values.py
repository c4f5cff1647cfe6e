"""Every sealed value in the database, kind by kind, so that the vault can seal it again with another key."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen
from sqlalchemy import JSON, Column, Text, cast, func, literal, select, tuple_, update

from service_server.store.database import Database
from service_server.store.tables import (
    ACCOUNTS,
    APP_CONFIGURATIONS,
    APPLICATION_APP_CONFIGURATIONS,
    APPLICATIONS,
    CONNECT_SESSIONS,
    FILES,
    IDEMPOTENCY,
    WEBHOOK_ENDPOINTS,
)

Key = tuple[str | int, ...]


@frozen
class SealedRow:
    """The sealed values of one row (`sealed`, mostly one) and the owner that they are bound to."""

    key: Key
    owner: Key
    sealed: tuple[str, ...] = field(repr=False)
    stored: str = field(repr=False)  # the column's text, to notice a later change


@frozen
class _Kind:
    """A column that holds sealed values, what tells its rows apart, and what its values are bound to."""

    column: Column[Any]
    key: tuple[Column[Any], ...]
    owner: tuple[Column[Any], ...]

    @property
    def is_json(self) -> bool:
        return isinstance(self.column.type, JSON)


_IDEMPOTENCY_KEY = (
    IDEMPOTENCY.c.application_id,
    IDEMPOTENCY.c.user_id,
    IDEMPOTENCY.c.function_name,
    IDEMPOTENCY.c.idempotency_key,
)
_OWN_CONFIGURATION_KEY = (APPLICATION_APP_CONFIGURATIONS.c.application_id, APPLICATION_APP_CONFIGURATIONS.c.app_name)
_KINDS: Mapping[str, _Kind] = {
    "application secrets": _Kind(APPLICATIONS.c.sealed_secrets, (APPLICATIONS.c.id,), (APPLICATIONS.c.app_key,)),
    "OAuth2 client secrets": _Kind(
        APP_CONFIGURATIONS.c.sealed_client_secret, (APP_CONFIGURATIONS.c.app_name,), (APP_CONFIGURATIONS.c.app_name,)
    ),
    "OAuth2 client secrets of applications": _Kind(
        APPLICATION_APP_CONFIGURATIONS.c.sealed_client_secret,
        _OWN_CONFIGURATION_KEY,
        _OWN_CONFIGURATION_KEY,
    ),
    "account credentials": _Kind(
        ACCOUNTS.c.sealed_credentials,
        (ACCOUNTS.c.id,),
        (ACCOUNTS.c.application_id, ACCOUNTS.c.user_id, ACCOUNTS.c.app_name),
    ),
    "connect sessions": _Kind(CONNECT_SESSIONS.c.sealed_progress, (CONNECT_SESSIONS.c.id,), (CONNECT_SESSIONS.c.id,)),
    "accounts to be redeemed": _Kind(
        CONNECT_SESSIONS.c.sealed_outcome, (CONNECT_SESSIONS.c.id,), (CONNECT_SESSIONS.c.id,)
    ),
    "files": _Kind(FILES.c.sealed_head, (FILES.c.id,), (FILES.c.application_id, FILES.c.user_id, FILES.c.id)),
    "webhook secrets": _Kind(
        WEBHOOK_ENDPOINTS.c.sealed_secrets,
        (WEBHOOK_ENDPOINTS.c.id,),
        (WEBHOOK_ENDPOINTS.c.application_id, WEBHOOK_ENDPOINTS.c.id),
    ),
    "answers kept for repeats": _Kind(IDEMPOTENCY.c.response, key=_IDEMPOTENCY_KEY, owner=_IDEMPOTENCY_KEY),
}

SEALED_KINDS = tuple(_KINDS)
"""The kinds of sealed values. The proofs of `vault_keys` are none of them: each belongs to its own key for ever."""


class SealedValues:
    """Reads sealed values in batches and replaces each only if it has not changed since it was read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, kind: str) -> int:
        """How many rows hold a value of a kind."""
        column = _KINDS[kind].column
        async with self._database.read() as connection:
            statement = select(func.count()).select_from(column.table).where(column.is_not(None))
            return int((await connection.execute(statement)).scalar_one())

    async def batch(self, kind: str, after: Key | None, size: int) -> list[SealedRow]:
        """The next rows of a kind in the order of their keys; an empty list at the end."""
        described = _KINDS[kind]
        query = (
            select(*described.key, *described.owner, cast(described.column, Text))
            .where(described.column.is_not(None))
            .order_by(*described.key)
            .limit(size)
        )
        if after is not None:
            query = query.where(tuple_(*described.key) > tuple_(*_typed(described, after)))
        async with self._database.read() as connection:
            return [_row(described, tuple(row)) for row in await connection.execute(query)]

    async def replace(self, kind: str, changes: Sequence[tuple[SealedRow, Sequence[str]]]) -> int:
        """
        Replace the rows' values by newly sealed ones, in one short transaction; returns how many rows changed.

        A row that has been changed or deleted meanwhile is left as it is: what was written there is newer.
        """
        described = _KINDS[kind]
        replaced = 0
        async with self._database.write() as connection:
            for row, sealed in changes:
                statement = (
                    update(described.column.table)
                    .where(
                        *(column == value for column, value in zip(described.key, row.key, strict=True)),
                        cast(described.column, Text) == row.stored,
                    )
                    .values({described.column: _value(row, sealed)})
                )
                replaced += (await connection.execute(statement)).rowcount
        return replaced


def _typed(described: _Kind, key: Key) -> list[Any]:
    """Parameters with the types of their columns: comparing tuples does not give them types by itself."""
    return [literal(value, column.type) for column, value in zip(described.key, key, strict=True)]


def _row(described: _Kind, values: tuple[Any, ...]) -> SealedRow:
    keys = len(described.key)
    stored = values[-1]
    content = json.loads(stored) if described.is_json else stored
    sealed = tuple(content) if isinstance(content, list) else (content,)
    return SealedRow(tuple(values[:keys]), tuple(values[keys:-1]), sealed, stored)


def _value(row: SealedRow, sealed: Sequence[str]) -> Any:
    return list(sealed) if row.stored.startswith("[") else sealed[0]
