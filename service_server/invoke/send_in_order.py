"""The requests that some calls send before their own one: what a query looks up, what a mutation needs to be there."""

import structlog
from attrs import evolve

from service_server.catalog.prior_requests import PriorRequest
from service_server.errors import ServiceError
from service_server.invoke.build_request import build_request
from service_server.invoke.invocation import Answer, Begun, Parts, Ready, Refused, Sent
from service_server.invoke.keep_budget import keep_budget
from service_server.invoke.send import send
from service_server.onward.values import Unanswered

_LOG = structlog.get_logger(__name__)


def asking(begun: Begun, prior: PriorRequest) -> Begun:
    """Return the call as a request before its own is sent: the same function, and the whole answer is read."""
    asks = evolve(
        begun.request.function,
        request=prior.request,
        pagination=None,
        picker=None,
        reshape=None,
        outcome=None,
        gives_file=None,
    )
    return evolve(begun, request=evolve(begun.request, function=asks))


async def send_in_order(ready: Ready, parts: Parts) -> Refused | Sent:
    """
    Send a call, after the requests that come before its own one where it has any.

    If the app refuses one of these, that is the answer to the call. If a later request can't be sent, a query is
    refused; a mutation is executed from the first one on, and its answer then says how far it came.
    """
    call = ready.comes_before
    if call is None:
        return await send(ready, parts)
    function = call.request.function.given(ready.arguments.values)
    gave, seconds = dict(ready.looked_up), 0.0
    steps = function.before if function.look_up is None else (function.look_up,)
    for position, (step, later) in enumerate(zip(steps, [*steps[1:], None], strict=True)):
        sent = await send(ready, parts)
        if isinstance(sent, Refused):
            return sent if position == 0 else _stopped(evolve(ready, begun=call), position, sent.error, seconds)
        seconds += sent.upstream_seconds
        sent = evolve(sent, ready=evolve(sent.ready, begun=call), upstream_seconds=seconds)
        if not _is_good(sent):
            return sent
        try:
            gave |= _given(step, sent)
        except LookupError as lack:
            where = "the look-up" if step is function.look_up else f"request {position + 1} of {len(steps) + 1}"
            reason = f"the app answered {where} for {function.title} without what that needs: {lack.args[0]}"
            return evolve(sent, came=Unanswered("broken_off", reason))
        if function.look_up is not None:
            parts.looked_up.keep(sent.ready.opened.account.id, function.look_up, sent.ready.arguments.values, gave)
        following = call if later is None else asking(call, later)
        try:
            onward, _ = build_request(following.request, sent.ready.arguments, sent.ready.opened, gave)
            ready = evolve(sent.ready, begun=following, onward=onward, looked_up=gave)
            await keep_budget(ready, parts)
        except ServiceError as error:
            return _stopped(sent.ready, position + 1, error, seconds)
        except Exception as failure:  # such as a database that is away: what was sent stays sent
            if not sent.ready.changes_data:
                raise
            # The type alone: a message may quote what the app answered.
            _LOG.error(
                "call.answer_lost", reason="between two requests", function=function.name, error=type(failure).__name__
            )
            return _stopped(sent.ready, position + 1, "the service failed before the next one", seconds)
    last = await send(ready, parts)
    if isinstance(last, Refused):
        return _stopped(ready, len(steps), last.error, seconds)
    return evolve(last, upstream_seconds=seconds + last.upstream_seconds)


def _is_good(sent: Sent) -> bool:
    answer = sent.came
    return isinstance(answer, Answer) and 200 <= answer.response.status < 300 and answer.read.error_kind is None


def _given(step: PriorRequest, sent: Sent) -> dict[str, object]:
    assert isinstance(sent.came, Answer)  # noqa: S101  the caller looked
    return step.read(sent.came.output.value()) if step.gives else {}


def _stopped(ready: Ready, sent: int, error: ServiceError | str, seconds: float) -> Refused | Sent:
    """A call of which some requests were sent, but not the next one."""
    if not ready.changes_data and isinstance(error, ServiceError):
        return Refused(error)
    function = ready.request.function.given(ready.arguments.values)
    of, said = len(function.before) + 1, error if isinstance(error, str) else error.error
    reason = f"{function.title} takes {of} requests, and only {sent} of them were sent: {said}"
    return Sent(ready=ready, came=Unanswered("broken_off", reason), upstream_seconds=seconds)
