"""What a language model answered, read strictly: the tool it chose and its arguments, or that none fits."""

from typing import Any

from attrs import frozen

from service_server.json_texts.foreign import read_json

LONGEST_ARGUMENTS = 16 * 1024
"""Characters of the arguments' JSON; a prompt that gives more than this is longer than prompts may be."""


class Unusable(Exception):
    """The model gave no usable answer; the reason holds nothing of what it said."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class ToolCall:
    """The tool that the model chose, by the name it was offered under, and the arguments to call it with."""

    name: str
    arguments: dict[str, Any]


def tool_call(answer: Any) -> ToolCall | None:
    """
    Return the first call of a chat completion, None where the model calls nothing.

    Raises:
        Unusable: the answer is no chat completion, was cut off, or its arguments are no JSON object.
    """
    match answer:
        case {"choices": [{"message": {**message}, "finish_reason": "stop" | "tool_calls"}, *_]}:
            pass
        case {"choices": [{"finish_reason": "length" | "content_filter"}, *_]}:
            raise Unusable("its answer was cut off")
        case _:
            raise Unusable("its answer is no chat completion")
    match message.get("tool_calls"):
        case None | []:
            return None
        case [{"function": {"name": str(name), "arguments": str(text)}}, *_]:
            return ToolCall(name, _arguments(text))
        case _:
            raise Unusable("its answer calls a tool in a way of its own")


def _arguments(text: str) -> dict[str, Any]:
    if len(text) > LONGEST_ARGUMENTS:
        raise Unusable("its arguments are too long")
    try:
        arguments = read_json(text or "{}", as_unicode=True)
    except ValueError:
        raise Unusable("its arguments are not JSON") from None
    if not isinstance(arguments, dict):
        raise Unusable("its arguments are no object")
    return arguments
