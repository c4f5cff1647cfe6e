"""Tools for OpenAI's Agents SDK: `pip install "service-client[openai-agents]"`."""

from typing import Any

from agents import FunctionTool

from service_client.tools.offers import Tool
from service_client.tools.tools import AsyncTools


def openai_agents_tools(tools: AsyncTools) -> list[FunctionTool]:
    """Return our tools as the SDK's; it awaits them."""
    return [_tool(tools, each) for each in tools]


def _tool(tools: AsyncTools, tool: Tool) -> FunctionTool:
    async def call(context: Any, arguments: str) -> str:
        return (await tools.call(tool.name, arguments)).text

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema={"properties": {}, **tool.parameters},
        on_invoke_tool=call,
        # In strict mode the model would have to fill in every optional argument.
        strict_json_schema=False,
    )
