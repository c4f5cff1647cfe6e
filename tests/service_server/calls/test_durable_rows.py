"""What of a call is on the disk before it is sent, and before it is answered."""

import contextlib
from collections.abc import Sequence
from typing import Any

import pytest

from service_server.errors import ServiceError
from service_server.onward.values import Outcome, Unsent
from service_server.store.kind import Group
from service_server.store.sqlite_driver import SqliteDriver
from tests.service_server.calls.scripted_calls import ScriptedCalls, ScriptedSender, whole

STARTED, SENT, FINISHED = ("INSERT INTO calls", True), "sent", ("UPDATE calls", True)
QUERY, REFUSED = ("INSERT INTO calls", False), ("INSERT INTO refusals", False)
CLAIMED, KEPT = ("INSERT INTO idempotency", True), ("UPDATE idempotency", True)
UNSENT = Unsent("unreachable", "closed")
NOT_SENT, FREE = ("DELETE FROM calls", True), ("DELETE FROM idempotency", True)


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What has been committed, and whether durably, and when the request was sent, in their order."""
    seen: list[Any] = []
    commit, send = SqliteDriver.commit, ScriptedSender.send

    async def noted_commit(self: Any, groups: Sequence[Group], *, durable: bool) -> None:
        await commit(self, groups, durable=durable)
        statements = [statement.sql.split() for statement, rows in groups for _ in rows]
        seen.extend((" ".join(words[: 2 + ("UPDATE" not in words)]), durable) for words in statements)

    async def noted_send(self: ScriptedSender, *given: Any, **named: Any) -> Outcome:
        seen.append(SENT)
        return await send(self, *given, **named)

    monkeypatch.setattr(SqliteDriver, "commit", noted_commit)
    monkeypatch.setattr(ScriptedSender, "send", noted_send)
    return seen


@pytest.mark.parametrize(
    ("function", "key", "outcome", "expected"),
    [
        ("find", None, whole(), [SENT, QUERY]),
        ("find", "key", whole(), [CLAIMED, SENT, ("INSERT INTO calls", True), KEPT]),
        ("add", None, whole(), [STARTED, SENT, FINISHED]),
        ("add", "key", whole(), [CLAIMED, STARTED, SENT, FINISHED, KEPT]),
        ("find", None, UNSENT, [SENT, REFUSED]),
        ("add", "key", UNSENT, [CLAIMED, STARTED, SENT, NOT_SENT, ("INSERT INTO refusals", True), FREE]),
    ],
)
async def test_what_may_change_something_is_durable_before_it_is_sent_and_answered(
    calls: ScriptedCalls, happened: list[Any], function: str, key: str | None, outcome: Outcome, expected: list[Any]
) -> None:
    """A query's row need not wait for the disk, unless its answer is to be repeated; nor that a call was refused."""
    await calls.script([outcome])
    with contextlib.suppress(ServiceError):
        await calls.call(function, key)

    assert expected == happened


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("GET", [SENT, QUERY]),
        ("HEAD", [SENT, QUERY]),
        ("POST", [STARTED, SENT, FINISHED]),
    ],
)
async def test_what_a_free_request_may_change(
    calls: ScriptedCalls, happened: list[Any], method: str, expected: list[Any]
) -> None:
    """Its method tells."""
    await calls.script([whole()])
    await calls.call("passthrough-request", arguments={"method": method, "url": "/things"})

    assert expected == happened
