"""The audit trail: what was done by whom, written in the transaction that does it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import attrs
from attrs import Factory, frozen
from sqlalchemy import bindparam, insert, select

from service_server.events import tell
from service_server.store.call_ids import call_id, first_id
from service_server.store.clock import timestamp
from service_server.store.database import Database
from service_server.store.engines import AsyncConnection
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import AUDIT_EVENTS

Via = Literal["console", "api", "command_line"]
_HIDDEN = ("logo", "password_hash")  # a logo is large; of a hash nothing is to be read


@frozen(kw_only=True)
class Act:
    """
    What somebody is about to do to something; `subject` is its id.

    `changes` never holds a secret. The `subject` of what is made now is set once it has an id.
    """

    name: str
    subject: str
    actor: str
    via: Via
    key_id: str | None = None
    address: str | None = None
    request_id: str | None = None
    changes: Mapping[str, Any] = Factory(dict)


@frozen(kw_only=True)
class AuditEvent:
    """Something that was done."""

    id: str
    at: str
    via: Via
    actor: str
    key_id: str | None
    address: str | None
    request_id: str | None
    act: str
    subject: str
    changes: Mapping[str, Any]


@frozen(kw_only=True)
class AuditFilter:
    """Which events to list; None matches everything, `since` and `until` are timestamps."""

    actor: str | None = None
    act: str | None = None
    subject: str | None = None
    since: str | None = None
    until: str | None = None


class Acting:
    """A transaction in which something is done, and the event that says so."""

    def __init__(self, connection: AsyncConnection, act: Act | None) -> None:
        self.connection = connection
        self._act = act
        self._written: Act | None = None

    async def note(self, *, before: Any = None, after: Any = None, subject: str | None = None) -> None:
        """
        Write the event, with what differs between two values of a class; nothing if they are given and the same.

        It belongs to the transaction: if that fails, nothing was done and nothing is said.
        """
        if self._act is None or (before is not None and before == after):
            return
        differing = {} if before is None or after is None else differences(before, after)
        changes = {**self._act.changes, **differing}
        self._written = attrs.evolve(self._act, subject=subject or self._act.subject, changes=changes)
        await self.connection.execute(insert(AUDIT_EVENTS).values(_row(self._written)))

    def tell(self) -> None:
        """Say it in the log, once it is done; what was typed in (`changes`) is only in the trail."""
        if self._written is not None:
            act = self._written
            tell("operator.acted", act=act.name, actor=act.actor, via=act.via, subject=act.subject)


@asynccontextmanager
async def acting(database: Database, act: Act | None, turn: str | None = None) -> AsyncIterator[Acting]:
    """A transaction for an act; without one (what the service does by itself) nothing is noted."""
    async with database.write(turn=turn) as connection:
        done = Acting(connection, act)
        yield done
    done.tell()


_SINCE = PreparedStatement(
    select(AUDIT_EVENTS.c.id)
    .where(
        AUDIT_EVENTS.c.act == bindparam("wanted_act"),
        AUDIT_EVENTS.c.subject == bindparam("wanted_subject"),
        AUDIT_EVENTS.c.id >= bindparam("first"),
    )
    .limit(1)
)


class AuditEvents:
    """The audit trail."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, act: Act) -> None:
        """Note what has changed nothing here, such as reading, or was done elsewhere."""
        async with acting(self._database, act) as done:
            await done.note()

    async def has(self, act: str, subject: str, since: float) -> bool:
        """Whether something was done to a subject since a moment, in seconds since 1970."""
        wanted = {"wanted_act": act, "wanted_subject": subject, "first": first_id(since)}
        return bool(await self._database.fetch(_SINCE, wanted))

    async def events(
        self, *, limit: int, before: str | None = None, matching: AuditFilter | None = None
    ) -> list[AuditEvent]:
        """Events, newest first; `before` is the id of the last one already seen."""
        matching, columns = matching or AuditFilter(), AUDIT_EVENTS.c
        query = select(AUDIT_EVENTS).order_by(columns.id.desc()).limit(limit)
        for name in ("actor", "act", "subject"):
            value = getattr(matching, name)
            if value is not None:
                query = query.where(columns[name] == value)
        if matching.since is not None:
            query = query.where(columns.at >= matching.since)
        if matching.until is not None:
            query = query.where(columns.at < matching.until)
        if before is not None:
            query = query.where(columns.id < before)
        async with self._database.read() as connection:
            return [AuditEvent(**row._mapping) for row in await connection.execute(query)]


def differences(before: Any, after: Any) -> dict[str, Any]:
    """
    Say what differs between two values of an attrs class, field by field; of secrets only that they do.

    A text or number is told as it was and is; of a list what was added and removed; of a mapping, each key by itself.
    """
    found: dict[str, Any] = {}
    for attribute in attrs.fields(type(before)):
        name, was, now = attribute.name, getattr(before, attribute.name), getattr(after, attribute.name)
        if was == now:
            continue
        if name.startswith("sealed_") or name in _HIDDEN:
            found[name.removeprefix("sealed_").removesuffix("_hash")] = _secretly(was, now)
        elif isinstance(was, Mapping):
            keys = sorted(key for key in {*was, *now} if was.get(key) != now.get(key))
            found |= {f"{name}.{key}": {"from": was.get(key), "to": now.get(key)} for key in keys}
        elif isinstance(was, tuple):
            added, removed = [each for each in now if each not in was], [each for each in was if each not in now]
            found[name] = {"added": added, "removed": removed}
        else:
            found[name] = {"from": was, "to": now}
    return found


def _secretly(was: str | Sequence[str] | None, now: str | Sequence[str] | None) -> str:
    if isinstance(was, tuple) and isinstance(now, tuple) and len(was) != len(now):
        return "added" if len(now) > len(was) else "removed"
    return "set" if not was else "replaced" if now else "removed"


def _row(act: Act) -> dict[str, Any]:
    values = attrs.asdict(act, recurse=False) | {"id": call_id(), "at": timestamp(), "act": act.name}
    del values["name"]
    return {**values, "changes": dict(act.changes)}
