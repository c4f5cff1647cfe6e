"""Where an operator is signed in, and, for owners, where all are."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, Response, get, post

from service_server.administration.actors import NotAllowed
from service_server.administration.permissions import Permission
from service_server.console.guard import needs, not_allowed
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, submitted, visit
from service_server.store.clock import timestamp

_FORM: Mapping[str, Any] = {"include_in_schema": False, "request_max_body_size": LONGEST_FORM_BYTES}


@get("/console/sessions", include_in_schema=False, **needs(Permission.SEE))
async def list_sessions(request: Request[Any, Any, Any]) -> Response[bytes]:
    """One's own sessions, and the others' for who manages operators."""
    current = await visit(request)
    mine, all_of_them = current.session.operator, current.may(Permission.MANAGE_OPERATORS)
    found = await current.service.sessions.living(current.actor, None if all_of_them else mine)
    rows = [(each, timestamp(each.created_at), timestamp(each.seen_at)) for each in found]
    own = [row for row in rows if row[0].operator == mine]
    return current.page("sessions.html", own=own, others=[row for row in rows if row not in own])


@post("/console/sessions/end", **_FORM, **needs(Permission.SEE))
async def end_sessions(request: Request[Any, Any, Any]) -> Response[bytes]:
    """End one session of an operator, or all of them but this one; those of others only who manages operators."""
    current, form = await submitted(request)
    operator, session_id = form.get("operator", ""), form.get("session", "")
    try:
        if session_id:
            await current.service.sessions.end(current.actor, operator, session_id)
        else:
            await current.service.sessions.end_all(current.actor, operator, but=current.session.number)
    except NotAllowed as refusal:
        raise not_allowed(current.session, refusal.permission) from None
    return see_other("/console/sessions?done=session-ended")


SESSION_ROUTES = [list_sessions, end_sessions]
