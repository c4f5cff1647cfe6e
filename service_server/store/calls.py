"""The Function Calls log: every call that was sent, and, kept apart, those that were refused."""

import itertools
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import attrs
from attrs import frozen
from sqlalchemy import Select, Table, Update, bindparam, delete, insert, select, text, update

from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import CALLS, HAS_FAILED, HAS_SUCCEEDED, IS_UNFINISHED, REFUSALS

CallOutcome = Literal["started", "finished", "unknown"]

_counter = itertools.count(secrets.randbits(16))


def call_id() -> str:
    """A new id that sorts by time: 12 hex digits of milliseconds, 4 of a counter, 16 random."""
    return f"{int(time.time() * 1000):012x}{next(_counter) & 0xFFFF:04x}{secrets.token_hex(8)}"


@frozen(kw_only=True)
class Call:
    """
    One executed call.

    A mutation is written as `started` before it is sent, with the process that sends it; if the process ends before
    the call does, the outcome is `unknown`. Arguments and output are redacted and capped before they get here.
    """

    id: str
    application_id: int
    user_id: str
    app_name: str
    function_name: str
    function_type: str
    account_id: int
    outcome: CallOutcome
    network_code: str | None = None
    arguments: Any = None
    output: Any = None
    started_at: str
    duration_ms: float | None = None
    request_id: str
    process_id: str | None = None


@frozen(kw_only=True)
class Refusal:
    """One call that was refused before anything was sent."""

    id: str
    application_id: int
    user_id: str
    function_name: str
    code: str
    error: str
    at: str
    request_id: str


@frozen(kw_only=True)
class CallFilter:
    """
    Which calls to list; None matches everything.

    `succeeded` tells finished calls whose network code is a 2xx from the other finished ones.
    """

    application_id: int | None = None
    user_id: str | None = None
    function_name: str | None = None
    outcome: CallOutcome | None = None
    succeeded: bool | None = None

    def narrow(self, query: Select[Any], table: Table) -> Select[Any]:
        """Add the conditions to a query of the calls or, without those on the outcome, of the refused calls."""
        for name in ("application_id", "user_id", "function_name"):
            value = getattr(self, name)
            if value is not None:
                query = query.where(table.c[name] == value)
        # As literal text, since a database uses a partial index only if the query has the words of its condition.
        if self.outcome is not None:
            query = query.where(CALLS.c.outcome == self.outcome)
            if self.outcome != "finished":
                query = query.where(text(IS_UNFINISHED))
        if self.succeeded is not None:
            query = query.where(text(HAS_SUCCEEDED if self.succeeded else HAS_FAILED))
        return query


EVERY_CALL = CallFilter()
# A list of calls does not need what was sent and answered, which is most of a row.
_LISTED = [column for column in CALLS.c if column.name not in ("arguments", "output")]
_INSERT = PreparedStatement(insert(CALLS))
_FINISH = PreparedStatement(
    update(CALLS)
    .where(CALLS.c.id == bindparam("call"))
    .values(
        outcome="finished",
        network_code=bindparam("code"),
        output=bindparam("result"),
        duration_ms=bindparam("duration"),
        process_id=None,
    )
)
_DISCARD = PreparedStatement(delete(CALLS).where(CALLS.c.id == bindparam("call")))
_REFUSE = PreparedStatement(insert(REFUSALS))
_GET = PreparedStatement(select(CALLS).where(CALLS.c.id == bindparam("call")))


def outcome_unknown(process_ids: Sequence[str]) -> Update:
    """Mark the calls that dead processes had under way: nobody saw their answers."""
    return (
        update(CALLS)
        .where(CALLS.c.process_id.in_(process_ids), CALLS.c.outcome == "started")
        .values(outcome="unknown", process_id=None)
    )


class CallLog:
    """The log of calls."""

    def __init__(self, database: Database, process_id: Callable[[], str | None] = lambda: None) -> None:
        self._database = database
        self._process_id = process_id

    @property
    def process_id(self) -> str | None:
        """The process that is responsible for calls which begin now."""
        return self._process_id()

    async def record(self, call: Call, *, durable: bool = True) -> None:
        """Add a call. One that changed nothing need not be `durable`: it then outlives the process, not the machine."""
        await self._database.commit_soon(_INSERT, attrs.asdict(call, recurse=False), durable=durable)

    async def finish(self, call: Call) -> None:
        """Complete a call that was recorded as started; durable when it returns."""
        await self._database.commit_soon(
            _FINISH,
            {
                "call": call.id,
                "code": call.network_code,
                "result": call.output,
                "duration": call.duration_ms,
            },
        )

    async def settle(self, call: Call) -> None:
        """Write a finished call whatever its row says already: an earlier attempt may have got through."""
        await (self.record(call) if await self.get(call.id) is None else self.finish(call))

    async def discard(self, call: str) -> None:
        """Remove a call that was recorded as started, but of which nothing could be sent."""
        await self._database.commit_soon(_DISCARD, {"call": call})

    async def refuse(self, refusal: Refusal) -> None:
        """Record a refused call, of which nothing was sent: not durably, as `record` says."""
        await self._database.commit_soon(_REFUSE, attrs.asdict(refusal), durable=False)

    async def get(self, call: str) -> Call | None:
        """One call by its id."""
        rows = await self._database.fetch(_GET, {"call": call})
        return Call(**rows[0]) if rows else None

    async def calls(self, *, limit: int, before: str | None = None, matching: CallFilter = EVERY_CALL) -> list[Call]:
        """Calls without their arguments and outputs, newest first; `before` is the id of the last one already seen."""
        query = matching.narrow(select(*_LISTED), CALLS).order_by(CALLS.c.id.desc()).limit(limit)
        if before:
            query = query.where(CALLS.c.id < before)
        async with self._database.read() as connection:
            return [Call(**row._mapping) for row in await connection.execute(query)]

    async def refusals(
        self, *, limit: int, before: str | None = None, matching: CallFilter = EVERY_CALL
    ) -> list[Refusal]:
        """Refused calls, newest first."""
        query = matching.narrow(select(REFUSALS), REFUSALS).order_by(REFUSALS.c.id.desc()).limit(limit)
        if before:
            query = query.where(REFUSALS.c.id < before)
        async with self._database.read() as connection:
            return [Refusal(**row._mapping) for row in await connection.execute(query)]
