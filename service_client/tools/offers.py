"""The tools a model is offered: one for each function, or two that find and call any function."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import field, frozen

from service_client.models import App, Function, FunctionType
from service_client.tools.names import tool_names
from service_client.tools.schemas import ACCOUNT, shortened, tool_schema

FIND: Final = "find_functions"
CALL: Final = "call_function"
MOST_FOUND = 5

_FIND_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "prompt": {
            "type": "string",
            "description": "One thing to do, in the user's own words, with the values they named. Ask once for each "
            "of several things.",
        }
    },
    "required": ["prompt"],
}
_CALL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The function's name, as find_functions gave it."},
        "arguments": {
            "type": "object",
            "description": "The function's arguments, by its schema; for the next page also next_page.",
        },
        ACCOUNT: {"type": "integer", "description": "Only where several accounts of the app are connected."},
    },
    "required": ["name"],
}


@frozen(kw_only=True)
class Tool:
    """
    What a model is told about a tool: `parameters` is a JSON Schema.

    `function` is the one that it calls, or None for the two that find and call any function.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    function: Function | None = None


@frozen(kw_only=True)
class Finding:
    """
    Two tools for all functions, `find_functions` and `call_function`; what is left out here can't be called either.

    `apps` and `type` keep functions of these apps and of that type, `connected_only` finds those of apps in which the
    user has an account. `most` is how many functions are given, 5 at most; each after the first takes a request.
    """

    apps: tuple[str, ...] = field(default=(), converter=tuple[str, ...])
    type: FunctionType | None = None
    connected_only: bool = False
    most: int = 3

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Both."""
        changes = "" if self.type == "query" else " What changes data is done at once, and some of it for good."
        find = Tool(
            name=FIND,
            description="Find the functions that do what the user wants in their apps, best first: name, what it does, "
            "JSON Schema of its arguments, and the arguments that the prompt gives. Calls nothing that changes data.",
            parameters=_FIND_SCHEMA,
        )
        call = Tool(
            name=CALL,
            description=f"Call a function that find_functions gave, in the user's account.{changes}",
            parameters=_CALL_SCHEMA,
        )
        return find, call

    def allows(self, function: Function) -> bool:
        """Whether a function may be called."""
        return (not self.apps or function.app_name in self.apps) and self.type in (None, function.type)


class Listing:
    """One tool for each of the given functions; those of apps with several accounts take `connected_account_id`."""

    def __init__(self, functions: Iterable[Function], apps: Iterable[App] = ()) -> None:
        known = {function.name: function for function in functions}
        several = {app.name for app in apps if len(app.connected_accounts) > 1}
        names = tool_names(known)
        self.tools = tuple(_tools(known, names, several))


def _tools(known: Mapping[str, Function], names: Mapping[str, str], several: set[str]) -> Iterator[Tool]:
    for name, function in known.items():
        title = function.meta.title if function.meta is not None else ""
        yield Tool(
            name=names[name],
            description=shortened(function.description or title or name),
            parameters=tool_schema(function, with_account=function.app_name in several),
            function=function,
        )
