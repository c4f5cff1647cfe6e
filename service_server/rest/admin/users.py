"""`/admin/users`: all that is kept of one user of an application, told or erased."""

from typing import Annotated, Any, TypeAlias

from litestar import Request, get, post
from litestar.params import QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK

from service_client.models import administration as models
from service_server.administration.permissions import Permission
from service_server.rest.admin.applications import known_application
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import giving_files, taking_fields
from service_server.rest.fields import Field, read_fields

_JSON_LINES = "application/x-ndjson"
_PATIENCE_SECONDS = 30.0  # whoever asked waits for it
_ERASED = {
    "application": Field("number", {"multipleOf": 1, "minimum": 1, "maximum": 2**53 - 1}, required=True),
    "user_id": Field("string", {"maxLength": 256}, required=True),
}

GivenUser: TypeAlias = Annotated[str, QueryParameter(min_length=1, max_length=256)]
OneApplication: TypeAlias = Annotated[int, QueryParameter(ge=1, le=2**53 - 1)]


@get(
    "/admin/users/export",
    summary="Export a user's data",
    operation_class=giving_files(_JSON_LINES),
    **needs(Permission.CHANGE_USERS),
)
async def export_user(service: GivenService, actor: GivenActor, application: OneApplication, user: GivenUser) -> Stream:
    """Give all that is kept of a user as JSON lines, each with its `type`; without credentials and files' contents."""
    found = await known_application(service, application)
    return Stream(service.users.export(actor, found, user), media_type=_JSON_LINES)


@post(
    "/admin/users/erase",
    status_code=HTTP_200_OK,
    summary="Erase a user",
    operation_class=taking_fields(_ERASED),
    **needs(Permission.CHANGE_USERS),
)
async def erase_user(request: Request[Any, Any, Any], service: GivenService, actor: GivenActor) -> models.Erased:
    """
    Revoke a user's accounts at their apps, and delete all that is kept of the user; told is how many of what.

    Calls under way are waited for. Broken off, it is begun again by asking once more. It can't be undone.
    """
    fields = await read_fields(request, _ERASED)
    found = await known_application(service, int(fields["application"]))
    erased = await service.users.erase(actor, found, fields["user_id"], patience_seconds=_PATIENCE_SECONDS)
    return models.Erased(counts=dict(erased.counts), not_revoked=erased.not_revoked)


USER_ROUTES = [export_user, erase_user]
