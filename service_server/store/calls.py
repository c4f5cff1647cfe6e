"""The Function Calls log: every call that was sent, and, kept apart, those that were refused."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import attrs
from attrs import frozen
from sqlalchemy import Update, bindparam, delete, insert, select, update

from service_server.store.call_filter import EVERY_CALL, CallFilter, CallOutcome
from service_server.store.call_search import Page, search, search_all
from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import CALLS, REFUSALS


@frozen(kw_only=True)
class Call:
    """
    One executed call.

    A mutation is written as `started` before it is sent, with the process that sends it; if the process ends before
    the call does, the outcome is `unknown`. Arguments and output are redacted and capped before they get here.

    Of `duration_ms` the app took `app_ms`; before it was sent, `renewal_ms` went into renewing the account's sign-in
    and `waiting_ms` into waiting for a turn where an app takes only so many requests. None: too little, or unknown.
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
    app_ms: float | None = None
    renewal_ms: float | None = None
    waiting_ms: float | None = None
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
        app_ms=bindparam("app"),
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
                "app": call.app_ms,
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

    async def calls(self, *, limit: int, before: str | None = None, matching: CallFilter = EVERY_CALL) -> Page[Call]:
        """Calls without their arguments and outputs, newest first; `before` is the id of the last one already seen."""
        return await search(self._database, Call, _LISTED, matching, limit=limit, before=before)

    def each(self, matching: CallFilter = EVERY_CALL, *, contents: bool) -> AsyncIterator[Call]:
        """All calls that match, newest first, a few read at a time; `contents` are their arguments and outputs."""
        return search_all(self._database, Call, list(CALLS.c) if contents else _LISTED, matching)

    async def refusals(
        self, *, limit: int, before: str | None = None, matching: CallFilter = EVERY_CALL
    ) -> Page[Refusal]:
        """Refused calls, newest first."""
        return await search(self._database, Refusal, list(REFUSALS.c), matching, limit=limit, before=before)

    def each_refusal(self, matching: CallFilter = EVERY_CALL) -> AsyncIterator[Refusal]:
        """All refused calls that match, newest first, a few read at a time."""
        return search_all(self._database, Refusal, list(REFUSALS.c), matching)
