"""The user's functions as tools, a page at a time."""

from collections import Counter
from typing import Any

from mcp import types

from service_client.models import Action, Code
from service_server.agents.agent import Agent
from service_server.agents.asking import Conversation
from service_server.agents.calling import Wanted, call_function
from service_server.agents.tool_schemas import ACCOUNT, tool_schema
from service_server.catalog.values import FunctionDefinition
from service_server.errors import refused
from service_server.rest.cursors import Cursors
from service_server.rest.parameters import LARGEST_ID

_ENDPOINT = "mcp tools"


class FunctionTools:
    """Lists and calls functions under their own names."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def page(self, cursor: str | None) -> types.ListToolsResult:
        """One page of the tools."""
        agent = self._agent
        cursors = Cursors(agent.service.vault, agent.caller, _ENDPOINT, *agent.offer.filters)
        names, following = cursors.page(await agent.names(), cursor)
        accounts = Counter(each.app_name for each in await agent.accounts())
        functions = [found for name in names if (found := agent.service.catalog.function(name)) is not None]
        tools = [_tool(each, several=accounts[each.app_name] > 1) for each in functions]
        return types.ListToolsResult(tools=tools, next_cursor=following or None)

    async def call(self, name: str, arguments: dict[str, Any], conversation: Conversation) -> types.CallToolResult:
        """Call the function that a tool stands for."""
        function = self._agent.service.catalog.function(name)
        account_id = None
        if function is not None and ACCOUNT not in function.parameters["properties"]:
            account_id = account_in(arguments.pop(ACCOUNT, None))
        wanted = Wanted(name=name, arguments=arguments, connected_account_id=account_id)
        return await call_function(self._agent, wanted, conversation)


def account_in(value: Any) -> int | None:
    """The id of an account as a model gives it."""
    if value is None:
        return None
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 17 else value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= LARGEST_ID:
        raise refused(Code.TYPE, f"{ACCOUNT} must be a whole number", field=ACCOUNT, action=Action.FIX_FIELD)
    return number


def _tool(function: FunctionDefinition, *, several: bool) -> types.Tool:
    return types.Tool(
        name=function.name,
        title=function.title,
        description=function.description,
        input_schema=tool_schema(function, with_account=several),
        annotations=types.ToolAnnotations(
            read_only_hint=function.type == "query",
            destructive_hint=function.destructive or function.type == "passthrough",
            idempotent_hint=function.idempotent or function.type == "query",
            open_world_hint=True,
        ),
    )
