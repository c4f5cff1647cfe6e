"""Runs a call of the log once more, for the same user and account, as an operator wants it."""

import json

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError
from service_server.catalog.catalog import Catalog
from service_server.errors import ServiceError
from service_server.invoke.idempotency import IdempotentInvoker
from service_server.invoke.invocation import CallRequest, JsonBody
from service_server.redaction.spellings import REDACTED
from service_server.store import AuditEvents, Call, CallFilter, CallLog


def obstacle(call: Call, catalog: Catalog) -> str | None:
    """Why a call of the log can't be run again as it was; None if it can be tried."""
    function = catalog.function(call.function_name)
    if function is None:
        return "The catalogue no longer has this function."
    given = call.arguments
    if not isinstance(given, dict) or (given.keys() <= {"truncated", "beginning"} and given.get("truncated") is True):
        return "Its arguments were too long to be kept."
    if REDACTED in json.dumps(given):
        return "Some of its arguments are secret and were not kept."
    if any(given.get(name) for name in function.files):
        return "It was given files, which are kept for an hour only."
    return None


async def replay(
    call: Call,
    actor: Actor,
    *,
    confirmed: bool,
    catalog: Catalog,
    invoker: IdempotentInvoker,
    calls: CallLog,
    audit: AuditEvents,
) -> str | None:
    """
    Run a call again and return the new call's id; None if it is not in the log.

    It goes the way of every call: checked, limited, logged. The audit trail has it before it is sent. The actor needs a
    request id, by which the new call is found. Raises NotAllowed, and AdministrationError where it can't be run, was
    refused, or may change something and that is not `confirmed`.
    """
    problem = obstacle(call, catalog)
    if problem is not None:
        raise AdministrationError(problem)
    function = catalog.function(call.function_name)
    assert function is not None  # noqa: S101  there was no obstacle
    act = actor.does("call.replayed", call.id, function=call.function_name)
    if function.type != "query" and not confirmed:
        message = "Confirm that it may change something, then run it again."
        raise AdministrationError(message, {"confirmed": message})
    await audit.add(act)
    request_id = actor.request_id or ""
    request = CallRequest(
        application_id=call.application_id,
        user_id=call.user_id,
        connector=catalog.connectors[function.app_name],
        function=function,
        body=JsonBody(call.arguments),
        connected_account_id=call.account_id,
        request_id=request_id,
    )
    try:
        await invoker.call(request, None)
    except ServiceError as error:
        raise AdministrationError(f"The call was refused, and nothing was sent: {error.error}") from error
    page = await calls.calls(limit=1, matching=CallFilter(request_id=request_id, user_id=call.user_id))
    return page.entries[0].id if page.entries else None
