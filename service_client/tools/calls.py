"""A model's call of a tool, what the user is asked about it, and what the model gets back."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from service_client.errors import ServiceClientError
from service_client.models import Function
from service_client.results import ExecutedCall


@frozen(kw_only=True)
class ToolCall:
    """
    A tool that a model wants called.

    `arguments` are as the model gave them: an object, or the text of one. `id` is the vendor's; empty where it gives
    none.
    """

    name: str
    arguments: Mapping[str, Any] | str = field(factory=dict[str, Any])
    id: str = ""


@frozen(kw_only=True)
class ProposedCall:
    """A function call that a model wants and that has not been made: what a user is asked to approve."""

    function: Function
    arguments: Mapping[str, Any]
    connected_account_id: int | None = None
    tool_call: ToolCall

    @property
    def needs_approval(self) -> bool:
        """Whether it may change something: all but queries, and what a newer service calls otherwise."""
        return self.function.type != "query"

    @property
    def is_destructive(self) -> bool:
        """Whether it may do what can't be undone; so it is taken to be where the function was listed without `meta`."""
        meta = self.function.meta
        return self.needs_approval and (meta is None or meta.destructive or self.function.type == "passthrough")


Approve: TypeAlias = Callable[[ProposedCall], bool | Awaitable[bool]]
"""Asks the user about a call; only True lets it be made."""


@frozen(kw_only=True)
class ToolResult:
    """
    What a model gets back for a call: `content` is a JSON object.

    `executed` is the call that was made, `error` why none was, where a request to the service failed; both are for the
    program, not for the model.
    """

    call: ToolCall
    content: Mapping[str, Any]
    is_error: bool = False
    executed: ExecutedCall | None = None
    error: ServiceClientError | None = None

    @property
    def text(self) -> str:
        """The content as compact JSON."""
        return json.dumps(self.content, ensure_ascii=False, separators=(",", ":"))
