"""Idempotency keys, step by step: what a repeat is told while the first call is under way, refused, lost, or done."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from attrs import evolve

from service_client.models import Action, CallResult, Code
from service_server.errors import ServiceError
from service_server.invoke import FormBody, idempotency
from service_server.invoke.kept_answer import answer_of, kept_answer, unknown_outcome
from service_server.invoke.next_page import arguments_hash
from service_server.store import Call, CallOutcome, IdempotencyRecord, IdempotencyRecords
from service_server.store.call_ids import call_id
from service_server.vault import Kept, Vault, keys_from_text
from tests.service_server.calls.callers import request_of
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole
from tests.service_server.connected_world import VAULT_KEY
from tests.service_server.store.databases import call


def new_record() -> IdempotencyRecord:
    """Ann's key for a call that adds something."""
    return IdempotencyRecord(
        application_id=1,
        user_id="ann",
        function_name="acme-add",
        idempotency_key="key",
        arguments_hash=arguments_hash([{}, None]),
        call_id=call_id(),
        created_at=time.time(),
    )


@pytest.fixture
async def claimed(calls: ScriptedCalls) -> IdempotencyRecord:
    """The key of a call that another process has begun."""
    await calls.script([whole(201)])
    record = new_record()
    assert await calls.records.claim(record) is None
    return record


async def conflict(calls: ScriptedCalls) -> tuple[str, Action | None]:
    """How a repeat is refused, without sending anything: its message, and the button that helps."""
    with pytest.raises(ServiceError) as refusal:
        await calls.call("add", "key")
    assert (409, Code.IDEMPOTENCY_CONFLICT) == (refusal.value.status, refusal.value.code)
    assert [] == calls.sender.sent
    return refusal.value.error, refusal.value.details[0].action


async def test_what_is_a_key(calls: ScriptedCalls) -> None:
    """1 to 255 printable characters of ASCII; with any other nothing is sent."""
    await calls.script([whole()])
    for key in ("", "x" * 256, "é", "a\n", "a\x7f"):
        with pytest.raises(ServiceError, match="1 to 255 printable") as refusal:
            await calls.call("add", key)
        assert (400, Code.FORMAT) == (refusal.value.status, refusal.value.code)
    assert [] == calls.sender.sent

    for key in ("x", "~ " * 127 + "x"):
        assert [False, True] == [(await calls.call("add", key))[1] for _ in range(2)]
    assert 2 == len(calls.sender.sent)


async def test_a_repeat_has_the_same_arguments(calls: ScriptedCalls) -> None:
    """A form's pairs in their order; others, or another account, are a conflict; another function's key is another."""
    await calls.script([whole()])
    request = request_of(calls.catalog, "acme-put", FormBody((("name", "a"),)))

    assert [False, True] == [(await calls.invoker.call(request, "key"))[1] for _ in range(2)]
    for other in (
        evolve(request, body=FormBody((("name", "b"),))),
        evolve(request, connected_account_id=(await calls.account()).id),
    ):
        with pytest.raises(ServiceError, match="other arguments") as refusal:
            await calls.invoker.call(other, "key")
        assert (409, Code.IDEMPOTENCY_CONFLICT) == (refusal.value.status, refusal.value.code)
    assert False is (await calls.call("add", "key"))[1]


@pytest.mark.parametrize("key", [None, "key"])
async def test_a_call_under_way_names_its_process(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    """In its row, and in its key, which names the row too: if the process dies, they are ended by these."""
    await calls.script([whole()])
    send, seen = type(calls.sender).send, list[tuple[list[Call], IdempotencyRecord | None]]()

    async def looked(*given: Any, **named: Any) -> Any:
        seen.append((await calls.rows(), await calls.records.get(new_record())))
        return await send(*given, **named)

    monkeypatch.setattr(type(calls.sender), "send", looked)
    await calls.call("add", key)
    (((row,), found),) = seen

    assert ("started", calls.log.process_id) == (row.outcome, row.process_id)
    assert (None if key is None else (row.id, row.process_id)) == (found and (found.call_id, found.process_id))


def before_looking_again(monkeypatch: pytest.MonkeyPatch, calls: ScriptedCalls, act: Callable[[], Any]) -> None:
    """Have something happen after the second look at a key that is held; the first one is in claiming it."""
    get, looks = calls.records.get, itertools.count()

    async def looked(record: IdempotencyRecord) -> IdempotencyRecord | None:
        found = await get(record)
        if next(looks) == 1:
            await act()
        return found

    monkeypatch.setattr(idempotency, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(calls.records, "get", looked)


@pytest.mark.parametrize("is_in_the_log", [False, True])
async def test_a_repeat_waits_for_the_first_call(
    calls: ScriptedCalls, claimed: IdempotencyRecord, monkeypatch: pytest.MonkeyPatch, is_in_the_log: bool
) -> None:
    """And is answered as soon as that is done, as it was."""
    answer = kept_answer(CallResult(network_code="201", output="made", next_page="more"), 1000)
    sealed = Vault(keys_from_text(VAULT_KEY)).seal(answer, Kept.IDEMPOTENT_RESULT, 1, "ann", "acme-add", "key")
    before_looking_again(monkeypatch, calls, partial(calls.records.complete, claimed, sealed))
    if is_in_the_log:
        await calls.log.record(call(claimed.call_id))
    executed, replayed = await calls.call("add", "key")
    result = executed.result

    assert (True, "201", "made", "more") == (replayed, result.network_code, result.output.value(), result.next_page)
    assert [] == calls.sender.sent


async def test_a_repeat_does_not_wait_for_ever(
    calls: ScriptedCalls, claimed: IdempotencyRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to ask again later; and to send it again if the first call was refused meanwhile: nothing happened."""
    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "WAIT_SECONDS", -1.0)
        message, action = await conflict(calls)
    before_looking_again(monkeypatch, calls, partial(calls.records.release, claimed))
    told_later, _ = await conflict(calls)

    assert "still under way" in message
    assert Action.WAIT == action
    assert "was refused" in told_later


async def test_a_repeat_gets_no_answer_to_other_arguments(
    calls: ScriptedCalls, claimed: IdempotencyRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it waits, the first call may be refused and another one, with other arguments, take the key and be done."""
    other = evolve(claimed, arguments_hash=arguments_hash([{"name": "other"}, None]), call_id=call_id())

    async def taken_by_another() -> None:
        await calls.records.release(claimed)
        assert await IdempotencyRecords.claim(calls.records, other) is None
        await calls.records.complete(other, "the answer to the other one")

    before_looking_again(monkeypatch, calls, taken_by_another)
    told, _ = await conflict(calls)

    assert "with other arguments" in told


@pytest.mark.parametrize(
    ("outcome", "code", "told", "error"),
    [
        ("unknown", None, "502", "outcome_unknown"),
        ("finished", "201", "201", "answer_not_kept"),
        ("finished", None, "", "answer_not_kept"),
    ],
)
async def test_an_answer_that_was_never_kept(
    calls: ScriptedCalls, claimed: IdempotencyRecord, outcome: CallOutcome, code: str | None, told: str, error: str
) -> None:
    """A repeat gets what the log has, and that the answer is gone or nobody knows it; nothing is sent."""
    await calls.log.record(call(claimed.call_id, outcome=outcome, network_code=code))
    executed, replayed = await calls.call("add", "key")

    assert (True, told, error) == (replayed, executed.result.network_code, executed.result.output["error"])
    assert ("could not be written" in executed.result.output["reason"]) == (outcome == "finished")
    assert (0.0, 0.0) == (executed.upstream_ms, executed.total_ms)
    assert [] == calls.sender.sent


async def test_calls_that_end_with_the_service(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sent is executed: what became of a change nobody knows, and a query got no answer, and no more pages."""
    await calls.script([whole()])
    sending = asyncio.Semaphore(0)

    async def endless(*_: Any, **__: Any) -> Any:
        sending.release()
        await asyncio.Event().wait()

    monkeypatch.setattr(type(calls.sender), "send", endless)
    called = [("add", {}), ("put", {}), ("find", {}), ("fields", {"ticket": "7"})]
    tasks = [asyncio.create_task(calls.call(function, arguments=arguments)) for function, arguments in called]
    for _ in tasks:
        await sending.acquire()
    await calls.invoker.give_up()
    executed = [(await task)[0] for task in tasks]
    results = [each.result for each in executed]

    assert [unknown_outcome()] * 2 == results[:2]
    reason = "the service stopped before the app answered"
    told = {"error": "broken_off", "reason": reason}
    assert [(told, "")] * 2 == [(each.output.value(), each.next_page) for each in results[2:]]
    assert {0.0} == {each.upstream_ms for each in executed}


async def test_an_answered_call_whose_end_is_not_written_when_the_service_ends(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was executed, and is told as such: who was told that it was not would have it done once more."""
    await calls.script([whole(201)])
    writing = asyncio.Event()

    async def stuck(*_: Any, **__: Any) -> None:
        writing.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(calls.log, "finish", stuck)
    task = asyncio.create_task(calls.call("add"))
    await writing.wait()
    await calls.invoker.give_up()

    assert "201" == (await task)[0].result.network_code


async def test_a_call_that_will_not_end(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service goes down without it."""
    monkeypatch.setattr(idempotency, "GIVING_UP_SECONDS", 0.01)
    await calls.script([whole()])
    sending, may_end = asyncio.Event(), asyncio.Event()

    async def stubborn(*_: Any, **__: Any) -> Any:
        sending.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await may_end.wait()
        return whole()

    monkeypatch.setattr(type(calls.sender), "send", stubborn)
    task = asyncio.create_task(calls.call("find"))
    await sending.wait()
    await calls.invoker.give_up()
    had_ended = task.done()
    may_end.set()

    assert not had_ended
    assert "200" == (await task)[0].result.network_code


def test_a_kept_answer_comes_back_whole() -> None:
    """With its code and its cursor."""
    result = unknown_outcome()
    again = answer_of(kept_answer(result, 1000))

    assert ("502", None, result.output) == (again.network_code, again.next_page, again.output.value())
    assert {"error", "reason"} == set(result.output)
