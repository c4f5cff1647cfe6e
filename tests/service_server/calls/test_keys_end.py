"""An idempotency key ends with its call, whatever goes wrong: free if nothing was sent, settled if something was."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_client.models import CallResult
from service_server.invoke import endings
from service_server.invoke.kept_answer import kept_answer
from service_server.json_texts.json_text import JsonText
from service_server.store import DatabaseAway
from service_server.vault import VaultKeyError
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole

pytestmark = pytest.mark.slow

LIMIT = 256 * 1024
AWAY = DatabaseAway("away")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nobody wait long for what is tried again."""
    monkeypatch.setattr(endings, "FIRST_PAUSE_SECONDS", 0.01)


@pytest.fixture
async def made(calls: ScriptedCalls) -> ScriptedCalls:
    """The steps of a call, with an app that makes what it is asked for."""
    await calls.script([whole(201)])
    return calls


class Failing:
    """Stands before a method of a part, and fails as often as it is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, part: Any, name: str, failure: Exception, times: int) -> None:
        self._method, self._failure, self.times = getattr(part, name), failure, times
        monkeypatch.setattr(part, name, self)

    async def __call__(self, *arguments: Any) -> Any:
        """Fail, or do it."""
        if self.times:
            self.times -= 1
            raise self._failure
        return await self._method(*arguments)


@contextlib.contextmanager
def losing_its_answer(monkeypatch: pytest.MonkeyPatch, part: object, name: str) -> Iterator[None]:
    """Have a method do what it does, and then fail as if the database had gone before it could say so."""
    method = getattr(part, name)

    async def done_and_lost(*arguments: Any) -> None:
        await method(*arguments)
        raise AWAY

    with monkeypatch.context() as patched:
        patched.setattr(part, name, done_and_lost)
        with pytest.raises(DatabaseAway):
            yield


async def is_free(calls: ScriptedCalls) -> bool:
    """Whether the key can be used, and the call is then sent, for the first time."""
    await calls.invoker.finish()
    sent = len(calls.sender.sent)
    executed, replayed = await calls.call("add", "key")
    return (0, "201", False) == (sent, executed.result.network_code, replayed)


@pytest.mark.parametrize("failure", [AWAY, VaultKeyError("replaced"), RuntimeError("a defect")])
async def test_a_key_whose_answer_can_not_be_kept_at_once(
    made: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """The call is answered; so is a repeat meanwhile, by the same; and the answer is kept when that works again."""
    failing = Failing(monkeypatch, made.records, "complete", failure, 1_000)
    first, _ = await made.call("add", "key")
    meanwhile, replayed = await made.call("add", "key")
    failed, failing.times = 1_000 - failing.times, 0
    await made.invoker.finish()
    afterwards, replayed_later = await made.call("add", "key")

    assert failed > 0
    assert (True, True) == (replayed, replayed_later)
    assert first.result == meanwhile.result == afterwards.result
    assert 1 == len(made.sender.sent)


@pytest.mark.parametrize(("part", "name"), [("records", "claim"), ("log", "record")])
async def test_a_start_whose_answer_was_lost(
    made: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, part: str, name: str
) -> None:
    """Nothing is sent, what was written is taken back, and the key is free again once the database is back."""
    with losing_its_answer(monkeypatch, getattr(made, part), name):
        await made.call("add", "key")
    await made.invoker.finish()

    assert [] == await made.rows()
    assert await is_free(made)


async def test_claims_that_wait_for_the_database(made: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them counts among the ends that are not written yet, until it is free again."""
    Failing(monkeypatch, made.records, "claim", AWAY, 2)
    release = Failing(monkeypatch, made.records, "release", AWAY, 1_000)
    for key in ("one", "two"):
        with pytest.raises(DatabaseAway):
            await made.call("add", key)
    waiting = made.endings.waiting
    release.times = 0
    await made.invoker.finish()

    assert (2, 0) == (waiting, made.endings.waiting)


@pytest.mark.parametrize("failure", [RuntimeError("a defect"), AWAY])
async def test_a_failure_before_anything_was_sent(
    made: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """Whatever it is, it leaves the key free, at the latest when the database is back."""
    made.budgets.turns = [failure]
    Failing(monkeypatch, made.records, "release", AWAY, 2)
    with pytest.raises(type(failure)):
        await made.call("add", "key")

    assert await is_free(made)


async def test_an_end_that_is_given_up(made: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written when the process ends is left as started, for the next one to call unknown."""
    for name in ("finish", "settle"):
        Failing(monkeypatch, made.log, name, AWAY, 99)
    executed, _ = await made.call("add", "key")
    await made.invoker.give_up()

    assert "201" == executed.result.network_code
    assert ["started"] == [row.outcome for row in await made.rows()]


async def test_a_large_answer_is_not_kept(calls: ScriptedCalls) -> None:
    """The first call gets all of it; a repeat gets its code, and that the answer was not kept."""
    await calls.script([whole(201, json.dumps({"text": "x" * LIMIT}).encode())])
    first, _ = await calls.call("add", "key")
    repeat, replayed = await calls.call("add", "key")

    assert LIMIT == len(first.result.output.value()["text"])
    assert (True, "201") == (replayed, repeat.result.network_code)
    assert "answer_not_kept" == repeat.result.output.value()["error"]
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
