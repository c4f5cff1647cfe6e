"""Tools for Pydantic AI: `pip install "service-client[pydantic-ai]"`."""

from typing import Any

from pydantic_ai import Tool as PydanticTool

from service_client.tools.offers import Tool
from service_client.tools.tools import AsyncTools


def pydantic_ai_tools(tools: AsyncTools) -> list[PydanticTool[None]]:
    """
    Return our tools as Pydantic AI's; it awaits them one after the other.

    Errors that a model can fix are results, not a `ModelRetry`, which by default an agent accepts only once in a row.
    """
    return [_tool(tools, each) for each in tools]


def _tool(tools: AsyncTools, tool: Tool) -> PydanticTool[None]:
    async def call(**arguments: Any) -> dict[str, Any]:
        return dict((await tools.call(tool.name, arguments)).content)

    return PydanticTool.from_schema(
        call, tool.name, tool.description, {"properties": {}, **tool.parameters}, sequential=True
    )
