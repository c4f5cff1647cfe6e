"""The Function Calls log: a mutation is in it before it is sent, every call before it is answered."""

import time
from collections.abc import Container
from functools import partial
from typing import Any

import structlog

from service_client.models import CallResult
from service_server.answers.beginning import Beginning
from service_server.errors import ServiceError
from service_server.invoke.endings import Ending, Write
from service_server.invoke.invocation import Answer, Begun, Parts, Ready, Sent
from service_server.invoke.redaction import redacted, redacted_beginning
from service_server.store import Call, DatabaseAway, Refusal
from service_server.store.clock import timestamp

_TOLD_SECONDS = 0.002
_BRIEF_SECONDS = 0.2

_LOG = structlog.get_logger(__name__)


async def record_start(ready: Ready, parts: Parts) -> None:
    """Write a call that may change something as `started`, durably, so that no sent mutation is ever missing."""
    if not ready.changes_data:
        return
    started = _call(ready, parts, outcome="started", process_id=ready.begun.process_id)
    try:
        await parts.calls.record(started)
    except Exception:  # it may have been written even so, and nothing of the call is sent
        discard = partial(parts.calls.discard, started.id)
        parts.endings.write_later(Ending(call_id=started.id, writes=[discard]))
        raise


async def record_refusal(begun: Begun, error: ServiceError | None, parts: Parts, *, started: bool = False) -> None:
    """
    Write that nothing of a call was sent: its key is free again, and no row says that it began.

    It is listed among the refused calls, unless it was not refused but failed through our own fault (no `error`), or
    its user has been erased meanwhile.
    """
    writes: list[Write] = []
    if started:
        writes.append(partial(parts.calls.discard, begun.id))
    if begun.key is not None:
        writes.append(begun.key.give_back)
    if error is not None and (started or not await _is_erased(begun, parts)):
        request = begun.request
        refusal = Refusal(
            id=begun.id,
            application_id=request.application_id,
            user_id=request.user_id,
            function_name=request.function.name,
            code=error.code,
            error=error.error,
            at=timestamp(),
            request_id=request.request_id,
        )
        writes.append(partial(parts.calls.refuse, refusal))
    if writes:
        await parts.endings.write(Ending(call_id=begun.id, writes=writes))


async def record_end(sent: Sent, result: CallResult, parts: Parts) -> None:
    """
    Write how the call ended before it is answered; if that fails, it is answered anyway.

    A call that may have changed something is written durably; the others are written so that they outlive this process,
    unless their user has been erased meanwhile.
    """
    ready = sent.ready
    if not ready.changes_data and await _is_erased(ready.begun, parts):
        return
    limit = parts.settings.max_log_entry_bytes
    elapsed = time.perf_counter() - ready.begun.began
    call = _call(
        ready,
        parts,
        outcome="finished",
        network_code=result.network_code,
        output=_for_the_log(_output(sent, result), ready, limit),
        duration_ms=round(elapsed * 1000, 2),
        app_ms=round(sent.upstream_seconds * 1000, 2),
    )
    key = ready.begun.key
    keep: list[Write] = [] if key is None else [partial(key.keep, result)]
    # A call that changed nothing may be lost if the machine fails: only the log would miss it.
    write = parts.calls.finish if ready.changes_data else partial(parts.calls.record, durable=False)
    writes: list[Write] = [partial(write, call), *keep]
    again: list[Write] = [partial(parts.calls.settle, call), *keep]
    if parts.call_events.are_wanted_by(call.application_id):
        writes.append(partial(parts.call_events.record, call, durable=ready.changes_data))
        again.append(partial(parts.call_events.settle, call))
    await parts.endings.write(Ending(call_id=call.id, writes=writes, again=again, result=result))


async def _is_erased(begun: Begun, parts: Parts) -> bool:
    """
    Whether an operator has begun to erase the user since the call began, so that nothing of it may be kept.

    Whoever erases waits for the calls and keys in the database, and looks for new rows for a while. This is about calls
    that are in no row before their end, and take longer than that.
    """
    elapsed = time.perf_counter() - begun.began
    if begun.key is not None or elapsed < _BRIEF_SECONDS:
        return False
    request = begun.request
    who = parts.vault.pseudonym(request.application_id, request.user_id)
    try:
        return await parts.audit.has("user.erasure_begun", who, time.time() - elapsed)
    except DatabaseAway:  # then whoever erases doesn't get any further, either
        return False


def _output(sent: Sent, result: CallResult) -> Any:
    return sent.came.read.beginning if isinstance(sent.came, Answer) else result.output.value()


def _call(ready: Ready, parts: Parts, **how_far: Any) -> Call:
    """The row of a call; the caller tells `how_far` the call is."""
    request, function = ready.request, ready.request.function
    elapsed = time.perf_counter() - ready.begun.began
    limit = parts.settings.max_log_entry_bytes
    return Call(
        id=ready.begun.id,
        application_id=request.application_id,
        user_id=request.user_id,
        app_name=request.connector.name,
        function_name=function.name,
        function_type=function.type,
        account_id=ready.opened.account.id,
        arguments=_for_the_log(_given(ready), ready, limit, function.sensitive),
        started_at=timestamp(time.time() - elapsed),
        request_id=request.request_id,
        renewal_ms=_worth_telling(ready.renewal_seconds),
        waiting_ms=_worth_telling(ready.waiting_seconds),
        **how_far,
    )


def _worth_telling(seconds: float) -> float | None:
    """In milliseconds; nothing where it was the little that this takes always."""
    return round(seconds * 1000, 2) if seconds >= _TOLD_SECONDS else None


def _given(ready: Ready) -> dict[str, Any]:
    """The arguments; files' addresses lose their query, which may be what gives access to them."""
    values = ready.arguments.values
    if ready.arguments.filled is None:
        return values
    files = {name: values[name] for name in ready.request.function.files if values.get(name) is not None}
    return values | {
        name: [each.partition("?")[0] for each in given] if isinstance(given, list) else given.partition("?")[0]
        for name, given in files.items()
    }


def _for_the_log(value: Any, ready: Ready, limit: int, sensitive: Container[str] = frozenset()) -> Any:
    """A value as the log may keep it; a defect in working that out must not make an executed call fail."""
    try:
        if isinstance(value, Beginning):
            return redacted_beginning(value, ready.secrets, limit)
        return redacted(value, ready.secrets, limit, sensitive)
    except Exception as defect:
        _LOG.error("call.value_not_logged", call=ready.begun.id, error=type(defect).__name__)
        return {"truncated": True}
