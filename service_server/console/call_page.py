"""The page of one call: where its time went, what it was given and answered, and running it again."""

from typing import Any

from attrs import evolve, frozen
from litestar import Request, Response, get, post
from litestar.params import FromPath

from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import Permission
from service_server.console.call_code import code_for
from service_server.console.failures import not_found
from service_server.console.guard import needs
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Visit, submitted, visit
from service_server.invoke.replay import obstacle, replay
from service_server.store import Call


@frozen
class Share:
    """A part of a call's time: in ms, and from where to where of the whole (0 to 100) it is drawn."""

    kind: str
    label: str
    ms: float
    begins: float
    width: float


@get("/console/calls/{call_id:str}", include_in_schema=False, **needs(Permission.SEE))
async def show_call(request: Request[Any, Any, Any], call_id: FromPath[str]) -> Response[bytes]:
    """One executed call."""
    current = await visit(request)
    call = await _call(current, call_id)
    if current.may(Permission.SEE_CONTENTS):
        await current.service.audit.add(current.actor.does("call.read", call.id, function=call.function_name))
    return await _show(current, call)


@post(
    "/console/calls/{call_id:str}/replay",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.CHANGE_USERS),
)
async def replay_call(request: Request[Any, Any, Any], call_id: FromPath[str]) -> Response[bytes]:
    """Run a call again; what may change something only where that was confirmed."""
    current, form = await submitted(request)
    call, service = await _call(current, call_id), current.service
    try:
        again = await replay(
            call,
            current.actor,
            confirmed="confirmed" in form,
            catalog=service.catalog,
            invoker=service.invoker,
            calls=service.calls,
            audit=service.audit,
        )
    except AdministrationError as error:
        return await _show(current, call, problem=str(error))
    return see_other(f"/console/calls/{again or call.id}?done=replayed")


CALL_PAGE_ROUTES = [show_call, replay_call]


def without_contents(call: Call) -> Call:
    """A call as those see it who may not see what it was given and what it answered."""
    return evolve(call, arguments=None, output=None)


def shares(call: Call) -> list[Share]:
    """Where a call's time went, in the order of its steps; nothing where the log does not know."""
    if call.duration_ms is None or call.app_ms is None:
        return []
    known = [
        ("renewal", "Signing in again", call.renewal_ms or 0.0),
        ("waiting", "Waiting for its turn", call.waiting_ms or 0.0),
        ("theirs", "At the app", call.app_ms),
    ]
    rest = max(0.0, call.duration_ms - sum(ms for _, _, ms in known))
    parts = [each for each in (*known, ("ours", "In this service", rest)) if each[2] > 0]
    whole, begins, found = sum(ms for _, _, ms in parts) or 1.0, 0.0, []
    for kind, label, ms in parts:
        width = ms / whole * 100
        found.append(Share(kind, label, ms, round(begins, 3), round(width, 3)))
        begins += width
    return found


async def _call(current: Visit, call_id: str) -> Call:
    call = await current.service.calls.get(call_id)
    if call is None:
        raise not_found("call")
    return call


async def _show(current: Visit, call: Call, *, problem: str = "") -> Response[bytes]:
    service = current.service
    application = await service.applications.get(call.application_id)
    function = service.catalog.function(call.function_name)
    sees = current.may(Permission.SEE_CONTENTS)
    code = []
    if sees and application is not None:
        key, url = application.app_key, service.settings.public_url
        code = code_for(url, key, call.user_id, call.function_name, call.arguments, call.account_id)
    return current.page(
        "call.html",
        status=422 if problem else 200,
        call=call if sees else without_contents(call),
        account=await service.accounts.get(call.account_id),
        application=application,
        function=function,
        shares=shares(call),
        code=code,
        obstacle=obstacle(call, service.catalog),
        problem=problem,
    )
