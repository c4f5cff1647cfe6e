"""The Function Calls log as it is kept."""

import itertools
from typing import Any

from service_server.store import CallLog, Database
from service_server.store.call_ids import call_id
from tests.service_server.store.databases import call


async def test_a_call_is_kept_as_it_was(database: Database) -> None:
    """What is recorded and finished is read back the same, whatever JSON it carries."""
    log = CallLog(database)
    answer: Any = {"ü": [None, True, 1.5, "x" * 10_000], "": {}}
    started = call("a", arguments={"title": "it's"}, user_id="ünïcode 🙂")
    await log.record(started)
    await log.finish(call("a", network_code="200", output=answer, duration_ms=12.5))
    found = await log.get("a")

    assert found is not None
    assert ("finished", "200", answer, 12.5) == (found.outcome, found.network_code, found.output, found.duration_ms)
    assert ({"title": "it's"}, "ünïcode 🙂") == (found.arguments, found.user_id)


async def test_a_call_that_was_not_sent_is_taken_back(database: Database) -> None:
    """A discarded call leaves no trace in the log."""
    log = CallLog(database)
    await log.record(call("a"))
    await log.discard("a")

    assert await log.get("a") is None


async def test_pages_of_the_log_meet_without_gap(database: Database) -> None:
    """Newest first; each page goes on right after the last call of the one before."""
    log = CallLog(database)
    ids = sorted(call_id() for _ in range(25))
    for identifier in ids:
        await log.record(call(identifier))
    seen: list[str] = []
    while page := (await log.calls(limit=10, before=seen[-1] if seen else None)).entries:
        seen += [each.id for each in page]

    assert list(reversed(ids)) == seen


def test_ids_sort_by_the_time_they_were_given() -> None:
    """A later call has a greater id, also within a millisecond, and no two are the same."""
    ids = [call_id() for _ in range(5000)]
    within = [earlier < later for earlier, later in itertools.pairwise(ids) if earlier[12:16] < later[12:16]]

    assert 5000 == len(set(ids))
    assert all(within)
