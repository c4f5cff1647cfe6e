"""From the first byte that left us a call is executed, whatever comes behind it; before that it is refused."""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_client.models import Action, Code
from service_server.errors import ServiceError, refused
from service_server.invoke import send as send_module
from service_server.invoke.keep_budget import LONGEST_WAIT_SECONDS
from service_server.onward.values import Outcome, Unanswered, Unsent
from service_server.store import DatabaseAway, StoredFiles, Turn
from tests.service_server.calls.scripted_calls import GRANTED, ScriptedCalls, calls_of, in_errors, whole, written

pytestmark = pytest.mark.slow

WHOLE = [whole(), whole(201), whole(401), whole(429), whole(503), whole(302), whole(500, b"\xff")]
UNANSWERED = [Unanswered("timed_out", "slow"), Unanswered("broken_off", "gone"), Unanswered("too_large", "big")]
UNSENT = {
    Unsent("unreachable", "closed"): (Code.APP_UNREACHABLE, Action.WAIT, None),
    Unsent("invalid", "no"): (Code.FORMAT, Action.FIX_FIELD, None),
    Unsent("not_allowed", "elsewhere"): (Code.HOST_NOT_ALLOWED, Action.FIX_FIELD, "url"),
}
LOST = DatabaseAway("away")
REFUSAL = refused(Code.RECONNECT_REQUIRED, "Reconnect the account.")
numbers = itertools.count()
Scripted = tuple[asyncio.Runner, ScriptedCalls]


@pytest.fixture(scope="module")
def scripted(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    """The steps of a call, and the event loop that they live in; no repetition waits."""
    catalog = written(tmp_path_factory.mktemp("connectors"))
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch:
        patch.setattr(send_module, "FIRST_WAIT_SECONDS", 0.0)
        world = calls_of(catalog, empty_database, tmp_path_factory.mktemp("scripted"))
        yield runner, runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@settings(max_examples=150)
@given(
    function=st.sampled_from(["replace", "add", "find", "put"]),
    first=st.sampled_from([*WHOLE, *UNANSWERED]),
    following=st.lists(st.sampled_from([*WHOLE, *UNANSWERED, *UNSENT, RuntimeError("x?key=secret")]), max_size=5),
    renewals=st.lists(st.sampled_from(["renewed", "none", "unusable", REFUSAL, LOST, RuntimeError("x")]), max_size=2),
    turns=st.lists(st.sampled_from([Turn(False, 60), LOST, Turn(True, 0)]), max_size=3),
)
def test_what_was_sent_is_executed_whatever_follows(
    scripted: Scripted,
    function: str,
    first: Outcome,
    following: list[Outcome | Exception],
    renewals: list[str | Exception],
    turns: list[Turn | Exception],
) -> None:
    """It is answered, finished in the log, and a repeat with its key gets the same without sending anything."""
    runner, calls = scripted
    request_id = f"executed {next(numbers)}"

    async def call_and_repeat() -> None:
        await calls.script([first, *following], renewals, turns)
        executed, replayed = await calls.call(function, request_id, request_id)
        sent = len(calls.sender.sent)
        again, replayed_again = await calls.call(function, request_id, request_id)
        (row,) = [row for row in (await calls.log.calls(limit=5)).entries if row.request_id == request_id]

        assert (False, True) == (replayed, replayed_again)
        assert executed.result == again.result
        assert sent == len(calls.sender.sent)
        assert ("finished", executed.result.network_code) == (row.outcome, row.network_code)
        refusals = (await calls.log.refusals(limit=5)).entries
        assert request_id not in [refusal.request_id for refusal in refusals]

    runner.run(call_and_repeat())


@pytest.mark.parametrize("function", ["replace", "add", "find"])
@pytest.mark.parametrize(("unsent", "told"), UNSENT.items())
def test_what_was_not_sent_is_refused(
    scripted: Scripted, function: str, unsent: Unsent, told: tuple[Code, Action, str | None]
) -> None:
    """It stands among the refused calls and not in the log, its key is free, and its caller knows what to do next."""
    runner, calls = scripted
    request_id = f"refused {next(numbers)}"

    async def call_twice() -> None:
        await calls.script([unsent, whole()])
        with pytest.raises(ServiceError) as refusal:
            await calls.call(function, request_id, request_id)
        executed, replayed = await calls.call(function, request_id, request_id)

        assert 400 == refusal.value.status
        assert [told] == [(detail.code, detail.action, detail.field) for detail in refusal.value.details]
        assert ("200", False) == (executed.result.network_code, replayed)
        assert 1 == len([row for row in (await calls.log.calls(limit=5)).entries if row.request_id == request_id])
        assert request_id == (await calls.log.refusals(limit=1)).entries[0].request_id

    runner.run(call_twice())


@pytest.mark.parametrize(
    ("function", "outcomes", "code"),
    [
        ("replace", [whole(503), Unsent("unreachable", "closed")], "503"),
        ("replace", [whole(503), Unanswered("timed_out", "slow")], "504"),  # this one may have been carried out
        ("find", [whole(503), Unanswered("timed_out", "slow")], "503"),
        ("replace", [whole(401), Unsent("unreachable", "closed")], "401"),
        ("add", [whole(401), Unanswered("broken_off", "gone")], "502"),
        ("find", [Unanswered("broken_off", "gone"), whole()], "502"),
        ("find", [RuntimeError("x?key=secret"), whole()], "502"),  # nobody can tell whether it was sent
        ("ring", [whole(503), whole(200)], "503"),  # it changes something, though by GET
        ("replace", [whole(503), whole(503), whole(200)], "200"),  # as often as the connector says
        ("replace", [whole(503), whole(503), whole(503), whole(200)], "503"),  # and no more often
        ("replace", [whole(503), Unsent("unreachable", "closed"), whole(200)], "503"),
    ],
)
def test_the_last_whole_answer_is_told(
    scripted: Scripted, function: str, outcomes: list[Outcome | Exception], code: str
) -> None:
    """Unless a request that may have changed something got none after it: then nobody knows."""
    runner, calls = scripted
    runner.run(calls.script(outcomes, ["renewed"]))
    executed, _ = runner.run(calls.call(function))

    assert code == executed.result.network_code


@pytest.mark.parametrize(("status", "sent"), [(403, 2), (503, 2), (429, 1), (500, 1)])
async def test_a_connector_says_what_is_repeated(
    empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, sent: int
) -> None:
    """By its statuses, and where the app has another one for its limit; not after a 429 that it left out of these."""
    monkeypatch.setattr(send_module, "FIRST_WAIT_SECONDS", 0.0)
    limit = {"when": {"status": [403, 429]}, "kind": "rate_limited"}
    catalog = written(tmp_path / "connectors", errors=[limit], retry={"max": 1, "on": [503]})
    async with calls_of(catalog, empty_database, tmp_path) as calls:
        await calls.script([whole(status), whole()])
        await calls.call("find")

        assert sent == len(calls.sender.sent)


@pytest.mark.parametrize(("function", "asked", "sent"), [("search", "0", 3), ("add", "0", 1), ("search", "1", 1)])
def test_a_limit_told_in_a_body(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, function: str, asked: str, sent: int
) -> None:
    """A query is asked again, by POST too, a mutation never; nobody waits for long; the last answer is relayed."""
    monkeypatch.setattr(send_module, "LONGEST_WAIT_SECONDS", 0.0)
    runner, calls = scripted
    runner.run(calls.script([whole(200, in_errors("LIMITED"), **{"retry-after": asked})]))
    executed, _ = runner.run(calls.call(function))

    assert ("200", sent) == (executed.result.network_code, len(calls.sender.sent))
    assert in_errors("LIMITED") == executed.result.output.text


@pytest.mark.parametrize(("asked", "expected"), [({}, [1, 2, 4]), ({"retry-after": "2"}, [2, 2, 2])])
async def test_a_repetition_waits(
    empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], expected: list[float]
) -> None:
    """Longer and longer, unless the app says how long."""
    monkeypatch.setattr(send_module, "FIRST_WAIT_SECONDS", 1.0)
    waited: list[float] = []

    async def noted(seconds: float) -> None:
        waited.append(seconds)

    async with calls_of(written(tmp_path, retry={"max": 3}), empty_database, tmp_path) as calls:
        await calls.script([whole(503, **asked)])
        with monkeypatch.context() as patched:
            patched.setattr(send_module.asyncio, "sleep", noted)
            await calls.call("find")

    assert expected == [seconds for seconds in waited if seconds > 0]


@pytest.mark.parametrize(
    ("turn", "code", "sent"),
    [(Turn(False, 60), "503", 1), (LOST, "503", 1), (RuntimeError("a defect"), "503", 1), (GRANTED, "200", 2)],
)
def test_a_repetition_needs_a_turn(scripted: Scripted, turn: Turn | Exception, code: str, sent: int) -> None:
    """Of its own, within the budget of the account; the answer that is there counts where none is to be had in time."""
    runner, calls = scripted
    runner.run(calls.script([whole(503), whole(200)], turns=[turn]))
    executed, _ = runner.run(calls.call("replace"))
    account = runner.run(calls.account())

    assert (code, sent) == (executed.result.network_code, len(calls.sender.sent))
    assert [(account.id, 1000, 3600, LONGEST_WAIT_SECONDS)] * 2 == calls.budgets.asked


FILE = {"file": "https://files.example.com/a.txt"}


@pytest.mark.parametrize("failure", [LOST, RuntimeError("a defect")])
async def test_a_fetched_file_that_can_not_be_deleted(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """It goes within the hour; the call was executed all the same."""
    await calls.script([whole(200, b"content"), whole(201)])
    monkeypatch.setattr(StoredFiles, "delete", AsyncMock(side_effect=failure))
    executed, _ = await calls.call("attach", arguments=FILE)

    assert ("201", 2) == (executed.result.network_code, len(calls.sender.sent))


async def test_a_service_that_ends_while_a_fetched_file_is_deleted(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call was executed, and is told as such."""
    deleting = asyncio.Event()

    async def stuck(*_: object) -> None:
        deleting.set()
        await asyncio.Event().wait()

    await calls.script([whole(200, b"content"), whole(201)])
    monkeypatch.setattr(StoredFiles, "delete", stuck)
    task = asyncio.create_task(calls.call("attach", arguments=FILE))
    await deleting.wait()
    await calls.invoker.give_up()

    assert "201" == (await task)[0].result.network_code


async def test_a_file_that_can_not_be_kept_while_the_database_is_away(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is named, not the file's address, which is right; nothing is sent."""
    await calls.script([whole(200, b"content"), whole(201)])
    monkeypatch.setattr(StoredFiles, "add_piece", AsyncMock(side_effect=LOST))
    with pytest.raises(DatabaseAway):
        await calls.call("attach", arguments=FILE)

    assert 1 == len(calls.sender.sent)  # to where the file is
