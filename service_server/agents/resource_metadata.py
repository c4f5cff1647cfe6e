"""
`/.well-known/oauth-protected-resource/mcp`: where an agent's client gets a token for `/mcp` (RFC 9728).

The service itself issues no tokens to agents. An operator may name the host application's authorization server, which
gives out session tokens of this service as its access tokens.
"""

from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException

from service_server.rest.dependencies import GivenService
from service_server.rest.wire import WireResponse
from service_server.settings import Settings

PATH = "/.well-known/oauth-protected-resource/mcp"


@get(PATH, include_in_schema=False)
async def protected_resource_metadata(service: GivenService) -> Response[Any]:
    """Name the authorization server of `/mcp`; there is nothing here unless the operator has set one."""
    settings = service.settings
    if settings.authorization_server is None:
        raise NotFoundException
    return WireResponse(
        {
            "resource": f"{settings.public_url}/mcp",
            "authorization_servers": [settings.authorization_server],
            "bearer_methods_supported": ["header"],
            "resource_name": "Integration functions",
        }
    )


def challenge(settings: Settings) -> str:
    """What `WWW-Authenticate` says to a client that comes to `/mcp` without credentials."""
    if settings.authorization_server is None:
        return "Bearer"
    return f'Bearer resource_metadata="{settings.public_url}{PATH}"'


METADATA_ROUTES = [protected_resource_metadata]
