"""Operators: the people who may sign in to the console."""

from collections.abc import Callable, Sequence
from typing import Literal

import attrs
from attrs import field, frozen
from sqlalchemy import bindparam, delete, insert, select

from service_server.store.audit_events import Act, acting
from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import OPERATOR_SESSIONS, OPERATORS

Role = Literal["owner", "developer", "viewer"]


@frozen(kw_only=True)
class Operator:
    """
    Someone who may sign in; `sees_contents` lets a viewer see arguments and outputs.

    Who comes from the OpenID provider is its `oidc_subject`, and has no password (an empty hash).
    """

    name: str
    password_hash: str = field(repr=False)
    role: Role
    sees_contents: bool = False
    created_at: str
    oidc_subject: str | None = None


Change = Callable[[Operator | None, Sequence[Operator]], Operator | None]
"""What becomes of an operator (None: there is none), given all the others."""


class Operators:
    """Operators and the hashes of their passwords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def everyone(self) -> list[Operator]:
        """All operators, by name."""
        async with self._database.read() as connection:
            return [Operator(**row._mapping) for row in await connection.execute(_EVERYONE)]

    async def get(self, name: str) -> Operator | None:
        """An operator; None if there is no such one."""
        rows = await self._database.fetch(_GET, {"operator": name})
        return Operator(**rows[0]) if rows else None

    async def change(self, name: str, change: Change, act: Act | None = None) -> Operator | None:
        """
        Add, change or remove an operator; no other change of any operator can come in between.

        If `change` raises, everything stays as it was.
        """
        async with acting(self._database, act, turn="operators") as done:
            everyone = [Operator(**row._mapping) for row in await done.connection.execute(_EVERYONE)]
            before = next((each for each in everyone if each.name == name), None)
            after = change(before, [each for each in everyone if each.name != name])
            if before is not None:
                await done.connection.execute(delete(OPERATORS).where(OPERATORS.c.name == name))
            if after is not None:
                await done.connection.execute(insert(OPERATORS).values(attrs.asdict(after)))
            if after is None:
                await done.connection.execute(delete(OPERATOR_SESSIONS).where(OPERATOR_SESSIONS.c.operator == name))
            await done.note(before=before, after=after)
            return after


_EVERYONE = select(OPERATORS).order_by(OPERATORS.c.name)
_GET = PreparedStatement(select(OPERATORS).where(OPERATORS.c.name == bindparam("operator")))
