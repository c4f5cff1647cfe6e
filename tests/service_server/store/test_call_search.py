"""Searching the log: every filter, in pages that never read much."""

import itertools
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.dialects import sqlite

from service_server.store import CallFilter, CallLog, Database, call_search
from service_server.store.call_ids import call_id, first_id
from service_server.store.call_search import search
from service_server.store.clock import now
from service_server.store.tables import CALLS
from tests.service_server.store.databases import call, refusal

pytestmark = pytest.mark.slow

BEGAN = 1_790_000_000.0
NAMES = "abcdefg"
MATCHING = [
    (CallFilter(), "abcdefg"),
    (CallFilter(request_id="first"), "a"),
    (CallFilter(request_id="first", user_id="bea"), ""),
    (CallFilter(app_name="kinto"), "c"),
    (CallFilter(app_name="sandbox", succeeded=False), "be"),
    (CallFilter(function_name="sandbox-%"), ""),
    (CallFilter(code_class="2"), "af"),
    (CallFilter(code_class="4"), "b"),
    (CallFilter(code_class="5", app_name="sandbox"), ""),
    (CallFilter(succeeded=True), "af"),
    (CallFilter(succeeded=False, code_class="3"), "e"),
    (CallFilter(succeeded=True, code_class="3"), ""),
    (CallFilter(outcome="started"), "g"),
    (CallFilter(outcome="unknown", application_id=1), "d"),
    (CallFilter(outcome="unknown", application_id=2), ""),
    (CallFilter(outcome="finished", user_id="ann"), "abc"),
    (CallFilter(since=BEGAN + 2 * 3600), "cdefg"),
    (CallFilter(until=BEGAN + 2 * 3600), "ab"),
    (CallFilter(since=BEGAN + 1, until=BEGAN + 4 * 3600, application_id=1, succeeded=False), "bc"),
    (CallFilter(user_id="bea", application_id=2, function_name="sandbox-create-ticket", code_class="2"), "f"),
]


def an_id(number: int) -> str:
    """The id of a call that began so many hours after the first one."""
    return first_id(BEGAN + number * 3600) + 20 * "0"


async def fill(database: Database) -> CallLog:
    """Seven calls, an hour apart."""
    log = CallLog(database)
    rows: list[dict[str, Any]] = [
        {"outcome": "finished", "network_code": "200", "request_id": "first"},
        {"outcome": "finished", "network_code": "404"},
        {"outcome": "finished", "network_code": "503", "app_name": "kinto", "function_name": "kinto-list-records"},
        {"outcome": "unknown"},
        {"outcome": "finished", "network_code": "301", "user_id": "bea"},
        {"outcome": "finished", "network_code": "204", "user_id": "bea", "application_id": 2},
        {"outcome": "started", "application_id": 3},
    ]
    for number, changes in enumerate(rows):
        await log.record(call(an_id(number), **changes))
    return log


async def test_filters_narrow_together(database: Database) -> None:
    """Each filter, alone and beside others, whichever of them leads; the export finds the same."""
    log = await fill(database)
    names = {an_id(number): name for number, name in enumerate(NAMES)}

    for matching, expected in MATCHING:
        page = await log.calls(limit=9, matching=matching)
        assert list(reversed(expected)) == [names[each.id] for each in page.entries], matching
        assert (None, False) == (page.older, page.cut), matching
        exported = [names[each.id] async for each in log.each(matching, contents=True)]
        assert list(reversed(expected)) == exported, matching


@pytest.mark.parametrize("matching", [CallFilter(code_class="2"), CallFilter(user_id="ann", code_class="2")])
async def test_a_page_reads_no_more_than_it_may(
    database: Database, matching: CallFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where too few of the tried rows match, or none, it says where to go on; the pages together miss none."""
    monkeypatch.setattr(call_search, "MOST_READ", 4)
    log = CallLog(database)
    for number in range(12):
        code = "200" if number in (0, 7) else "500"
        await log.record(call(an_id(number), outcome="finished", network_code=code))
    pages, before = [], None
    while True:
        page = await search(database, dict, [CALLS.c.id], matching, limit=9, before=before)
        pages.append(([each["id"] for each in page.entries], page.cut))
        before = page.older
        if before is None:
            break

    assert [([], True), ([an_id(7)], True), ([an_id(0)], True), ([], False)] == pages
    nothing = await log.calls(limit=9, matching=CallFilter(code_class="4"))
    assert ([], an_id(8), True) == (nothing.entries, nothing.older, nothing.cut)


@pytest.mark.parametrize("matching", [CallFilter(outcome="unknown"), CallFilter(succeeded=False)])
def test_conditions_of_indexes_stand_in_their_words(matching: CallFilter) -> None:
    """Compared with 1, as SQLAlchemy writes what it knows to be a boolean, SQLite would take no index for them."""
    leads = matching.conditions(CALLS)[0]
    written = str(select(CALLS.c.id).where(leads.plain).compile(dialect=sqlite.dialect()))

    assert leads.indexed
    assert written.endswith(("WHERE outcome <> 'finished'", "network_code NOT LIKE '2%'"))


async def test_the_rarest_condition_leads(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is full however often the other conditions hold: rows are tried by the index that has the fewest."""
    monkeypatch.setattr(call_search, "MOST_READ", 4)
    log = CallLog(database)
    for number in range(12):
        rare = {"user_id": "rare"} if number < 2 else {}
        await log.record(call(an_id(number), outcome="finished", network_code="500", **rare))
    matching = CallFilter(application_id=1, app_name="sandbox", user_id="rare", succeeded=False)
    page = await search(database, dict, [CALLS.c.id], matching, limit=9, before=None)

    assert [an_id(1), an_id(0)] == [each["id"] for each in page.entries]
    assert not page.cut


async def test_refusals_are_searched_as_calls_are(database: Database) -> None:
    """By request, by the app in their function's name, by code and by time; they have no outcome."""
    log = CallLog(database)
    await log.refuse(refusal(an_id(0), function_name="sandbox-get-ticket", request_id="r1"))
    await log.refuse(refusal(an_id(1), function_name="sandbox_2-get", code="format", request_id="r2"))

    async def found(matching: CallFilter) -> list[str]:
        assert [each.id for each in (await log.refusals(limit=9, matching=matching)).entries] == [
            each.id async for each in log.each_refusal(matching)
        ]
        return [each.request_id for each in (await log.refusals(limit=9, matching=matching)).entries]

    assert ["r1"] == await found(CallFilter(app_name="sandbox"))
    assert ["r2"] == await found(CallFilter(code="format"))
    assert ["r2"] == await found(CallFilter(since=BEGAN + 1))
    assert ["r1"] == await found(CallFilter(request_id="r1", user_id="ann"))
    assert ["r2", "r1"] == await found(CallFilter(outcome="unknown"))


async def test_a_long_export_reads_page_after_page(database: Database) -> None:
    """Every call comes once, with its contents only where they are asked for."""
    log = CallLog(database)
    for number in range(230):
        await log.record(call(an_id(number), arguments={"n": number}))

    numbers = [each.arguments["n"] async for each in log.each(contents=True)]
    assert list(range(229, -1, -1)) == numbers
    assert {None} == {each.arguments async for each in log.each(contents=False)}


def test_ids_sort_by_the_time_they_were_given() -> None:
    """A later call has a greater id, also within a millisecond; no two are the same; each begins with its moment."""
    before = first_id(now())
    ids = [call_id() for _ in range(5000)]
    within = [earlier < later for earlier, later in itertools.pairwise(ids) if earlier[12:16] < later[12:16]]

    assert 5000 == len(set(ids))
    assert all(within)
    assert before <= ids[0]
    assert ids[-1] < first_id(now() + 1)
