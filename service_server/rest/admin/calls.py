"""`/admin/calls` and `/admin/refusals`: the log of what was called: searched, exported, and run again."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from litestar import Request, get, post
from litestar.params import PathParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_201_CREATED

from service_client.models import Code
from service_client.models import administration as models
from service_server.administration.actors import NotAllowed
from service_server.administration.call_export import MEDIA_TYPES, ExportFormat, export
from service_server.administration.call_filters import read_filter
from service_server.administration.permissions import Permission
from service_server.errors import failure
from service_server.invoke.replay import replay
from service_server.rest.admin.paging import PAGE_SIZE, GivenApplication, GivenFilter, GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import giving_files, taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import GivenCursor
from service_server.service import Service
from service_server.store import Call, Refusal

_REPLAY = {"confirmed": Field("boolean")}

CallId: TypeAlias = Annotated[str, PathParameter(schema_extra={"pattern": "^[0-9a-f]{32}$"})]


@get("/admin/calls", summary="Search calls", **needs(Permission.SEE))
async def list_calls(
    service: GivenService,
    actor: GivenActor,
    application: GivenApplication = None,
    user: GivenFilter = None,
    app: GivenFilter = None,
    function: GivenFilter = None,
    outcome: GivenFilter = None,
    code: GivenFilter = None,
    since: GivenFilter = None,
    until: GivenFilter = None,
    request_id: GivenFilter = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.Calls:
    """
    List executed calls, newest first, without their arguments and outputs.

    `outcome` is succeeded, failed, unknown or started; `code` is a class such as 5xx; `since` and `until` are moments
    such as 2026-11-23T08:30 (UTC) or a time ago such as 24h.
    """
    asked = (application, user, app, function, outcome, code, since, until, request_id)
    matching = read_filter(_given(*asked))
    paging = Paging(service.vault, "calls", asked)
    page = await service.calls.calls(limit=limit or PAGE_SIZE, before=paging.after(cursor), matching=matching)
    return models.Calls(data=tuple(_told(each) for each in page.entries), cursor=paging.cursor(page.older))


@get(
    "/admin/calls/export",
    summary="Export calls",
    operation_class=giving_files(*MEDIA_TYPES.values()),
    **needs(Permission.SEE),
)
async def export_calls(
    service: GivenService,
    actor: GivenActor,
    format: ExportFormat | None = None,
    contents: bool | None = None,
    application: GivenApplication = None,
    user: GivenFilter = None,
    app: GivenFilter = None,
    function: GivenFilter = None,
    outcome: GivenFilter = None,
    code: GivenFilter = None,
    since: GivenFilter = None,
    until: GivenFilter = None,
    request_id: GivenFilter = None,
) -> Stream:
    """Give all calls that match as a file, as JSON lines or CSV; with `contents`, arguments and outputs as well."""
    if contents:
        actor.check(Permission.SEE_CONTENTS)
    given = _given(application, user, app, function, outcome, code, since, until, request_id)
    matching, form, with_contents = read_filter(given), format or "jsonl", bool(contents)
    filters = {name: text for name, text in given.items() if text}
    await service.audit.add(actor.does("calls.exported", filters=filters, contents=with_contents))
    pieces = export(service.calls.each(matching, contents=with_contents), Call, form, contents=with_contents)
    return _file(pieces, form, "calls")


@get("/admin/calls/{call_id:str}", summary="Get a call", **needs(Permission.SEE))
async def get_call(service: GivenService, actor: GivenActor, call_id: CallId) -> models.Call:
    """Return one call; with its arguments and output if the key may see them, which the audit trail says."""
    found = await _known(service, call_id)
    try:
        act = actor.does("call.read", found.id, function=found.function_name)
    except NotAllowed:
        return _told(found)
    await service.audit.add(act)
    return _told(found, contents=True)


@post(
    "/admin/calls/{call_id:str}/replay",
    status_code=HTTP_201_CREATED,
    summary="Run a call again",
    operation_class=taking_fields(_REPLAY),
    **needs(Permission.CHANGE_USERS),
)
async def replay_call(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor, call_id: CallId
) -> models.ReplayedCall:
    """
    Run a call once more, for the same user and account; what may change something only if it is `confirmed`.

    The new call is in the log, with what the app answered. Refused are calls of which not all was kept.
    """
    fields = await read_fields(request, _REPLAY)
    again = await replay(
        await _known(service, call_id),
        actor,
        confirmed=fields.get("confirmed", False),
        catalog=service.catalog,
        invoker=service.invoker,
        calls=service.calls,
        audit=service.audit,
    )
    return models.ReplayedCall(call_id=again)


@get("/admin/refusals", summary="Search refused calls", **needs(Permission.SEE))
async def list_refusals(
    service: GivenService,
    actor: GivenActor,
    application: GivenApplication = None,
    user: GivenFilter = None,
    function: GivenFilter = None,
    code: GivenFilter = None,
    since: GivenFilter = None,
    until: GivenFilter = None,
    request_id: GivenFilter = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.Refusals:
    """List calls that were refused before anything was sent, newest first; `code` is that of the error."""
    asked = (application, user, None, function, None, code, since, until, request_id)
    matching = read_filter(_given(*asked), refused=True)
    paging = Paging(service.vault, "refusals", asked)
    page = await service.calls.refusals(limit=limit or PAGE_SIZE, before=paging.after(cursor), matching=matching)
    return models.Refusals(data=tuple(map(_told_refusal, page.entries)), cursor=paging.cursor(page.older))


CALL_LOG_ROUTES = [list_calls, export_calls, get_call, replay_call, list_refusals]


def _given(
    application: int | None,
    user: str | None,
    app: str | None,
    function: str | None,
    outcome: str | None,
    code: str | None,
    since: str | None,
    until: str | None,
    request: str | None,
) -> dict[str, str]:
    """The filters by the names that the console and the command line have for them."""
    given = {
        "application": "" if application is None else str(application),
        "user": user,
        "app": app,
        "function": function,
        "outcome": outcome,
        "code": code,
        "since": since,
        "until": until,
        "request": request,
    }
    return {name: text or "" for name, text in given.items()}


def _file(pieces: AsyncIterator[bytes], form: ExportFormat, name: str) -> Stream:
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"', "Content-Type": MEDIA_TYPES[form]}
    return Stream(pieces, headers=headers)


async def _known(service: Service, call_id: str) -> Call:
    found = await service.calls.get(call_id)
    if found is None:
        raise failure(404, Code.NOT_FOUND, "There is no such call in the log.")
    return found


def _told(call: Call, *, contents: bool = False) -> models.Call:
    return models.Call(
        id=call.id,
        application_id=call.application_id,
        user_id=call.user_id,
        app=call.app_name,
        function=call.function_name,
        type=call.function_type,
        connected_account_id=call.account_id,
        outcome=call.outcome,
        network_code=call.network_code,
        started_at=datetime.fromisoformat(call.started_at),
        duration_ms=call.duration_ms,
        request_id=call.request_id,
        has_contents=contents,
        arguments=call.arguments if contents else None,
        output=call.output if contents else None,
    )


def _told_refusal(refusal: Refusal) -> models.Refusal:
    return models.Refusal(
        id=refusal.id,
        application_id=refusal.application_id,
        user_id=refusal.user_id,
        function=refusal.function_name,
        code=refusal.code,
        error=refusal.error,
        at=datetime.fromisoformat(refusal.at),
        request_id=refusal.request_id,
    )
