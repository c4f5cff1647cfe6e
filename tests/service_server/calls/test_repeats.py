"""Idempotency keys, step by step: what a repeat is told while the first call is under way, refused, lost, or done."""

import asyncio
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
from service_server.store import Call, CallOutcome, IdempotencyRecord
from service_server.store.call_ids import call_id
from service_server.store.clock import timestamp
from service_server.vault import Kept, Vault, keys_from_text
from tests.service_server.calls.callers import request_of
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole
from tests.service_server.connected_world import VAULT_KEY


@pytest.fixture
async def claimed(calls: ScriptedCalls) -> IdempotencyRecord:
    """The key of a call that another process has begun."""
    await calls.script([whole(201)])
    record = IdempotencyRecord(
        application_id=1,
        user_id="ann",
        function_name="acme-add",
        idempotency_key="key",
        arguments_hash=arguments_hash([{}, None]),
        call_id=call_id(),
        created_at=time.time(),
    )
    assert await calls.records.claim(record) is None
    return record


async def log(calls: ScriptedCalls, record: IdempotencyRecord, outcome: CallOutcome, code: str | None = None) -> None:
    """Have that call stand in the log."""
    call = Call(
        id=record.call_id,
        application_id=1,
        user_id="ann",
        app_name="acme",
        function_name="acme-add",
        function_type="mutation",
        account_id=1,
        outcome=outcome,
        network_code=code,
        started_at=timestamp(),
        request_id="first",
    )
    await calls.log.record(call)


async def conflict(calls: ScriptedCalls, **changes: Any) -> tuple[str, Action | None]:
    """How a repeat is refused: its message, and the button that helps."""
    with pytest.raises(ServiceError) as refusal:
        await calls.call("add", "key", **changes)
    assert (409, Code.IDEMPOTENCY_CONFLICT) == (refusal.value.status, refusal.value.code)
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
    """Other ones, or another account, are a conflict; another function's key is another one."""
    await calls.script([whole()])
    await calls.call("put", "key", arguments={"name": "a"})
    request = request_of(calls.catalog, "acme-put")
    for other in (
        evolve(request, body=FormBody((("name", "b"),))),
        evolve(request, body=FormBody((("name", "a"),)), connected_account_id=1),
    ):
        with pytest.raises(ServiceError, match="other arguments") as refusal:
            await calls.invoker.call(other, "key")
        assert (409, Code.IDEMPOTENCY_CONFLICT) == (refusal.value.status, refusal.value.code)

    assert False is (await calls.call("add", "key"))[1]


async def test_a_form_is_repeated_as_it_came(calls: ScriptedCalls) -> None:
    """Its pairs are compared, in their order."""
    await calls.script([whole(200, b'{"id": "7", "address": "https://files.acme.example/"}'), whole()])
    request = request_of(calls.catalog, "acme-put", FormBody((("name", "a"),)))

    assert [False, True] == [(await calls.invoker.call(request, "key"))[1] for _ in range(2)]


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
        await log(calls, claimed, "started")
    executed, replayed = await calls.call("add", "key")

    assert (True, "201", "more") == (replayed, executed.result.network_code, executed.result.next_page)
    assert "made" == executed.result.output.value()
    assert [] == calls.sender.sent


async def test_a_repeat_does_not_wait_for_ever(
    calls: ScriptedCalls, claimed: IdempotencyRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to ask again later."""
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", -1.0)
    message, action = await conflict(calls)

    assert ("still under way" in message, Action.WAIT) == (True, action)
    assert [] == calls.sender.sent


async def test_a_first_call_that_was_refused_meanwhile(
    calls: ScriptedCalls, claimed: IdempotencyRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing happened, and nothing happens unasked: the caller sends it again."""
    before_looking_again(monkeypatch, calls, partial(calls.records.release, claimed))
    message, _ = await conflict(calls)

    assert "was refused" in message
    assert [] == calls.sender.sent


async def test_a_call_whose_outcome_nobody_knows(calls: ScriptedCalls, claimed: IdempotencyRecord) -> None:
    """A repeat is told so, and sends nothing."""
    await log(calls, claimed, "unknown")
    executed, replayed = await calls.call("add", "key")

    assert (True, "502") == (replayed, executed.result.network_code)
    assert "outcome_unknown" == executed.result.output["error"]
    assert [] == calls.sender.sent


@pytest.mark.parametrize("code", ["201", None])
async def test_an_answer_that_was_never_kept(
    calls: ScriptedCalls, claimed: IdempotencyRecord, code: str | None
) -> None:
    """Where the log has the call's end, a repeat gets its code, and that the answer is gone."""
    await log(calls, claimed, "finished", code)
    executed, replayed = await calls.call("add", "key")

    assert (True, code or "") == (replayed, executed.result.network_code)
    assert "answer_not_kept" == executed.result.output["error"]
    assert "could not be written" in executed.result.output["reason"]
    assert (0.0, 0.0) == (executed.upstream_ms, executed.total_ms)
    assert [] == calls.sender.sent


async def test_calls_that_end_with_the_service(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sent is executed: what became of a change nobody knows, and a query got no answer."""
    await calls.script([whole()])
    sending = asyncio.Semaphore(0)

    async def endless(*_: Any, **__: Any) -> Any:
        sending.release()
        await asyncio.Event().wait()

    monkeypatch.setattr(type(calls.sender), "send", endless)
    sent, query = (asyncio.create_task(calls.call(function)) for function in ("add", "find"))
    for _ in range(2):
        await sending.acquire()
    await calls.invoker.give_up()

    assert unknown_outcome() == (await sent)[0].result
    assert "broken_off" == (await query)[0].result.output.value()["error"]


def test_a_kept_answer_comes_back_whole() -> None:
    """With its code and its cursor."""
    result = unknown_outcome()

    again = answer_of(kept_answer(result, 1000))

    assert ("502", None, result.output) == (again.network_code, again.next_page, again.output.value())
    assert {"error", "reason"} == set(result.output)
