"""A look-up: the request that some queries send before their own one, for what that has to know."""

from attrs import evolve

from service_server.errors import ServiceError
from service_server.invoke.build_request import build_request
from service_server.invoke.invocation import Answer, Begun, Parts, Ready, Refused, Sent
from service_server.invoke.keep_budget import keep_budget
from service_server.invoke.send import send
from service_server.onward.values import Unanswered


def asking_first(begun: Begun) -> Begun:
    """Return the call as its look-up is sent: the same function, by another request whose whole answer is read."""
    function = begun.request.function
    assert function.look_up is not None  # noqa: S101  the caller looked
    asks = evolve(
        function,
        request=function.look_up.request,
        look_up=None,
        pagination=None,
        picker=None,
        reshape=None,
        instead=None,
        outcome=None,
        gives_file=None,
    )
    return evolve(begun, request=evolve(begun.request, function=asks))


async def send_after_look_up(ready: Ready, parts: Parts) -> Refused | Sent:
    """
    Send a call, after what it looks up where it does.

    If the app refuses the look-up, that is the answer to the call.
    """
    sent = await send(ready, parts)
    if ready.looks_up_for is None or isinstance(sent, Refused):
        return sent
    call = evolve(sent.ready, begun=ready.looks_up_for, looks_up_for=None)
    function, answer = call.request.function, sent.came
    assert function.look_up is not None  # noqa: S101  it is what was sent
    if not isinstance(answer, Answer) or not 200 <= answer.response.status < 300 or answer.read.error_kind is not None:
        return evolve(sent, ready=call)
    try:
        values = function.look_up.read(answer.output.value())
    except (LookupError, ValueError) as lack:
        what = str(lack.args[0]) if isinstance(lack, LookupError) else "all of it"
        reason = f"the app answered the look-up for {function.title} without what that needs: {what}"
        return evolve(sent, ready=call, came=Unanswered("broken_off", reason))
    parts.looked_up.keep(call.opened.account.id, function.look_up, call.arguments.values, values)
    try:
        onward, rules = build_request(call.request, call.arguments, call.opened, values)
        call = evolve(call, onward=onward, rules=rules, looked_up=values)
        await keep_budget(call, parts)
    except ServiceError as error:
        return Refused(error)
    last = await send(call, parts)
    if isinstance(last, Refused):
        return last
    return evolve(last, upstream_seconds=sent.upstream_seconds + last.upstream_seconds)
