"""Tools for LlamaIndex: `pip install "service-client[llama-index]"`."""

from dataclasses import dataclass
from typing import Any

from llama_index.core.tools import AsyncBaseTool, ToolMetadata, ToolOutput

from service_client.tools.calls import ToolResult
from service_client.tools.offers import Tool
from service_client.tools.tools import AsyncTools, Tools


def llama_index_tools(tools: Tools | AsyncTools) -> list[AsyncBaseTool]:
    """Return our tools as LlamaIndex's; its agents await them, so `Tools` block them meanwhile."""
    return [_FunctionTool(tools, each) for each in tools]


@dataclass
class _Metadata(ToolMetadata):
    """What a model is told, with our schema instead of a Pydantic class."""

    parameters: dict[str, Any] | None = None

    def get_parameters_dict(self) -> dict[str, Any]:
        return {"properties": {}, **(self.parameters or {})}


class _FunctionTool(AsyncBaseTool):
    def __init__(self, tools: Tools | AsyncTools, tool: Tool) -> None:
        self._tools = tools
        self._metadata = _Metadata(
            name=tool.name, description=tool.description, fn_schema=None, parameters=dict(tool.parameters)
        )

    @property
    def metadata(self) -> ToolMetadata:
        return self._metadata

    def call(self, **arguments: Any) -> ToolOutput:
        if not isinstance(self._tools, Tools):
            raise TypeError("AsyncTools can only be awaited: use acall.")
        return _output(self._tools.call(self._metadata.get_name(), arguments), arguments)

    async def acall(self, **arguments: Any) -> ToolOutput:
        if isinstance(self._tools, Tools):
            return self.call(**arguments)
        return _output(await self._tools.call(self._metadata.get_name(), arguments), arguments)


def _output(result: ToolResult, arguments: dict[str, Any]) -> ToolOutput:
    return ToolOutput(
        tool_name=result.call.name,
        content=result.text,
        raw_input=arguments,
        raw_output=result.content,
        is_error=result.is_error,
    )
