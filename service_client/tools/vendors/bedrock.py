"""Amazon Bedrock's Converse."""

from collections.abc import Sequence
from typing import Any, Final

from service_client.tools.calls import ToolCall, ToolResult
from service_client.tools.offers import Tool
from service_client.tools.reading import arguments_in, part, parts
from service_client.tools.vendors.vendor import Vendor


def _definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [
        {
            "toolSpec": {
                "name": each.name,
                "description": each.description,
                "inputSchema": {"json": {"properties": {}, **each.parameters}},
            }
        }
        for each in tools
    ]


def _calls(response: Any) -> list[ToolCall]:
    message = part(part(response, "output"), "message") or response
    found = [part(block, "toolUse") for block in parts(message, "content")]
    return [
        ToolCall(
            name=str(part(call, "name")),
            arguments=arguments_in(part(call, "input")),
            id=str(part(call, "toolUseId") or ""),
        )
        for call in found
        if call is not None
    ]


def _messages(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    # The results of all calls of a response have to go into one message.
    content = [
        {
            "toolResult": {
                "toolUseId": each.call.id,
                "content": [{"json": dict(each.content)}],
                "status": "error" if each.is_error else "success",
            }
        }
        for each in results
    ]
    return [{"role": "user", "content": content}] if content else []


BEDROCK: Final = Vendor(name="Bedrock", definitions=_definitions, calls=_calls, messages=_messages)
"""`toolConfig={"tools": tools.definitions(BEDROCK)}`; the results go into `messages`, after the model's message."""
