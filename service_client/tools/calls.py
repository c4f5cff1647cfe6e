"""A model's call of a tool, what the user is asked about it, and what the model gets back."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, fields, frozen

from service_client.errors import ServiceClientError
from service_client.models import CONVERTER, File, Function
from service_client.results import ExecutedCall
from service_client.tools.reading import in_unicode, is_object

_FILE_KEYS = frozenset(each.name for each in fields(File))


@frozen(kw_only=True)
class ToolCall:
    """
    A tool that a model wants called.

    `arguments` are as the model gave them: an object, or the text of one. `id` is the vendor's, or empty.
    """

    name: str
    arguments: Mapping[str, Any] | str = field(factory=dict[str, Any])
    id: str = ""


@frozen(kw_only=True)
class ProposedCall:
    """A function call that a model wants and that has not been made yet; a user is asked to approve it."""

    function: Function
    arguments: Mapping[str, Any]
    connected_account_id: int | None = None
    tool_call: ToolCall

    @property
    def needs_approval(self) -> bool:
        """Whether it may change something: true for all but queries, so also for types that a newer service adds."""
        return self.function.type != "query"

    @property
    def is_destructive(self) -> bool:
        """Whether it may do what can't be undone; assumed so if the function was listed without `meta`."""
        meta = self.function.meta
        return self.needs_approval and (meta is None or meta.destructive or self.function.type == "passthrough")


Approve: TypeAlias = Callable[[ProposedCall], bool | Awaitable[bool]]
"""Asks the user about a call; only True lets it be made."""


@frozen(kw_only=True)
class ToolResult:
    """
    What a model gets back for a call: `content` is a JSON object.

    `executed` is the call that was made; `error` says why none was, if a request to the service failed. Both are for
    the program, not for the model.
    """

    call: ToolCall
    content: Mapping[str, Any] = field(converter=in_unicode)
    is_error: bool = False
    executed: ExecutedCall | None = None
    error: ServiceClientError | None = None

    @property
    def file(self) -> File | None:
        """The file that the function gave, if it gave one; `client.files.download(result.file.id)` loads it."""
        output = self.executed.output if self.executed is not None else None
        if (
            not is_object(output)
            or _FILE_KEYS.symmetric_difference(output)
            or not str(output["id"]).startswith("file_")
        ):
            return None
        return CONVERTER.structure(output, File)

    @property
    def text(self) -> str:
        """The content as compact JSON."""
        return json.dumps(self.content, ensure_ascii=False, separators=(",", ":"))
