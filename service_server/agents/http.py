"""One message over streamable HTTP, answered by the protocol's library; nothing is kept between two of them."""

from collections.abc import Mapping
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from service_server.agents.agent import ABILITIES_HEADER, Agent, sealed_abilities
from service_server.agents.server import mcp_server
from service_server.rest.bodies import received_again

# Which origins may ask was checked with the credentials: those that the application allows.
_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


async def answer(agent: Agent, message: Mapping[str, Any], body: bytes, scope: Any, receive: Any, send: Any) -> None:
    """Answer a message whose body was already read."""
    manager = StreamableHTTPSessionManager(
        app=mcp_server(agent),
        stateless=True,
        security_settings=_CHECKED,
        max_request_body_size=agent.service.settings.max_body_bytes,
    )
    if message.get("method") == "initialize":
        send = _introducing(agent, message, send)
    async with manager.run():
        await manager.handle_request(scope, received_again(body, receive), send)


def _introducing(agent: Agent, message: Mapping[str, Any], send: Any) -> Any:
    """Give the client what it said about itself to carry along, since it says so only now."""
    parameters = message.get("params")
    capabilities = parameters.get("capabilities") if isinstance(parameters, Mapping) else None
    elicitation = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    if not isinstance(elicitation, Mapping):
        return send
    kinds: dict[str, Any] = {kind: {} for kind in ("form", "url") if isinstance(elicitation.get(kind), Mapping)}
    sealed = sealed_abilities(agent.service, agent.caller, {"elicitation": kinds})

    async def send_with_abilities(event: Any) -> None:
        if event["type"] == "http.response.start" and event["status"] < 400:
            event["headers"] = [*event.get("headers", ()), (ABILITIES_HEADER, sealed.encode())]
        await send(event)

    return send_with_abilities
