"""
`/mcp`: the Model Context Protocol over streamable HTTP, one request at a time, so that any process answers any of them.

Credentials, origin, rate and body size are checked here, as for every other request. Then the protocol's library
answers; it is imported with the first request.
"""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

from attrs import evolve, frozen
from litestar import post
from litestar.exceptions import NotFoundException

from service_client.models import CONVERTER
from service_server.agents.agent import ABILITIES_HEADER, Agent, opened_abilities
from service_server.agents.offer import offer_in
from service_server.agents.resource_metadata import challenge
from service_server.errors import ServiceError
from service_server.rest.authentication import Authenticator
from service_server.rest.bodies import CallerGone, json_object, receive_body
from service_server.rest.calls_at_once import CallsAtOnce
from service_server.rest.envelope import told
from service_server.rest.rate_limit import RateLimit
from service_server.rest.wire import Send, encode, send_json
from service_server.service import Service

_PATHS = ("/mcp", "/mcp/")
_ANSWERING = "service_server.agents.http"
_UNAUTHENTICATED = 401
_INVALID_REQUEST, _INTERNAL_ERROR = -32600, -32603  # of JSON-RPC; the library that has them is not imported yet


@post("/mcp", include_in_schema=False)
async def answer_agent() -> None:
    """Answer a message of the Model Context Protocol, which describes itself."""
    raise NotFoundException  # answered in front of the framework, as calls are


@frozen
class AgentDoor:
    """Answers agents, and hands everything else on."""

    application: Callable[[Any, Any, Any], Awaitable[None]]
    service: Service
    authenticator: Authenticator
    rate_limit: RateLimit
    calls_at_once: CallsAtOnce

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in _PATHS:
            await self.application(scope, receive, send)
            return
        try:
            agent = await self._agent(scope)
            body = await receive_body(dict(scope["headers"]), receive, self.service.settings.max_body_bytes)
            message = json_object(body)
            answering = await asyncio.to_thread(import_module, _ANSWERING)
        except CallerGone:
            return
        except Exception as error:
            await _send_refusal(send, self._told(error, scope), scope["state"]["request_id"])
            return
        await answering.answer(evolve(agent, message_bytes=len(body)), message, body, scope, receive, send)

    async def _agent(self, scope: Any) -> Agent:
        caller = await self.authenticator.caller(scope["headers"])
        self.rate_limit.count(caller.application.id, caller.user_id)
        agent = Agent(
            service=self.service,
            caller=caller,
            calls_at_once=self.calls_at_once,
            offer=offer_in(scope["query_string"], self.service.catalog),
            request_id=scope["state"]["request_id"],
        )
        sealed = dict(scope["headers"]).get(ABILITIES_HEADER)
        if sealed is None:
            return agent
        return evolve(agent, abilities=opened_abilities(self.service, caller, sealed.decode("latin-1")))

    def _told(self, error: Exception, scope: Any) -> ServiceError:
        known = told(error, scope)
        if known.status == _UNAUTHENTICATED:
            known.headers["WWW-Authenticate"] = challenge(self.service.settings)
        return known


async def _send_refusal(send: Send, refusal: ServiceError, request_id: str) -> None:
    """
    Refuse a message in the protocol's own words, as its transport allows: a client shows them to people.

    Of any other body it says only that the server had answered with an error.
    """
    told = [refusal.error, *(each.message for each in refusal.details if each.message != refusal.error)]
    error = {
        "code": _INVALID_REQUEST if refusal.status < 500 else _INTERNAL_ERROR,
        "message": " ".join(each if each.endswith((".", "?")) else f"{each}." for each in told),
        "data": {"error_details": CONVERTER.unstructure(refusal.details), "request_id": request_id},
    }
    await send_json(send, refusal.status, encode({"jsonrpc": "2.0", "id": None, "error": error}), refusal.headers)


AGENT_ROUTES = [answer_agent]
