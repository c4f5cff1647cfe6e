"""`/admin/operators` and `/admin/keys`: who may do what."""

from datetime import datetime
from typing import Annotated, Any, TypeAlias

from litestar import Request, delete, get, post
from litestar.params import PathParameter, QueryParameter
from litestar.status_codes import HTTP_201_CREATED, HTTP_204_NO_CONTENT

from service_client.models import administration as models
from service_server.administration.admin_keys import LONGEST_DAYS
from service_server.administration.passwords import LONGEST, SHORTEST
from service_server.administration.permissions import Permission
from service_server.rest.admin.applications import NAME
from service_server.rest.admin.paging import GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import GivenCursor
from service_server.store import AdminKey, Operator
from service_server.store.clock import moment

_ROLE = {
    "role": Field("string", {"maxLength": 16}, required=True),
    "sees_contents": Field("boolean"),
}
_PASSWORD = Field("string", {"minLength": SHORTEST, "maxLength": LONGEST}, required=True)
_NEW = {"name": NAME, "password": _PASSWORD, **_ROLE}
_CHANGED_ROLE = {"name": NAME, **_ROLE}
_CHANGED_PASSWORD = {"name": NAME, "password": _PASSWORD}
_NEW_KEY = {"name": NAME, **_ROLE, "days": Field("number", {"minimum": 1, "maximum": LONGEST_DAYS})}

GivenName: TypeAlias = Annotated[str, QueryParameter(max_length=200)]
KeyId: TypeAlias = Annotated[str, PathParameter(schema_extra={"pattern": "^[0-9a-f]{16}$"})]


@get("/admin/operators", summary="List operators", **needs(Permission.MANAGE_OPERATORS))
async def list_operators(
    service: GivenService, actor: GivenActor, cursor: GivenCursor = None, limit: GivenLimit = None
) -> models.Operators:
    """List those who may sign in to the console, by name."""
    paging = Paging(service.vault, "operators")
    shown, following = paging.page(await service.operators.everyone(actor), lambda each: each.name, cursor, limit)
    return models.Operators(data=tuple(map(_told, shown)), cursor=following)


@post(
    "/admin/operators",
    status_code=HTTP_201_CREATED,
    summary="Add an operator",
    operation_class=taking_fields(_NEW),
    **needs(Permission.MANAGE_OPERATORS),
)
async def add_operator(request: Request[Any, Any, Any], service: GivenService, actor: GivenActor) -> models.Operator:
    """Let someone sign in to the console as an owner, a developer or a viewer."""
    fields = await read_fields(request, _NEW)
    contents = fields.get("sees_contents", False)
    return _told(
        await service.operators.add(actor, fields["name"], fields["password"], fields["role"], sees_contents=contents)
    )


@post(
    "/admin/operators/role",
    status_code=HTTP_204_NO_CONTENT,
    summary="Give an operator a role",
    operation_class=taking_fields(_CHANGED_ROLE),
    **needs(Permission.MANAGE_OPERATORS),
)
async def set_operator_role(request: Request[Any, Any, Any], service: GivenService, actor: GivenActor) -> None:
    """Give the operator of a name another role; the last owner stays one."""
    fields = await read_fields(request, _CHANGED_ROLE)
    contents = fields.get("sees_contents", False)
    await service.operators.set_role(actor, fields["name"], fields["role"], sees_contents=contents)


@post(
    "/admin/operators/password",
    status_code=HTTP_204_NO_CONTENT,
    summary="Give an operator a password",
    operation_class=taking_fields(_CHANGED_PASSWORD),
    **needs(Permission.MANAGE_OPERATORS),
)
async def set_operator_password(request: Request[Any, Any, Any], service: GivenService, actor: GivenActor) -> None:
    """Give the operator of a name another password; who is signed in with the old one is not any more."""
    fields = await read_fields(request, _CHANGED_PASSWORD)
    await service.operators.set_password(actor, fields["name"], fields["password"])


@delete(
    "/admin/operators",
    status_code=HTTP_204_NO_CONTENT,
    summary="Remove an operator",
    **needs(Permission.MANAGE_OPERATORS),
)
async def remove_operator(service: GivenService, actor: GivenActor, name: GivenName) -> None:
    """Remove the operator of a name; the last owner stays."""
    await service.operators.remove(actor, name)


@get("/admin/keys", summary="List keys", **needs(Permission.MANAGE_OPERATORS))
async def list_keys(
    service: GivenService, actor: GivenActor, cursor: GivenCursor = None, limit: GivenLimit = None
) -> models.Keys:
    """List the keys of the admin API, ended ones included, without what opens anything."""
    paging = Paging(service.vault, "keys")
    shown, following = paging.page(await service.admin_keys.everyone(actor), lambda each: each.id, cursor, limit)
    return models.Keys(data=tuple(map(_told_key, shown)), cursor=following)


@post(
    "/admin/keys",
    status_code=HTTP_201_CREATED,
    summary="Make a key",
    operation_class=taking_fields(_NEW_KEY),
    **needs(Permission.MANAGE_OPERATORS),
)
async def create_key(request: Request[Any, Any, Any], service: GivenService, actor: GivenActor) -> models.KeyWithText:
    """Make a key that lasts `days`, or until it is removed; its text is told this once."""
    fields = await read_fields(request, _NEW_KEY)
    key, text = await service.admin_keys.create(
        actor,
        fields["name"],
        fields["role"],
        sees_contents=fields.get("sees_contents", False),
        days=fields.get("days"),
    )
    return models.KeyWithText(key=_told_key(key), text=text)


@delete(
    "/admin/keys/{key_id:str}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Remove a key",
    **needs(Permission.MANAGE_OPERATORS),
)
async def remove_key(service: GivenService, actor: GivenActor, key_id: KeyId) -> None:
    """End a key at once and for good; it may be the one that asks."""
    await service.admin_keys.remove(actor, key_id)


OPERATOR_ROUTES = [
    list_operators,
    add_operator,
    set_operator_role,
    set_operator_password,
    remove_operator,
    list_keys,
    create_key,
    remove_key,
]


def _told(operator: Operator) -> models.Operator:
    return models.Operator(
        name=operator.name,
        role=operator.role,
        sees_contents=operator.sees_contents,
        created_at=datetime.fromisoformat(operator.created_at),
    )


def _told_key(key: AdminKey) -> models.Key:
    return models.Key(
        id=key.id,
        name=key.name,
        role=key.role,
        sees_contents=key.sees_contents,
        created_at=datetime.fromisoformat(key.created_at),
        created_by=key.created_by,
        expires_at=None if key.expires_at is None else moment(key.expires_at),
        last_used_at=None if key.last_used_at is None else moment(key.last_used_at),
    )
