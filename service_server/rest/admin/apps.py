"""`/admin/apps`: what is set for third-party apps, for all applications or for one."""

from typing import Any

from litestar import Request, delete, get, post
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from service_client.models import administration as models
from service_server.administration.permissions import Permission
from service_server.catalog.values import Connector
from service_server.rest.admin.applications import known_application
from service_server.rest.admin.paging import GivenApplication, GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.apps import known_app
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import AppName, GivenCursor
from service_server.service import Service

_SETTINGS = {
    "client_id": Field("string", {"maxLength": 1024}),
    "client_secret": Field("string", {"maxLength": 4096}),
    "variables": Field("object", {"maxProperties": 50}),
}


@get("/admin/apps", summary="List the apps' settings", **needs(Permission.SEE))
async def list_app_settings(
    service: GivenService,
    actor: GivenActor,
    application: GivenApplication = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.AllAppSettings:
    """List what is set for all apps, by name, and what is still missing; with an application what counts for it."""
    paging = Paging(service.vault, "apps", (application,))
    names, following = paging.page(service.catalog.app_names, str, cursor, limit)
    connectors = [found for name in names if (found := service.catalog.connector(name)) is not None]
    return models.AllAppSettings(
        data=tuple([await _told(service, each, application) for each in connectors]), cursor=following
    )


@get("/admin/apps/{app_name:str}", summary="Get an app's settings", **needs(Permission.SEE))
async def get_app_settings(
    service: GivenService, actor: GivenActor, app_name: AppName, application: GivenApplication = None
) -> models.AppSettings:
    """Tell what is set for an app, and what is still missing; with an application what counts for it."""
    return await _told(service, known_app(service, app_name), application)


@post(
    "/admin/apps/{app_name:str}",
    status_code=HTTP_200_OK,
    summary="Set up an app",
    operation_class=taking_fields(_SETTINGS),
    **needs(Permission.SET_UP),
)
async def configure_app(
    request: Request[Any, Any, Any],
    service: GivenService,
    actor: GivenActor,
    app_name: AppName,
    application: GivenApplication = None,
) -> models.AppSettings:
    """
    Set the OAuth2 client and the operator's variables of an app; what is left out stays, an empty text removes it.

    With an application they are set for it alone, in place of all that is set for the others.
    """
    connector = known_app(service, app_name)
    if application is not None:
        await known_application(service, application)
    fields = await read_fields(request, _SETTINGS)
    await service.administration.configure_app(
        actor,
        connector,
        client_id=fields.get("client_id"),
        client_secret=fields.get("client_secret"),
        variables={name: value or None for name, value in fields.get("variables", {}).items()},
        application_id=application,
    )
    return await _told(service, connector, application)


@delete(
    "/admin/apps/{app_name:str}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Remove an application's own settings",
    **needs(Permission.SET_UP),
)
async def share_app(service: GivenService, actor: GivenActor, app_name: AppName, application: GivenApplication) -> None:
    """Take an application's own settings of an app away: those of the others count for it again."""
    connector = known_app(service, app_name)
    await service.administration.share_app(actor, connector, (await known_application(service, application or 0)).id)


@post(
    "/admin/apps/{app_name:str}/try",
    status_code=HTTP_200_OK,
    summary="Try an app's sign-in settings",
    **needs(Permission.SET_UP),
)
async def try_app(
    service: GivenService, actor: GivenActor, app_name: AppName, application: GivenApplication = None
) -> models.TriedSignIns:
    """Ask the app itself: does its sign-in page answer, and does its token endpoint know the client?"""
    connector = known_app(service, app_name)
    settings = await service.administration.app_settings(connector, application)
    tried = await service.app_setup.try_sign_in(actor, connector, settings)
    found = (models.TriedSignIn(way=each.way, what=each.what, result=each.result, told=each.told) for each in tried)
    return models.TriedSignIns(data=tuple(found))


APP_SETTINGS_ROUTES = [list_app_settings, get_app_settings, configure_app, share_app, try_app]


async def _told(service: Service, connector: Connector, application: int | None) -> models.AppSettings:
    settings = await service.administration.app_settings(connector, application)
    client = settings.client
    ways = (
        models.WayToSignIn(title=each.title, missing=settings.missing_settings(connector, each.id))
        for each in connector.auth
    )
    return models.AppSettings(
        app=connector.name,
        title=connector.title,
        own=settings.own,
        client_id=None if client is None else client.client_id,
        has_client_secret=client is not None and bool(client.client_secret),
        variables=dict(settings.variables),
        ways=tuple(ways),
    )
