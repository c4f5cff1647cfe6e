"""Which permission each route of the console needs, stated at the route and asked for before it runs."""

from collections.abc import Mapping
from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from service_server.administration.actors import Actor
from service_server.administration.permissions import Permission
from service_server.console.entrance import Entrance, Session
from service_server.console.failures import UNSENT, Refused, SignInNeeded

_PERMISSION = "permission"
_SIGNED_IN = "console_session"

Connection = ASGIConnection[Any, Any, Any, Any]


async def _guard(connection: Connection, handler: BaseRouteHandler) -> None:
    entrance: Entrance = connection.app.state.console_entrance
    session = await entrance.session(connection.cookies)
    if session is None:
        path = connection.scope["path"]
        if connection.scope.get("method") != "GET":
            path = "/console" if path == "/console/sign-out" else UNSENT
        raise SignInNeeded(path)
    permission: Permission = handler.opt[_PERMISSION]
    if not actor_of(connection, session).may(permission):
        raise not_allowed(session, permission)
    connection.scope["state"][_SIGNED_IN] = session


OPEN: Mapping[str, Any] = {"opt": {_PERMISSION: None}}
"""What a route is declared with that shows itself to people who are not signed in."""


def needs(permission: Permission) -> Mapping[str, Any]:
    """What a route is declared with that only operators with this permission may use: `@get(…, **needs(…))`."""
    return {"opt": {_PERMISSION: permission}, "guards": [_guard]}


def permission_of(handler: BaseRouteHandler) -> Permission | None:
    """The permission that a route needs, None for an OPEN one; KeyError if it states none."""
    permission: Permission | None = handler.opt[_PERMISSION]
    return permission


def session_of(connection: Connection) -> Session:
    """The session that the guard has found; KeyError at a route without one."""
    session: Session = connection.scope["state"][_SIGNED_IN]
    return session


def actor_of(connection: Connection, session: Session) -> Actor:
    """The operator of a session, with where they are."""
    return Actor(
        name=session.operator,
        via="console",
        role=session.role,
        sees_contents=session.sees_contents,
        address=None if connection.client is None else connection.client.host,
        request_id=connection.scope["state"]["request_id"],
    )


def not_allowed(session: Session, permission: Permission) -> Refused:
    """A 403 for what the operator's role does not allow."""
    return Refused(
        403,
        "Your role doesn’t allow this",
        f"You are signed in as a {session.role}, who may not {permission.value}. An owner can change your role.",
    )
