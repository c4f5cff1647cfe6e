"""What an agent finds behind the door: the tools and resources of one user, served by the protocol's library."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.request_state import InvalidRequestState, RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from service_client import __version__
from service_server.agents.agent import Agent
from service_server.agents.asking import Conversation, InputNeeded
from service_server.agents.find_and_call import FindAndCall
from service_server.agents.function_tools import FunctionTools
from service_server.agents.resources import Resources
from service_server.agents.tool_results import tool_error
from service_server.errors import ServiceError
from service_server.rest.envelope import told
from service_server.vault import Unsealable, Vault

# Failures are logged here; the library would log them with the values of a call.
for _name in ("mcp", "mcp_types", "sse_starlette"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)

ANSWER_SECONDS = 600.0
"""How long a user may take to answer a question."""

_STATE = "what an agent's user was asked"
_NAME = "integration-functions"
_TITLE = "Integration functions"
_FIND = (
    "Call find_functions with what the user wants, in the user's own words, then call_function with the name of the "
    "function that fits. "
)
_INSTRUCTIONS = (
    "Functions do things in the third-party apps that the user has connected: some read, some change data for good. "
    "{find}Ids of channels, people, projects and so on come from other functions, which the descriptions of parameters "
    "name: never make them up. Call again with next_page for more of a long list. An error says at which argument what "
    "is wrong; unless it says otherwise, nothing was sent to the app. Where no account is connected, give the user the "
    "link to connect one."
)

_Result = TypeVar("_Result")


class _VaultCodec:
    """Seals what a user was asked, for that user, with the keys that all processes of the service share."""

    def __init__(self, vault: Vault, *owner: str | int) -> None:
        self._vault = vault
        self._owner = owner

    def seal(self, payload: bytes) -> str:
        """Return the text that the client carries."""
        return self._vault.seal(payload.decode(), _STATE, *self._owner)

    def unseal(self, token: str) -> bytes:
        """Return what was sealed; refused if it was not sealed for this user."""
        try:
            payload: str = self._vault.open(token, _STATE, *self._owner)
        except Unsealable:
            raise InvalidRequestState("seal") from None
        return payload.encode()


def mcp_server(agent: Agent) -> Server[Any]:
    """Return what answers the messages of one agent."""
    tools: FunctionTools | FindAndCall = (
        FunctionTools(agent) if agent.offer.tools == "functions" else FindAndCall(agent)
    )
    resources = Resources(agent)

    async def list_tools(_: Any, parameters: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await _listed(agent, tools.page, parameters)

    async def list_resources(_: Any, parameters: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return await _listed(agent, resources.page, parameters)

    async def list_templates(_: Any, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return resources.templates()

    async def read_resource(_: Any, parameters: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            return await resources.read(parameters.uri)
        except Exception as error:
            raise _as_protocol_error(agent, error) from None

    async def call_tool(
        context: Any, parameters: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        conversation = Conversation(context, parameters, agent.abilities)
        try:
            return await tools.call(parameters.name, dict(parameters.arguments or {}), conversation)
        except InputNeeded as needed:
            return needed.result
        except MCPError:
            raise
        except Exception as error:
            return tool_error(_told(agent, error))

    caller = agent.caller
    server: Server[Any] = Server(
        _NAME,
        version=__version__,
        title=_TITLE,
        instructions=_INSTRUCTIONS.format(find=_FIND if agent.offer.tools == "find" else ""),
        get_tool_input_schema=lambda name: None,  # no argument travels in a header
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )
    codec = _VaultCodec(agent.service.vault, caller.application.id, caller.user_id)
    security = RequestStateSecurity(codec=codec, ttl=ANSWER_SECONDS)
    server.middleware = [RequestStateBoundary(security, default_audience=None)]
    return server


async def _listed(
    agent: Agent, listing: Callable[[str | None], Awaitable[_Result]], parameters: types.PaginatedRequestParams | None
) -> _Result:
    try:
        return await listing(parameters.cursor if parameters is not None else None)
    except Exception as error:
        raise _as_protocol_error(agent, error) from None


def _as_protocol_error(agent: Agent, error: Exception) -> MCPError:
    known = _told(agent, error)
    return MCPError(types.INVALID_PARAMS if known.status < 500 else types.INTERNAL_ERROR, known.error)


def _told(agent: Agent, error: Exception) -> ServiceError:
    return told(error, {"state": {"request_id": agent.request_id}, "path": "/mcp"})
