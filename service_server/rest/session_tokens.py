"""`/session_tokens`: short-lived tokens that a host's backend mints for its pages."""

from typing import Any

from litestar import Request, post
from litestar.status_codes import HTTP_201_CREATED

from service_client.models import Code, SessionToken
from service_server.administration.session_tokens import mint
from service_server.errors import failure, unknown_app, unknown_function
from service_server.rest.dependencies import GivenCaller, GivenService
from service_server.rest.described_bodies import taking_fields
from service_server.rest.fields import Field, read_fields
from service_server.rest.parameters import APP_NAME, FUNCTION_NAME
from service_server.store.clock import moment

DEFAULT_SECONDS = 15 * 60
LONGEST_SECONDS = 24 * 3600
_FIELDS = {
    "expires_in": Field("number", {"minimum": 1, "maximum": LONGEST_SECONDS}),
    "functions": Field("array", {"items": FUNCTION_NAME, "maxItems": 500}),
    "apps": Field("array", {"items": APP_NAME, "maxItems": 500}),
    "origin": Field("string", {"pattern": r"^(null|[a-z][a-z0-9+.-]*://[!-.0-~]+)$", "maxLength": 300}),
}


@post(
    "/session_tokens",
    status_code=HTTP_201_CREATED,
    summary="Mint a session token",
    tags=["Authentication"],
    operation_class=taking_fields(_FIELDS),
)
async def create_session_token(
    request: Request[Any, Any, Any], service: GivenService, caller: GivenCaller
) -> SessionToken:
    """Mint a token for the user, limited to `functions`, `apps` or an `origin` if they are given."""
    if caller.scope is not None:
        raise failure(403, Code.FORBIDDEN, "A session token cannot mint session tokens.")
    fields = await read_fields(request, _FIELDS)
    seconds = fields.get("expires_in", DEFAULT_SECONDS)
    for index, name in enumerate(fields.get("functions", ())):
        if service.catalog.function(name) is None:
            raise unknown_function(name, f"functions[{index}]")
    for index, name in enumerate(fields.get("apps", ())):
        if service.catalog.connector(name) is None:
            raise unknown_app(name, f"apps[{index}]")
    token, expires_at = mint(
        service.vault,
        caller.application,
        caller.user_id,
        caller.secret_name,
        seconds=seconds,
        functions=fields.get("functions"),
        apps=fields.get("apps"),
        origin=fields.get("origin"),
    )
    return SessionToken(token=token, expires_at=moment(expires_at))


SESSION_TOKEN_ROUTES = [create_session_token]
