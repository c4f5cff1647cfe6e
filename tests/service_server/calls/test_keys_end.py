"""An idempotency key ends with its call, whatever goes wrong: free if nothing was sent, settled if something was."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_client.models import CallResult
from service_server.invoke.kept_answer import kept_answer
from service_server.json_texts.json_text import JsonText
from service_server.store import DatabaseAway
from service_server.vault import VaultKeyError
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole

pytestmark = pytest.mark.slow

LIMIT = 256 * 1024


class Failing:
    """Stands before a method, and fails as often as it is told."""

    def __init__(self, method: Any, failure: Exception, times: int) -> None:
        self._method, self._failure, self.times = method, failure, times

    async def __call__(self, *arguments: Any) -> Any:
        """Fail, or do it."""
        if self.times:
            self.times -= 1
            raise self._failure
        return await self._method(*arguments)


@contextlib.contextmanager
def losing_its_answer(monkeypatch: pytest.MonkeyPatch, of: object, name: str) -> Iterator[None]:
    """Have a method do what it does, and then fail as if the database had gone before it could say so."""
    method = getattr(of, name)

    async def done_and_lost(*arguments: Any) -> None:
        await method(*arguments)
        raise DatabaseAway("the answer was lost")

    with monkeypatch.context() as patched:
        patched.setattr(of, name, done_and_lost)
        yield


@pytest.mark.parametrize("failure", [DatabaseAway("away"), VaultKeyError("replaced"), RuntimeError("a defect")])
async def test_a_key_whose_answer_can_not_be_kept_at_once(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """The call is answered; so is a repeat meanwhile, by the same; and the answer is kept when that works again."""
    await calls.script([whole(201)])
    failing = Failing(calls.records.complete, failure, 3)
    monkeypatch.setattr(calls.records, "complete", failing)
    first, _ = await calls.call("add", "key")
    times_before = failing.times
    meanwhile, replayed = await calls.call("add", "key")
    await calls.invoker.finish()
    afterwards, replayed_later = await calls.call("add", "key")

    assert times_before > 0
    assert (True, True) == (replayed, replayed_later)
    assert first.result == meanwhile.result == afterwards.result
    assert 1 == len(calls.sender.sent)


async def test_a_claim_whose_answer_was_lost(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent, and the key is free again once the database is back."""
    await calls.script([whole(201)])
    with losing_its_answer(monkeypatch, calls.records, "claim"), pytest.raises(DatabaseAway):
        await calls.call("add", "key")
    await calls.invoker.finish()
    sent_before = len(calls.sender.sent)
    executed, replayed = await calls.call("add", "key")

    assert 0 == sent_before
    assert ("201", False) == (executed.result.network_code, replayed)


async def test_claims_that_wait_for_the_database(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them counts among the ends that are not written yet, until it is free again."""
    await calls.script([whole(201)])
    monkeypatch.setattr(calls.records, "claim", Failing(calls.records.claim, DatabaseAway("away"), 2))
    release = Failing(calls.records.release, DatabaseAway("away"), 1_000)
    monkeypatch.setattr(calls.records, "release", release)
    for key in ("one", "two"):
        with pytest.raises(DatabaseAway):
            await calls.call("add", key)
    waiting = calls.endings.waiting
    release.times = 0
    await calls.invoker.finish()

    assert (2, 0) == (waiting, calls.endings.waiting)


@pytest.mark.parametrize("failure", [RuntimeError("a defect"), DatabaseAway("away")])
async def test_a_failure_before_anything_was_sent(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """Whatever it is, it leaves the key free, at the latest when the database is back."""
    await calls.script([whole(201)])
    calls.budgets.turns = [failure]
    monkeypatch.setattr(calls.records, "release", Failing(calls.records.release, DatabaseAway("away"), 2))
    with pytest.raises(type(failure)):
        await calls.call("add", "key")
    await calls.invoker.finish()
    executed, replayed = await calls.call("add", "key")

    assert ("201", False) == (executed.result.network_code, replayed)
    assert 1 == len(calls.sender.sent)


async def test_a_start_that_may_stand_in_the_log(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the database fails after writing it, nothing is sent, and it is taken out of the log again."""
    await calls.script([whole(201)])
    with losing_its_answer(monkeypatch, calls.log, "record"), pytest.raises(DatabaseAway):
        await calls.call("add", "key")
    await calls.invoker.finish()

    assert [] == (await calls.log.calls(limit=5)).entries
    assert [] == calls.sender.sent
    executed, _ = await calls.call("add", "key")
    assert "201" == executed.result.network_code


async def test_an_end_that_is_given_up(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written when the process ends is left as started, for the next one to call unknown."""
    await calls.script([whole(201)])
    monkeypatch.setattr(calls.log, "finish", Failing(calls.log.finish, DatabaseAway("away"), 99))
    monkeypatch.setattr(calls.log, "settle", Failing(calls.log.settle, DatabaseAway("away"), 99))
    executed, _ = await calls.call("add", "key")
    await calls.invoker.give_up()

    assert "201" == executed.result.network_code
    assert "started" == (await calls.log.calls(limit=1)).entries[0].outcome


async def test_a_large_answer_is_not_kept(calls: ScriptedCalls) -> None:
    """The first call gets all of it; a repeat gets its code, and that the answer was not kept."""
    large = json.dumps({"text": "x" * LIMIT}).encode()
    await calls.script([whole(201, large)])
    first, _ = await calls.call("add", "key")
    repeat, replayed = await calls.call("add", "key")

    assert LIMIT == len(first.result.output.value()["text"])
    assert (True, "201", "answer_not_kept") == (
        replayed,
        repeat.result.network_code,
        repeat.result.output.value()["error"],
    )
    assert 1 == len(calls.sender.sent)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(JSON, st.integers(2, 300))
def test_what_is_kept_is_whole_or_small(output: Any, limit: int) -> None:
    """An answer whose JSON fits is kept as it is, every other one is told to be missing."""
    kept = kept_answer(CallResult(network_code="200", output=output, next_page=""), limit)
    text = JsonText.of(output).text

    assert ("200", "") == (kept["network_code"], kept["next_page"])
    assert (len(text) <= limit) == (kept["output"] == text.decode())
