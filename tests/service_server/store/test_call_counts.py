"""The sums of calls by hour and day."""

import pytest

from service_server import events
from service_server.store import CallCounts, Database, DatabaseAway, Periods, Retention, Sums
from service_server.store.clock import now
from service_server.upkeep.counting import Counting

HOUR, DAY = 3600, 24 * 3600
NOON = 1_790_000_000 // DAY * DAY + 12 * HOUR


async def test_what_processes_counted_is_added_up(database: Database) -> None:
    """Of the same hour and function in one row, in hours as in days; other hours, apps and periods stay apart."""
    counts = CallCounts(database)
    for _ in range(2):
        await counts.add(
            {
                (NOON, "sandbox", "sandbox-a"): Sums(3, 1, 2, 30.0, 6.0),
                (NOON + HOUR, "sandbox", "sandbox-b"): Sums(1, 0, 0, 5.0, 1.0),
                (NOON - DAY, "kinto", "kinto-a"): Sums(1, 1, 0, 5.0, 1.0),
            }
        )
    hours, days = Periods.until(NOON + HOUR + 1, HOUR, 24), Periods.until(NOON, DAY, 2)

    assert {
        (NOON, "sandbox"): Sums(6, 2, 4, 60.0, 12.0),
        (NOON + HOUR, "sandbox"): Sums(2, 0, 0, 10.0, 2.0),
    } == await counts.by_app(hours)
    at_noon = (await counts.by_app(hours))[NOON, "sandbox"]
    assert (10.0, 2.0, 1 / 3) == (at_noon.mean_app_ms, at_noon.mean_service_ms, at_noon.failed_share)
    assert {} == await counts.by_app(hours, "kinto")
    assert {(NOON - NOON % DAY, "sandbox"): Sums(8, 2, 4, 70.0, 14.0)} == await counts.by_app(days, "sandbox")
    assert {
        ("sandbox", "sandbox-a"): Sums(6, 2, 4, 60.0, 12.0),
        ("sandbox", "sandbox-b"): Sums(2, 0, 0, 10.0, 2.0),
        ("kinto", "kinto-a"): Sums(2, 2, 0, 10.0, 2.0),
    } == await counts.by_function(days)


async def test_calls_are_counted_as_they_are_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Executed calls with their time and outcome, refused ones; what could not be added is not lost."""

    async def away(_: object) -> None:
        raise DatabaseAway("it is away")

    counts = CallCounts(database)
    counting = Counting(counts)
    async with counting.running():
        events.tell("call.executed", app="x", function="x-y", network_code="201", app_ms=10.0, service_ms=1.0)
        events.tell("call.executed", app="x", function="x-y", network_code="500", app_ms=20.0, service_ms=1.0)
        events.tell("call.refused", app="x", function="x-y", code="required")
        events.tell("account.refreshed", app="x")
        with monkeypatch.context() as patched:
            patched.setattr(counts, "add", away)
            with pytest.raises(DatabaseAway):
                await counting.add()
        events.tell("call.refused", app="x", function="x-y", code="required")

    assert [Sums(2, 1, 2, 30.0, 2.0)] == list((await counts.by_app(Periods.until(now(), HOUR, 2))).values())


async def test_counts_are_kept_longer_by_the_day(database: Database) -> None:
    """After 20 days the hours are gone, the days still there."""
    counts, moment = CallCounts(database), int(now()) - 20 * DAY
    await counts.add({(moment // HOUR * HOUR, "x", "x-y"): Sums(executed=1)})
    await Retention(database).forget(90)

    assert {} == await counts.by_app(Periods.until(moment, HOUR, 2))
    assert 1 == len(await counts.by_app(Periods.until(moment, DAY, 2)))
