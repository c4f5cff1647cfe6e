"""`/admin/applications`: host applications, their secrets, origins and brands."""

import base64
import binascii
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from litestar import Request, delete, get, post
from litestar.params import PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from service_client.models import Code
from service_client.models import administration as models
from service_server.administration.brands import MOST_LOGO_BYTES, set_brand
from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.administration.permissions import Permission
from service_server.errors import failure
from service_server.rest.admin.paging import GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import LARGEST_ID, GivenCursor
from service_server.service import Service
from service_server.store import Application, Brand

NAME = Field("string", {"maxLength": 200}, required=True)
_ORIGIN = {"type": "string", "maxLength": 300}
_NEW = {"name": NAME, "origins": Field("array", {"items": _ORIGIN, "maxItems": 100})}
_RENAMED = {"name": NAME}
_ALLOWED = {"origin": Field("string", {"maxLength": 300}, required=True)}
_BRAND = {
    "name": Field("string", {"maxLength": 200}),
    "accent": Field("string", {"maxLength": 7}),
    "logo": Field("string", {"maxLength": 4 * MOST_LOGO_BYTES // 3 + 4}),
}

ApplicationId: TypeAlias = Annotated[int, PathParameter(ge=1, le=LARGEST_ID)]
Fingerprint: TypeAlias = Annotated[str, PathParameter(schema_extra={"pattern": "^[0-9a-f]{16}$"})]
GivenOrigin: TypeAlias = Annotated[str, QueryParameter(max_length=300)]


@get("/admin/applications", summary="List applications", **needs(Permission.SEE))
async def list_applications(
    service: GivenService, actor: GivenActor, cursor: GivenCursor = None, limit: GivenLimit = None
) -> models.Applications:
    """List the host applications, oldest first."""
    paging = Paging(service.vault, "applications")
    shown, following = paging.page(await service.applications.everyone(), lambda each: each.id, cursor, limit)
    return models.Applications(data=tuple(map(told_application, shown)), cursor=following)


@post(
    "/admin/applications",
    status_code=HTTP_201_CREATED,
    summary="Create an application",
    operation_class=taking_fields(_NEW),
    **needs(Permission.SET_UP),
)
async def create_application(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor
) -> models.ApplicationWithSecret:
    """Add a host application; its secret is told this once."""
    fields = await read_fields(request, _NEW)
    made, secret = await service.administration.create_application(actor, fields["name"], fields.get("origins", ()))
    return models.ApplicationWithSecret(application=told_application(made), secret=secret)


@get("/admin/applications/{application_id:int}", summary="Get an application", **needs(Permission.SEE))
async def get_application(
    service: GivenService, actor: GivenActor, application_id: ApplicationId
) -> models.Application:
    """Return one application."""
    return told_application(await known_application(service, application_id))


@post(
    "/admin/applications/{application_id:int}",
    status_code=HTTP_200_OK,
    summary="Rename an application",
    operation_class=taking_fields(_RENAMED),
    **needs(Permission.SET_UP),
)
async def rename_application(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor, application_id: ApplicationId
) -> models.Application:
    """Give an application another name, by which operators know it."""
    application = await known_application(service, application_id)
    fields = await read_fields(request, _RENAMED)
    return told_application(await service.administration.rename_application(actor, application, fields["name"]))


@post(
    "/admin/applications/{application_id:int}/secrets",
    status_code=HTTP_201_CREATED,
    summary="Add a second secret",
    **needs(Permission.SET_UP),
)
async def add_secret(
    service: GivenService, actor: GivenActor, application_id: ApplicationId
) -> models.ApplicationWithSecret:
    """Give an application a second live secret, told this once; refused where it has two."""
    application = await known_application(service, application_id)
    changed, secret = await service.administration.add_secret(actor, application)
    return models.ApplicationWithSecret(application=told_application(changed), secret=secret)


@delete(
    "/admin/applications/{application_id:int}/secrets/{fingerprint:str}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Retire the older secret",
    **needs(Permission.SET_UP),
)
async def retire_secret(
    service: GivenService, actor: GivenActor, application_id: ApplicationId, fingerprint: Fingerprint
) -> None:
    """End the older of two live secrets; the fingerprint has to be its own."""
    application = await known_application(service, application_id)
    await service.administration.retire_secret(actor, application, fingerprint)


@post(
    "/admin/applications/{application_id:int}/origins",
    status_code=HTTP_200_OK,
    summary="Allow an origin",
    operation_class=taking_fields(_ALLOWED),
    **needs(Permission.SET_UP),
)
async def allow_origin(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor, application_id: ApplicationId
) -> models.Application:
    """Let pages of an origin call for an application."""
    application = await known_application(service, application_id)
    fields = await read_fields(request, _ALLOWED)
    return told_application(await service.administration.allow_origin(actor, application, fields["origin"]))


@delete(
    "/admin/applications/{application_id:int}/origins",
    status_code=HTTP_204_NO_CONTENT,
    summary="Remove an origin",
    **needs(Permission.SET_UP),
)
async def disallow_origin(
    service: GivenService, actor: GivenActor, application_id: ApplicationId, origin: GivenOrigin
) -> None:
    """Let pages of an origin call no longer."""
    await service.administration.disallow_origin(actor, await known_application(service, application_id), origin)


@get("/admin/applications/{application_id:int}/brand", summary="Get a brand", **needs(Permission.SEE))
async def get_brand(service: GivenService, actor: GivenActor, application_id: ApplicationId) -> models.Brand:
    """Tell how users see an application while they connect accounts."""
    await known_application(service, application_id)
    return _told_brand(await service.applications.brand(application_id))


@post(
    "/admin/applications/{application_id:int}/brand",
    status_code=HTTP_200_OK,
    summary="Set a brand",
    operation_class=taking_fields(_BRAND),
    **needs(Permission.SET_UP),
)
async def change_brand(
    request: Request[Any, Any, Any], service: GivenService, actor: GivenActor, application_id: ApplicationId
) -> models.Brand:
    """Set the name, the accent or the logo (an image as base64); an empty text removes it, what is left out stays."""
    await known_application(service, application_id)
    given: dict[str, str | bytes | None] = dict(await read_fields(request, _BRAND))
    if given.get("logo"):
        try:
            given["logo"] = base64.b64decode(str(given["logo"]), validate=True)
        except (binascii.Error, ValueError):
            raise AdministrationError("The logo is not base64.", {"logo": "The logo is not base64."}) from None
    return _told_brand(await set_brand(actor, service.applications, application_id, given))


APPLICATION_ROUTES = [
    list_applications,
    create_application,
    get_application,
    rename_application,
    add_secret,
    retire_secret,
    allow_origin,
    disallow_origin,
    get_brand,
    change_brand,
]


async def known_application(service: Service, application_id: int) -> Application:
    """An application by its number; 404 if there is none."""
    found = await service.applications.get(application_id)
    if found is None:
        raise failure(404, Code.NOT_FOUND, f"There is no application {application_id}.")
    return found


def told_application(application: Application) -> models.Application:
    """An application as the admin API tells it."""
    return models.Application(
        id=application.id,
        name=application.name,
        app_key=application.app_key,
        allowed_origins=application.allowed_origins,
        secrets=tuple(secret_fingerprint(each) for each in application.sealed_secrets),
        created_at=datetime.fromisoformat(application.created_at),
    )


def _told_brand(brand: Brand) -> models.Brand:
    return models.Brand(name=brand.name, accent=brand.accent, logo=brand.logo)
