"""The Function Calls log: a mutation stands in it before it is sent, every call before it is answered."""

import asyncio
import time
from collections.abc import Awaitable
from datetime import UTC, datetime

import structlog

from service_server.invoke.invocation import Invocation, Parts
from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.store import Call, CallOutcome, DatabaseAway
from service_server.store.clock import timestamp

_log = structlog.get_logger(__name__)


async def record_start(invocation: Invocation, parts: Parts) -> None:
    """Write a call that may change something as `started`, durably, so that no sent mutation is ever missing."""
    if invocation.changes_data:
        await parts.calls.record(_call(invocation, parts, "started"))
        invocation.recorded = True


async def record_end(invocation: Invocation, parts: Parts) -> None:
    """
    Write how the call ended, durably, before it is answered.

    When the database is away by now, a call that stands there as started is answered all the same: it was executed,
    and shows with an unknown outcome.
    """
    call = _call(invocation, parts, "finished")
    writes: list[Awaitable[None]] = [parts.calls.finish(call) if invocation.recorded else parts.calls.record(call)]
    if invocation.keep_result is not None:
        writes.append(invocation.keep_result(invocation.result))
    # Asked for in one go they are committed in one: no crash leaves a finished call whose answer can't be repeated.
    try:
        await asyncio.gather(*writes)
    except DatabaseAway:
        if not invocation.recorded:
            raise
        _log.exception("the end of a call could not be recorded", call=call.id, request_id=call.request_id)


def _call(invocation: Invocation, parts: Parts, outcome: CallOutcome) -> Call:
    request = invocation.request
    limit = parts.settings.max_log_entry_bytes
    secrets = secrets_of_call(invocation.opened.context, invocation.arguments, request.function.sensitive)
    finished = outcome == "finished"
    elapsed = time.perf_counter() - invocation.began
    return Call(
        id=invocation.id,
        application_id=request.application_id,
        user_id=request.user_id,
        app_name=request.connector.name,
        function_name=request.function.name,
        function_type=request.function.type,
        account_id=invocation.account.id,
        outcome=outcome,
        network_code=invocation.result.network_code if finished else None,
        arguments=redacted(invocation.arguments, secrets, limit, request.function.sensitive),
        output=redacted(invocation.result.output, secrets, limit) if finished else None,
        started_at=timestamp(datetime.now(UTC).timestamp() - elapsed),
        duration_ms=round(elapsed * 1000, 2) if finished else None,
        request_id=request.request_id,
        process_id=None if finished else invocation.process_id,
    )
