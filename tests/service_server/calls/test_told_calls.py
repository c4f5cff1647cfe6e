"""What is told of a call: its row in the log, its refusal, and the event, all with the same id and figures."""

import itertools
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from attrs import evolve

from service_client import models
from service_client.models import Code, Fact
from service_server.answers.reader import AnswerReader, TooMuchToRead
from service_server.errors import ServiceError
from service_server.events import listening
from service_server.files import Owner
from service_server.invoke import JsonBody, record, shape, steps
from service_server.invoke import send as send_module
from service_server.onward.values import Outcome, Unanswered, Unsent
from service_server.store import Turn
from service_server.store.clock import timestamp
from service_server.vault import Vault, keys_from_text
from tests.service_server.calls.callers import request_of
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole
from tests.service_server.connected_world import VAULT_KEY

pytestmark = pytest.mark.slow

ABOUT = {
    "application": 1,
    "app": "acme",
    "function": "acme-add",
    "type": "mutation",
    "user": Vault(keys_from_text(VAULT_KEY)).pseudonym(1, "ann"),
}


Told = list[tuple[str, Mapping[str, Any]]]


@pytest.fixture
def events() -> Iterator[Told]:
    """What is told, in its order."""
    told: Told = []
    with listening(lambda event, fields: told.append((event, fields))):
        yield told


@pytest.mark.parametrize("function", ["add", "find"])
async def test_an_executed_call(calls: ScriptedCalls, events: Told, function: str) -> None:
    """Who called what, when, in which account, with what, what came of it, and how long the app took of it all."""
    await calls.script([whole(201, b'{"id": "7"}')])
    before = timestamp()
    executed, _ = await calls.call(function, request_id="asked")
    after = timestamp()
    (row,) = await calls.rows()
    ((event, fields),) = events
    told = ABOUT | {"function": row.function_name, "type": row.function_type, "call": row.id, "network_code": "201"}
    service_ms = round(executed.total_ms - executed.upstream_ms, 2)

    assert ("finished", "201", "asked") == (row.outcome, row.network_code, row.request_id)
    assert (1, "ann", "acme", f"acme-{function}") == (row.application_id, row.user_id, row.app_name, row.function_name)
    assert ({}, {"id": "7"}, (await calls.account()).id) == (row.arguments, row.output, row.account_id)
    assert ("mutation" if function == "add" else "query") == row.function_type
    assert before <= row.started_at <= after
    assert 0 < executed.upstream_ms < row.duration_ms <= executed.total_ms
    assert row.app_ms == round(executed.upstream_ms, 2)
    assert (None, None, None) == (row.renewal_ms, row.waiting_ms, row.process_id)
    assert ("call.executed", told | {"app_ms": row.app_ms, "service_ms": service_ms}) == (event, fields)


async def test_how_long_the_app_took(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """From before the request leaves until its answer is read, in milliseconds."""
    moments = iter([10.0, 12.5])
    monkeypatch.setattr(send_module, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    await calls.script([whole()])
    executed, _ = await calls.call("find")

    assert [2500.0, 2500.0] == [executed.upstream_ms, *(row.app_ms for row in await calls.rows())]


async def test_how_long_a_call_took(calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its beginning to its end, in milliseconds; the log has the moment in which it began."""
    ended, now = time.perf_counter() + 100, time.time()
    clock = SimpleNamespace(perf_counter=lambda: ended, time=lambda: now + 100)
    for module in (steps, record):
        monkeypatch.setattr(module, "time", clock)
    await calls.script([whole()])
    executed, _ = await calls.call("find")
    (row,) = await calls.rows()

    assert all(90_000 < took <= 100_000 for took in (executed.total_ms, row.duration_ms))
    assert row.duration_ms == round(executed.total_ms, 2)
    assert timestamp(now) <= row.started_at < timestamp(now + 10)


async def test_addresses_of_files_lose_their_query(calls: ScriptedCalls) -> None:
    """It may be what gives access to them, whatever it is called; the address before it is told whole, in lists too."""
    await calls.script([whole()])
    kept = await calls.files.keep(Owner(1, "ann"), "a.txt", "text/plain", _content())
    plain = "https://files.example.com/a%20b.png"
    given = [plain + query for query in ("", "?v=pr1vate", "?pr1vate?pr1vate", "?u=https://pr1vate.example/?v=pr1vate")]
    for file in given:
        await calls.call("attach", arguments={"file": file})
    await calls.call("attach", arguments={"files": [*given, kept.id]})

    told = [{"file": plain}] * 4 + [{"files": [plain] * 4 + [kept.id]}]
    assert told == [row.arguments for row in await calls.rows()]


async def _content() -> AsyncIterator[bytes]:
    yield b"content"


async def test_a_declared_argument_is_not_told(calls: ScriptedCalls) -> None:
    """Nor what is too short to be looked for elsewhere, nor what is called a secret; the app gets it."""
    await calls.script([whole()])
    await calls.call("unlock", arguments={"pin": "12"})
    free = {"method": "POST", "url": "/things"}
    await calls.call("passthrough-request", arguments={**free, "body": {"password": "hunter2"}})

    assert [b'{"pin":"12"}', b'{"password":"hunter2"}'] == [each.body for each in calls.sender.sent]
    kept = [{"pin": "[redacted]"}, {**free, "body": {"password": "[redacted]"}}]
    assert kept == [row.arguments for row in await calls.rows()]


@pytest.mark.parametrize(
    ("failure", "error"), [(TooMuchToRead(), "too_large"), (RuntimeError("with a secret"), "broken_off")]
)
async def test_an_answer_that_can_not_be_read(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, failure: Exception, error: str
) -> None:
    """The call is executed all the same, and the caller is told with which status the app answered."""
    monkeypatch.setattr(AnswerReader, "read", AsyncMock(side_effect=failure))
    await calls.script([whole(201)])
    executed, _ = await calls.call("add")
    (row,) = await calls.rows()

    assert ("502", "finished", error) == (executed.result.network_code, row.outcome, row.output["error"])
    assert row.output["reason"].startswith("the app answered 201 with")
    assert "secret" not in row.output["reason"]


@pytest.mark.parametrize(("function", "told"), [("find", ""), ("add", None)])
async def test_a_next_page_that_can_not_be_told(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, function: str, told: str | None
) -> None:
    """The answer is relayed all the same, and its list ends here."""
    monkeypatch.setattr(shape, "_next_page", Mock(side_effect=RuntimeError("a defect")))
    await calls.script([whole(201)])
    result = (await calls.call(function))[0].result

    assert ("201", {"done": True}, told) == (result.network_code, result.output.value(), result.next_page)


async def test_a_file_that_an_app_gives(calls: ScriptedCalls) -> None:
    """It is kept for the user under the name that was asked for, and its description is the answer and in the log."""
    await calls.script([whole(200, b"content")])
    executed, _ = await calls.call("load", arguments={"as_file": True, "name": "notes.txt"})
    unnamed, _ = await calls.call("load", arguments={"as_file": True})
    relayed, _ = await calls.call("load", arguments={"name": "notes.txt"})
    outputs = [each.result.output.value() for each in (executed, unnamed, relayed)]

    assert outputs == [row.output for row in await calls.rows()]
    assert ("notes.txt", 7) == (outputs[0]["name"], outputs[0]["size"])
    assert [True, False] == [
        await calls.files.find(Owner(1, user), outputs[0]["id"]) is not None for user in ("ann", "bob")
    ]
    assert "notes.txt" != outputs[1]["name"]
    assert "content" == outputs[2]


async def test_a_value_that_can_not_be_worked_out_for_the_log(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call is executed all the same, and its row says that something is missing."""

    def defect(*_: Any) -> Any:
        raise RuntimeError("with a secret")

    monkeypatch.setattr(record, "redacted", defect)
    monkeypatch.setattr(record, "redacted_beginning", defect)
    await calls.script([whole(201)])
    executed, _ = await calls.call("add")
    (row,) = await calls.rows()

    assert ("201", "finished") == (executed.result.network_code, row.outcome)
    assert {"truncated": True} == row.arguments == row.output


@pytest.mark.parametrize(
    ("outcome", "code", "error", "reason"),
    [
        (Unanswered("timed_out", "so"), "504", "timed_out", "so"),
        (Unanswered("broken_off", "so"), "502", "broken_off", "so"),
        (Unanswered("too_large", "so"), "502", "too_large", "so"),
        (RuntimeError("with a secret"), "502", "broken_off", "sending failed in an unknown way"),
    ],
)
async def test_what_came_instead_of_an_answer(
    calls: ScriptedCalls, outcome: Outcome | Exception, code: str, error: str, reason: str
) -> None:
    """Its row says why, as the answer to the caller does; the code says whether the app may only have been slow."""
    await calls.script([outcome])
    came = [(await calls.call(function))[0].result for function in ("add", "find")]

    assert [(code, None), (code, "")] == [(each.network_code, each.next_page) for each in came]
    said = [*(each.output.value() for each in came), *(row.output for row in await calls.rows())]
    assert [{"error": error, "reason": reason}] * 4 == said


async def test_time_before_sending_is_told_where_it_was_long(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renewing credentials, and waiting for a turn; as milliseconds."""
    monkeypatch.setattr(steps, "time", SimpleNamespace(perf_counter=partial(next, itertools.count(10, 0.123456))))
    await calls.script([whole()])
    await calls.call("add")
    (row,) = await calls.rows()

    assert (123.46, 123.46) == (row.renewal_ms, row.waiting_ms)


async def test_a_refused_call(calls: ScriptedCalls, events: Told) -> None:
    """It stands among the refused ones, in the words that its caller read."""
    await calls.script([Unsent("unreachable", "closed")])
    before = timestamp()
    with pytest.raises(ServiceError) as refusal:
        await calls.call("add", request_id="asked")
    (row,) = (await calls.log.refusals(limit=5)).entries

    assert (1, "ann", "acme-add", "asked") == (row.application_id, row.user_id, row.function_name, row.request_id)
    assert (Code.APP_UNREACHABLE, refusal.value.error) == (row.code, row.error)
    assert before <= row.at <= timestamp()
    assert [] == await calls.rows()
    assert [("call.refused", {**ABOUT, "call": row.id, "code": row.code})] == events


async def test_a_call_that_fails(calls: ScriptedCalls, events: Told) -> None:
    """By our own fault: no row says that it was refused, and an operator is warned with the kind of failure alone."""
    await calls.script([whole()])
    calls.budgets.turns = [RuntimeError("with a secret")]
    with pytest.raises(RuntimeError):
        await calls.call("add")
    ((event, fields),) = events

    assert ("call.failed", {**ABOUT, "call": fields["call"], "error": "RuntimeError"}) == (event, fields)
    assert ([], []) == (await calls.rows(), (await calls.log.refusals(limit=5)).entries)


async def test_a_budget_that_is_used_up(calls: ScriptedCalls) -> None:
    """A call that would wait too long is refused, with whole seconds after which to come back."""
    await calls.script([whole()])
    calls.budgets.turns = [Turn(granted=False, wait_seconds=8.2)]
    with pytest.raises(ServiceError, match="Try again in 9 s") as refusal:
        await calls.call("add")
    (detail,) = refusal.value.details

    assert (429, Code.RATE_LIMITED, "wait") == (refusal.value.status, refusal.value.code, detail.action)
    assert {"Retry-After": "9"} == refusal.value.headers
    assert [] == calls.sender.sent


@pytest.mark.parametrize("is_asked_for", [True, False])
async def test_what_came_of_a_call(calls: ScriptedCalls, is_asked_for: bool) -> None:
    """Made of the answer, the arguments and the account's variables; where nobody asks, nothing is made."""
    await calls.script([whole(200, b'{"id": "7", "address": "https://files.acme.example/"}')])
    request = request_of(calls.catalog, "acme-put", JsonBody({"name": "a thing"}))
    executed, _ = await calls.invoker.call(evolve(request, with_outcome=is_asked_for), None)
    told = models.Outcome(title="Place 7 is filled", facts=(Fact("With", "a thing in Rome"),))

    assert (told if is_asked_for else None) == executed.result.outcome
