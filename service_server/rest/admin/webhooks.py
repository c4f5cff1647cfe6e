"""`/admin/webhooks`: where applications are told what happens, and what was delivered there."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from litestar import Request, delete, get, post
from litestar.params import PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from service_client.models import administration as models
from service_server.administration.live_secrets import secret_fingerprint
from service_server.administration.permissions import Permission
from service_server.rest.admin.applications import Fingerprint, known_application
from service_server.rest.admin.paging import PAGE_SIZE, GivenApplication, GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import LARGEST_ID, GivenCursor
from service_server.store import WebhookDelivery, WebhookEndpoint
from service_server.store.clock import moment

_NEW = {
    "application_id": Field("number", {"minimum": 1, "maximum": LARGEST_ID}, required=True),
    "url": Field("string", {"maxLength": 2048}, required=True),
    "event_types": Field("array", {"items": {"type": "string", "maxLength": 64}, "maxItems": 20}),
}

EndpointId: TypeAlias = Annotated[str, PathParameter(schema_extra={"pattern": "^whe_[0-9a-f]{24}$"})]
DeliveryId: TypeAlias = Annotated[int, PathParameter(ge=1, le=LARGEST_ID)]
# The framework has another use for the name `state`.
GivenDeliveryState: TypeAlias = Annotated[
    Literal["pending", "delivered", "failed"] | None, QueryParameter(name="state")
]


@get("/admin/webhooks", summary="List webhook endpoints", **needs(Permission.SEE))
async def list_endpoints(
    service: GivenService,
    actor: GivenActor,
    application: GivenApplication = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.WebhookEndpoints:
    """List the endpoints of all applications, or of one."""
    everyone = await service.webhooks.endpoints.everyone()
    found = [each for each in everyone if application in (None, each.application_id)]
    paging = Paging(service.vault, "webhooks", (application,))
    shown, following = paging.page(found, lambda each: each.id, cursor, limit)
    return models.WebhookEndpoints(data=tuple(map(_told, shown)), cursor=following)


@post(
    "/admin/webhooks",
    status_code=HTTP_201_CREATED,
    summary="Create a webhook endpoint",
    operation_class=taking_fields(_NEW),
    **needs(Permission.SET_UP),
)
async def create_endpoint(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor
) -> models.WebhookEndpointWithSecret:
    """Tell an application what happens, all of it or these `event_types`; the secret is told this once."""
    fields = await read_fields(request, _NEW)
    application = await known_application(service, fields["application_id"])
    made, secret = await service.webhooks.create(actor, application, fields["url"], fields.get("event_types", ()))
    return models.WebhookEndpointWithSecret(endpoint=_told(made), secret=secret)


@get("/admin/webhooks/{endpoint_id:str}", summary="Get a webhook endpoint", **needs(Permission.SEE))
async def get_endpoint(service: GivenService, actor: GivenActor, endpoint_id: EndpointId) -> models.WebhookEndpoint:
    """Return one endpoint."""
    return _told(await service.webhooks.endpoint(endpoint_id))


@delete(
    "/admin/webhooks/{endpoint_id:str}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Remove a webhook endpoint",
    **needs(Permission.SET_UP),
)
async def remove_endpoint(service: GivenService, actor: GivenActor, endpoint_id: EndpointId) -> None:
    """Send nothing more there, not even what was to be."""
    await service.webhooks.remove(actor, await service.webhooks.endpoint(endpoint_id))


@post(
    "/admin/webhooks/{endpoint_id:str}/secrets",
    status_code=HTTP_201_CREATED,
    summary="Add a second webhook secret",
    **needs(Permission.SET_UP),
)
async def add_endpoint_secret(
    service: GivenService, actor: GivenActor, endpoint_id: EndpointId
) -> models.WebhookEndpointWithSecret:
    """Sign with a second secret as well, told this once; refused where there are two."""
    changed, secret = await service.webhooks.add_secret(actor, await service.webhooks.endpoint(endpoint_id))
    return models.WebhookEndpointWithSecret(endpoint=_told(changed), secret=secret)


@delete(
    "/admin/webhooks/{endpoint_id:str}/secrets/{fingerprint:str}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Retire the older webhook secret",
    **needs(Permission.SET_UP),
)
async def retire_endpoint_secret(
    service: GivenService, actor: GivenActor, endpoint_id: EndpointId, fingerprint: Fingerprint
) -> None:
    """Sign no longer with the older of two secrets; the fingerprint has to be its own."""
    await service.webhooks.retire_secret(actor, await service.webhooks.endpoint(endpoint_id), fingerprint)


@post(
    "/admin/webhooks/{endpoint_id:str}/enable",
    status_code=HTTP_200_OK,
    summary="Enable a webhook endpoint",
    **needs(Permission.SET_UP),
)
async def enable_endpoint(service: GivenService, actor: GivenActor, endpoint_id: EndpointId) -> models.WebhookEndpoint:
    """Deliver again: first what was still waiting, then what happens from now on."""
    return _told(await service.webhooks.enable(actor, await service.webhooks.endpoint(endpoint_id)))


@post(
    "/admin/webhooks/{endpoint_id:str}/disable",
    status_code=HTTP_200_OK,
    summary="Disable a webhook endpoint",
    **needs(Permission.SET_UP),
)
async def disable_endpoint(service: GivenService, actor: GivenActor, endpoint_id: EndpointId) -> models.WebhookEndpoint:
    """Send nothing more; what was not delivered waits, and what happens from now on is not told."""
    return _told(await service.webhooks.disable(actor, await service.webhooks.endpoint(endpoint_id)))


@post(
    "/admin/webhooks/{endpoint_id:str}/test",
    status_code=HTTP_201_CREATED,
    summary="Test a webhook endpoint",
    **needs(Permission.SET_UP),
)
async def test_endpoint(service: GivenService, actor: GivenActor, endpoint_id: EndpointId) -> models.WebhookDelivery:
    """Have an event of the type webhook.test delivered; the delivery says what comes of it."""
    return _told_delivery(await service.webhooks.test(actor, await service.webhooks.endpoint(endpoint_id)))


@get("/admin/webhooks/{endpoint_id:str}/deliveries", summary="List deliveries", **needs(Permission.SEE))
async def list_deliveries(
    service: GivenService,
    actor: GivenActor,
    endpoint_id: EndpointId,
    in_state: GivenDeliveryState = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.WebhookDeliveries:
    """List what an endpoint was told, newest first, or is about to be."""
    endpoint = await service.webhooks.endpoint(endpoint_id)
    paging = Paging(service.vault, "deliveries", (endpoint.id, in_state))
    found = await service.webhooks.deliveries.log(
        endpoint.id, limit=(limit or PAGE_SIZE) + 1, before=paging.after(cursor), state=in_state
    )
    shown, following = paging.newest(found, lambda each: each.id, limit)
    return models.WebhookDeliveries(data=tuple(map(_told_delivery, shown)), cursor=following)


@post(
    "/admin/webhooks/{endpoint_id:str}/deliveries/{delivery_id:int}/resend",
    status_code=HTTP_201_CREATED,
    summary="Resend a delivery",
    **needs(Permission.SET_UP),
)
async def resend_delivery(
    service: GivenService, actor: GivenActor, endpoint_id: EndpointId, delivery_id: DeliveryId
) -> models.WebhookDelivery:
    """Deliver an event once more, with the same id."""
    endpoint = await service.webhooks.endpoint(endpoint_id)
    return _told_delivery(await service.webhooks.resend(actor, endpoint, delivery_id))


WEBHOOK_ROUTES = [
    list_endpoints,
    create_endpoint,
    get_endpoint,
    remove_endpoint,
    add_endpoint_secret,
    retire_endpoint_secret,
    enable_endpoint,
    disable_endpoint,
    test_endpoint,
    list_deliveries,
    resend_delivery,
]


def _told(endpoint: WebhookEndpoint) -> models.WebhookEndpoint:
    return models.WebhookEndpoint(
        id=endpoint.id,
        application_id=endpoint.application_id,
        url=endpoint.url,
        event_types=endpoint.event_types,
        state=endpoint.state,
        state_reason=endpoint.state_reason,
        failing_since=_moment(endpoint.failing_since),
        secrets=tuple(secret_fingerprint(each) for each in endpoint.sealed_secrets),
        created_at=datetime.fromisoformat(endpoint.created_at),
    )


def _told_delivery(delivery: WebhookDelivery) -> models.WebhookDelivery:
    return models.WebhookDelivery(
        id=delivery.id,
        event_id=delivery.event_id,
        event_type=delivery.event_type,
        connected_account_id=delivery.account_id or None,
        state=delivery.state,
        attempts=delivery.attempts,
        status=delivery.status,
        problem=delivery.problem,
        created_at=moment(delivery.created_at),
        ended_at=_moment(delivery.ended_at),
        next_attempt_at=moment(delivery.due_at) if delivery.state == "pending" else None,
    )


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else moment(seconds)
