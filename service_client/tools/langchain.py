"""Tools for LangChain and LangGraph: `pip install "service-client[langchain]"`."""

from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from service_client.tools.calls import ToolResult
from service_client.tools.offers import Tool
from service_client.tools.tools import AsyncTools, Tools


def langchain_tools(tools: Tools | AsyncTools) -> list[BaseTool]:
    """Return our tools as LangChain's; those of `AsyncTools` can only be awaited (`ainvoke`)."""
    return [_tool(tools, each) for each in tools]


def _tool(tools: Tools | AsyncTools, tool: Tool) -> BaseTool:
    def call(**arguments: Any) -> str:
        assert isinstance(tools, Tools)  # noqa: S101  else it is left out below
        return _said(tools.call(tool.name, arguments))

    async def call_awaiting(**arguments: Any) -> str:
        assert isinstance(tools, AsyncTools)  # noqa: S101  else it is left out below
        return _said(await tools.call(tool.name, arguments))

    return StructuredTool(
        name=tool.name,
        description=tool.description,
        args_schema={"title": tool.name, "properties": {}, **tool.parameters},
        func=call if isinstance(tools, Tools) else None,
        coroutine=call_awaiting if isinstance(tools, AsyncTools) else None,
        handle_tool_error=True,
    )


def _said(result: ToolResult) -> str:
    """Return the text for the model; LangChain marks it as an error if it is raised."""
    if result.is_error:
        raise ToolException(result.text)
    return result.text
