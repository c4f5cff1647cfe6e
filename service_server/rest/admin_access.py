"""Who may use the admin API: whoever sends a key with the permission that the route needs."""

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation

from service_client.models import Action, Code
from service_server.administration.actors import Actor
from service_server.administration.permissions import Permission
from service_server.administration.throttle import Throttle
from service_server.errors import ServiceError, failure
from service_server.service import Service

SCHEME = "AdminKey"
"""What `/openapi.json` calls the way to authenticate."""
_ACTOR = "admin_actor"
_PERMISSION = "permission"
_BEARER = "bearer "

GivenActor: TypeAlias = NamedDependency[SkipValidation[Actor]]


def needs(permission: Permission) -> Mapping[str, Any]:
    """What a route of the admin API is declared with: `@get(…, **needs(…))`."""
    return {
        "opt": {_PERMISSION: permission},
        "guards": [_guard],
        "security": [{SCHEME: []}],
        "tags": ["Administration"],
    }


def permission_of(handler: BaseRouteHandler) -> Permission:
    """The permission that a route needs; KeyError if it states none."""
    permission: Permission = handler.opt[_PERMISSION]
    return permission


async def provide_actor(request: Request[Any, Any, Any]) -> Actor:
    """The holder of the key, whom the guard has let in."""
    actor: Actor = request.scope["state"][_ACTOR]
    return actor


async def _guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    service: Service = connection.app.state.service
    throttle: Throttle = connection.app.state.admin_throttle
    address = "" if connection.client is None else connection.client.host
    given = connection.headers.get("authorization", "")
    text = given[len(_BEARER) :].strip() if given[: len(_BEARER)].lower() == _BEARER else ""
    actor = await service.admin_keys.holder(text, address or None, connection.scope["state"]["request_id"])
    if actor is None:
        # Only wrong keys are slowed down, so that nobody can lock out those who have a right one.
        wait = throttle.begin("", address) if text else 0.0
        raise _unauthenticated() if wait <= 0 else _must_wait(wait)
    connection.app.state.rate_limit.count(0, f"key {actor.key_id}")
    actor.check(handler.opt[_PERMISSION])
    connection.scope["state"][_ACTOR] = actor


def _unauthenticated() -> ServiceError:
    return failure(
        401,
        Code.UNAUTHENTICATED,
        "The key is missing or not valid. Send a key of the admin API as Authorization: Bearer.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _must_wait(seconds: float) -> ServiceError:
    whole = math.ceil(seconds)
    return failure(
        429,
        Code.RATE_LIMITED,
        f"Too many wrong keys came from this address. Try again in {whole} seconds.",
        action=Action.WAIT,
        headers={"Retry-After": str(whole)},
    )
