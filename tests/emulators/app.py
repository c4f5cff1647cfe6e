"""One app as a user with a connected account uses it, functions named as in its connector's folder."""

from functools import reduce
from operator import getitem
from typing import Any

from attrs import frozen

from service_client import CallResult, Client
from tests.connectors.building import connector_of
from tests.emulators.pointed import PREFIX

UNLIKE_THE_VENDOR = frozenset({("linear", "create-comment")})
"""Functions whose answers the emulators make shorter than the vendors do."""


@frozen
class App:
    """A client of the service, and the app that it calls."""

    client: Client
    name: str

    def call(self, function: str, /, **arguments: Any) -> CallResult:
        """Call a function once."""
        return self.client.functions.call(self._full(function), arguments, include="outcome")

    def output(self, function: str, /, **arguments: Any) -> Any:
        """
        Call a function that must succeed, also where an app refuses in a 200; what comes back.

        What the function says of its outcome must come out of what the emulator answers.
        """
        result = self.call(function, **arguments)
        assert result.network_code.startswith("2"), result
        if isinstance(result.output, dict):
            assert result.output.get("ok", True), result
            assert "errors" not in result.output, result
        declared = connector_of(self.name).functions[f"{self.name}-{function}"].outcome
        if declared is not None and (self.name, function) not in UNLIKE_THE_VENDOR:
            assert result.outcome is not None, result
        return result.output

    def items(self, function: str, /, **arguments: Any) -> list[Any]:
        """Fetch all pages of a list; there must be more than one."""
        result = self.call(function, **arguments)
        assert isinstance(result.output, list), result
        items, pages = list(result.output), 1
        while result.next_page:
            result = self.call(function, **arguments, next_page=result.next_page)
            items += result.output
            pages += 1
        assert pages > 1, f"{function} has one page only"
        return items

    def choices(self, function: str, field: str, /, **arguments: Any) -> list[tuple[Any, Any]]:
        """What a field's dropdown offers, given the fields that it depends on: values with their labels."""
        described = self.client.functions.get(self._full(function), include="meta")
        assert described.meta is not None
        source = described.meta.fields[field].source
        assert source is not None
        rows = self.client.functions.items(source.function, {name: arguments[name] for name in source.depends_on})
        return [(_found(row, source.value), _found(row, source.label)) for row in rows]

    def _full(self, function: str) -> str:
        return f"{PREFIX}{self.name}-{function}"


def _found(row: Any, path: str) -> Any:
    """What stands in a row at a path such as `criteria.from`."""
    return reduce(getitem, path.split("."), row)
