"""What one vendor's API for models wants: definitions of tools, calls found in a response, results as messages."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from service_client.tools.calls import ToolCall, ToolResult
from service_client.tools.offers import Tool


@frozen(kw_only=True)
class Vendor:
    """
    One API through which models are asked.

    `definitions` makes what goes into the request's tools, `calls` finds the calls in a response (the SDK's object or
    its JSON), and `messages` makes what follows that response in the conversation, a list since some take one message
    for each result. `most_tools` is how many tools a request may have, where that is limited.
    """

    name: str
    definitions: Callable[[Sequence[Tool]], list[dict[str, Any]]]
    calls: Callable[[Any], list[ToolCall]]
    messages: Callable[[Sequence[ToolResult]], list[dict[str, Any]]]
    most_tools: int | None = None
