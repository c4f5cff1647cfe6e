"""What of a call is on the disk before it is sent, and before it is answered."""

from collections.abc import Sequence
from typing import Any

import pytest

from service_server.onward.values import OnwardRequest, Outcome, Unsent
from service_server.store.kind import Group
from service_server.store.postgresql_driver import PostgreSQLDriver
from service_server.store.sqlite_driver import SqliteDriver
from tests.service_server.calls.scripted_calls import ScriptedCalls, ScriptedSender, whole

STARTED, SENT, FINISHED = ("INSERT INTO calls", True), "sent", ("UPDATE calls", True)
QUERY, REFUSED = ("INSERT INTO calls", False), ("INSERT INTO refusals", False)
CLAIMED, KEPT = ("INSERT INTO idempotency", True), ("UPDATE idempotency", True)
NOT_SENT, FREE = ("DELETE FROM calls", True), ("DELETE FROM idempotency", True)


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What has been committed, and whether durably, and when the request was sent, in their order."""
    seen: list[Any] = []

    def noting(driver: type[Any]) -> None:
        commit = driver.commit

        async def noted(self: Any, groups: Sequence[Group], *, durable: bool) -> None:
            await commit(self, groups, durable=durable)
            seen.extend(
                (" ".join(statement.sql.split()[: 2 + ("UPDATE" not in statement.sql)]), durable)
                for statement, rows in groups
                for _ in rows
            )

        monkeypatch.setattr(driver, "commit", noted)

    noting(SqliteDriver)
    noting(PostgreSQLDriver)
    send = ScriptedSender.send

    async def noted(self: ScriptedSender, request: OnwardRequest, *rest: Any, **named: Any) -> Outcome:
        seen.append(SENT)
        return await send(self, request, *rest, **named)

    monkeypatch.setattr(ScriptedSender, "send", noted)
    return seen


@pytest.mark.parametrize(
    ("function", "key", "expected"),
    [
        ("find", None, [SENT, QUERY]),
        ("find", "key", [CLAIMED, SENT, ("INSERT INTO calls", True), KEPT]),
        ("add", None, [STARTED, SENT, FINISHED]),
        ("add", "key", [CLAIMED, STARTED, SENT, FINISHED, KEPT]),
    ],
)
async def test_what_may_change_something_is_durable_before_it_is_sent_and_answered(
    calls: ScriptedCalls, happened: list[Any], function: str, key: str | None, expected: list[Any]
) -> None:
    """A query's row need not wait for the disk, unless its answer is to be repeated."""
    await calls.script([whole()])
    await calls.call(function, key)

    assert expected == happened


@pytest.mark.parametrize(
    ("function", "key", "expected"),
    [
        ("find", None, [SENT, REFUSED]),
        ("add", "key", [CLAIMED, STARTED, SENT, NOT_SENT, ("INSERT INTO refusals", True), FREE]),
    ],
)
async def test_what_was_not_sent_is_taken_back_durably(
    calls: ScriptedCalls, happened: list[Any], function: str, key: str | None, expected: list[Any]
) -> None:
    """What says that a call was refused need not be durable; what says that a mutation was begun is taken back so."""
    await calls.script([Unsent("unreachable", "closed")])
    with pytest.raises(Exception, match="reached"):
        await calls.call(function, key)

    assert expected == happened
