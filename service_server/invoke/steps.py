"""
The order of a call.

Up to `send` every step may refuse the call, by raising. Once the first byte has left, the call is executed: the types
that the later steps take and return (`Sent`, a result) can't express a refusal.
"""

import asyncio
import contextlib
import time

from attrs import evolve

from service_client.models import CallResult
from service_server.invoke.build_request import build_request
from service_server.invoke.check_arguments import check_arguments
from service_server.invoke.check_scopes import check_scopes
from service_server.invoke.choose_account import choose_account
from service_server.invoke.invocation import Begun, Executed, Parts, Ready, Refused, Sent
from service_server.invoke.keep_budget import keep_budget
from service_server.invoke.kept_answer import unknown_outcome
from service_server.invoke.record import record_end, record_refusal, record_start
from service_server.invoke.send_in_order import asking, send_in_order
from service_server.invoke.shape import shape
from service_server.invoke.take_files import take_files
from service_server.onward.values import Unanswered


async def prepare(begun: Begun, parts: Parts) -> Ready:
    """Do all that comes before sending; raises ServiceError for a call that is refused."""
    request = begun.request
    account = await choose_account(request, parts.accounts)
    await request.give_way()
    arguments = check_arguments(request, account, parts.vault)
    await request.give_way()
    opening = time.perf_counter()
    opened = await parts.credentials.usable(account)
    opened_after = time.perf_counter() - opening
    check_scopes(request, opened)
    arguments = await take_files(begun, arguments, parts)
    function = request.function.given(arguments.values)
    look_up = function.look_up
    known = {} if look_up is None else parts.looked_up.find(opened.account.id, look_up, arguments.values)
    first = look_up if known is None else next(iter(function.before), None)
    sent_first = begun if first is None else asking(begun, first)
    onward, rules = build_request(sent_first.request, arguments, opened, known or {})
    await request.give_way()
    ready = Ready(
        begun=sent_first,
        arguments=arguments,
        opened=opened,
        onward=onward,
        rules=rules,
        looked_up=known or {},
        comes_before=None if first is None else begun,
        renewal_seconds=opened_after,
    )
    if request.connector.budget is not None:
        waiting = time.perf_counter()
        await keep_budget(ready, parts)
        ready = evolve(ready, waiting_seconds=time.perf_counter() - waiting)
    await record_start(ready, parts)
    return ready


async def carry_out(ready: Ready, parts: Parts) -> Refused | Executed:
    """Send a call and tell what came of it; it is refused only if nothing of it left this machine."""
    try:
        sent = await send_in_order(ready, parts)
    except asyncio.CancelledError:  # the service goes down, and the app has not answered yet
        if ready.changes_data:
            return _executed(ready, unknown_outcome())  # as the log will say, where its row is still `started`
        call = evolve(ready, begun=ready.comes_before or ready.begun)
        sent = Sent(ready=call, came=Unanswered("broken_off", "the service stopped before the app answered"))
    if isinstance(sent, Refused):
        await record_refusal(ready.begun, sent.error, parts, started=ready.changes_data)
        return sent
    result = await shape(sent, parts)
    # Where the service goes down before the end is written, the call is executed all the same.
    with contextlib.suppress(asyncio.CancelledError):
        await record_end(sent, result, parts)
    return _executed(ready, result, sent.upstream_seconds)


def _executed(ready: Ready, result: CallResult, upstream_seconds: float = 0.0) -> Executed:
    elapsed = time.perf_counter() - ready.begun.began
    return Executed(result=result, upstream_ms=upstream_seconds * 1000, total_ms=elapsed * 1000)
