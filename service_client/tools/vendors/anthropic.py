"""Anthropic's messages."""

from collections.abc import Sequence
from typing import Any, Final

from service_client.tools.calls import ToolCall, ToolResult
from service_client.tools.offers import Tool
from service_client.tools.reading import arguments_in, part, parts
from service_client.tools.vendors.vendor import Vendor


def _definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [
        {"name": each.name, "description": each.description, "input_schema": dict(each.parameters)} for each in tools
    ]


def _calls(response: Any) -> list[ToolCall]:
    return [
        ToolCall(
            name=str(part(block, "name")), arguments=arguments_in(part(block, "input")), id=str(part(block, "id") or "")
        )
        for block in parts(response, "content")
        if part(block, "type") == "tool_use"
    ]


def _messages(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    # The results of all calls of a response have to go into one message.
    content = [
        {"type": "tool_result", "tool_use_id": each.call.id, "content": each.text, "is_error": each.is_error}
        for each in results
    ]
    return [{"role": "user", "content": content}] if content else []


ANTHROPIC: Final = Vendor(name="Anthropic", definitions=_definitions, calls=_calls, messages=_messages)
"""`tools=tools.definitions(ANTHROPIC)`; the results go into `messages`, after the assistant's message."""
