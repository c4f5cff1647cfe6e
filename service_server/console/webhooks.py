"""Webhook endpoints: where applications are told what happens, and what was delivered there."""

import re
from typing import Any, cast

from litestar import Request, Response, get, post
from litestar.params import FromPath

from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.administration.permissions import Permission
from service_server.administration.webhooks import EVENT_TYPES
from service_server.console.failures import Refused, not_found
from service_server.console.guard import needs
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Form, Visit, submitted, visit
from service_server.store import DeliveryState, WebhookEndpoint
from service_server.store.clock import timestamp

PAGE_SIZE = 50
_STATES = ("pending", "delivered", "failed")
_NUMBER = re.compile(r"[0-9]{1,18}")
_EVENT_FIELD = "event."


@get("/console/webhooks", include_in_schema=False, **needs(Permission.SEE))
async def list_endpoints(request: Request[Any, Any, Any]) -> Response[bytes]:
    """All endpoints, and a form for another one."""
    return await _list(await visit(request))


@post(
    "/console/webhooks", include_in_schema=False, request_max_body_size=LONGEST_FORM_BYTES, **needs(Permission.SET_UP)
)
async def create_endpoint(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Add an endpoint; the answer is the one page that shows its secret."""
    current, form = await submitted(request)
    chosen = form.get("application", "")
    application = await current.service.applications.get(int(chosen)) if _NUMBER.fullmatch(chosen) else None
    if application is None:
        return await _list(current, form=form, problem="Choose the application that is to be told.")
    events = [name.removeprefix(_EVENT_FIELD) for name in form if name.startswith(_EVENT_FIELD)]
    try:
        endpoint, secret = await current.service.webhooks.create(
            current.actor, application, form.get("url", ""), events
        )
    except AdministrationError as error:
        return await _list(current, form=form, problem=str(error))
    return current.page("webhook_secret.html", endpoint=endpoint, secret=secret, is_new=True)


@get("/console/webhooks/{endpoint_id:str}", include_in_schema=False, **needs(Permission.SEE))
async def show_endpoint(request: Request[Any, Any, Any], endpoint_id: FromPath[str]) -> Response[bytes]:
    """One endpoint and what was delivered there."""
    current = await visit(request)
    return await _show(current, await _endpoint(current, endpoint_id))


@post(
    "/console/webhooks/{endpoint_id:str}/{act:str}",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def change_endpoint(
    request: Request[Any, Any, Any], endpoint_id: FromPath[str], act: FromPath[str]
) -> Response[bytes]:
    """Do one of the things that the endpoint's page offers."""
    current, form = await submitted(request)
    endpoint = await _endpoint(current, endpoint_id)
    try:
        return await _carry_out(current, endpoint, act, form)
    except AdministrationError as error:
        return await _show(current, await _endpoint(current, endpoint_id), problem=str(error))


WEBHOOK_ROUTES = [list_endpoints, create_endpoint, show_endpoint, change_endpoint]


async def _carry_out(current: Visit, endpoint: WebhookEndpoint, act: str, form: Form) -> Response[bytes]:
    webhooks, actor, done = current.service.webhooks, current.actor, f"webhook-{act}"
    match act:
        case "rotate":
            endpoint, secret = await webhooks.add_secret(actor, endpoint)
            return current.page("webhook_secret.html", endpoint=endpoint, secret=secret, is_new=False)
        case "retire":
            await webhooks.retire_secret(actor, endpoint, form.get("fingerprint", ""))
        case "test":
            await webhooks.test(actor, endpoint)
        case "enable":
            await webhooks.enable(actor, endpoint)
        case "disable":
            await webhooks.disable(actor, endpoint)
        case "resend":
            number = form.get("delivery", "")
            await webhooks.resend(actor, endpoint, int(number) if _NUMBER.fullmatch(number) else 0)
        case "remove":
            await webhooks.remove(actor, endpoint)
            return see_other(f"/console/webhooks?done={done}")
        case _:
            raise not_found("page")
    return see_other(f"/console/webhooks/{endpoint.id}?done={done}")


async def _endpoint(current: Visit, endpoint_id: str) -> WebhookEndpoint:
    endpoint = await current.service.webhooks.endpoints.get(endpoint_id)
    if endpoint is None:
        raise not_found("webhook endpoint")
    return endpoint


async def _list(current: Visit, *, form: Form | None = None, problem: str = "") -> Response[bytes]:
    applications = await current.service.applications.everyone()
    return current.page(
        "webhooks.html",
        status=422 if problem else 200,
        endpoints=await current.service.webhooks.endpoints.everyone(),
        applications=applications,
        names={each.id: each.name for each in applications},
        event_types=EVENT_TYPES,
        form={name: text[:2048] for name, text in (form or {}).items()},
        problem=problem,
    )


async def _show(current: Visit, endpoint: WebhookEndpoint, *, problem: str = "") -> Response[bytes]:
    state, before = current.query.get("state", ""), current.query.get("before", "")
    if (state and state not in _STATES) or (before and not _NUMBER.fullmatch(before)):
        raise Refused(400, "That can't be listed", "The address is not one that the console made.")
    found = await current.service.webhooks.deliveries.log(
        endpoint.id,
        limit=PAGE_SIZE + 1,
        before=int(before) if before else None,
        state=cast(DeliveryState, state) if state else None,
    )
    two = len(endpoint.sealed_secrets) > 1
    return current.page(
        "webhook.html",
        status=422 if problem else 200,
        endpoint=endpoint,
        application=await current.service.applications.get(endpoint.application_id),
        old_secret=secret_fingerprint(endpoint.sealed_secrets[-1]) if two else None,
        failing_since=None if endpoint.failing_since is None else timestamp(endpoint.failing_since),
        deliveries=[(each, timestamp(each.created_at)) for each in found[:PAGE_SIZE]],
        state=state,
        before=before,
        older=found[PAGE_SIZE - 1].id if len(found) > PAGE_SIZE else None,
        problem=problem,
    )
