"""OpenAI's two APIs. Many others speak the second one: Mistral, Groq, OpenRouter, vLLM, Ollama, llama.cpp."""

from collections.abc import Sequence
from typing import Any, Final

from service_client.tools.calls import ToolCall, ToolResult
from service_client.tools.offers import Tool
from service_client.tools.reading import arguments_in, first, part, parts
from service_client.tools.vendors.vendor import Vendor

_MOST_TOOLS = 128


def _parameters(tool: Tool) -> dict[str, Any]:
    return {"properties": {}, **tool.parameters}


def _responses_definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    # Strict mode is the default, and would make the model fill in every optional argument.
    return [
        {
            "type": "function",
            "name": each.name,
            "description": each.description,
            "parameters": _parameters(each),
            "strict": False,
        }
        for each in tools
    ]


def _responses_calls(response: Any) -> list[ToolCall]:
    return [
        ToolCall(
            name=str(part(item, "name")),
            arguments=arguments_in(part(item, "arguments")),
            id=str(part(item, "call_id") or ""),
        )
        for item in parts(response, "output")
        if part(item, "type") == "function_call"
    ]


def _responses_messages(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    return [{"type": "function_call_output", "call_id": each.call.id, "output": each.text} for each in results]


def _chat_definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": each.name, "description": each.description, "parameters": _parameters(each)},
        }
        for each in tools
    ]


def _chat_calls(response: Any) -> list[ToolCall]:
    message = part(first(parts(response, "choices")), "message") or response
    return [
        ToolCall(
            name=str(part(part(call, "function"), "name")),
            arguments=arguments_in(part(part(call, "function"), "arguments")),
            id=str(part(call, "id") or ""),
        )
        for call in parts(message, "tool_calls")
        if part(call, "type") in (None, "function")  # some servers leave the type out
    ]


def _chat_messages(results: Sequence[ToolResult]) -> list[dict[str, Any]]:
    return [{"role": "tool", "tool_call_id": each.call.id, "content": each.text} for each in results]


OPENAI: Final = Vendor(
    name="OpenAI (responses)",
    definitions=_responses_definitions,
    calls=_responses_calls,
    messages=_responses_messages,
    most_tools=_MOST_TOOLS,
)
"""`tools=tools.definitions(OPENAI)`; the results go into `input`, after the response's `output`."""

OPENAI_CHAT: Final = Vendor(
    name="OpenAI (chat completions)",
    definitions=_chat_definitions,
    calls=_chat_calls,
    messages=_chat_messages,
    most_tools=_MOST_TOOLS,
)
"""`tools=tools.definitions(OPENAI_CHAT)`; the results go into `messages`, after the assistant's message."""
