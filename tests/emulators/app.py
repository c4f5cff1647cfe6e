"""One app as a user with a connected account uses it, functions named as in its connector's folder."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from attrs import frozen

from service_client import CallResult, Client
from tests.connectors.building import connector_of
from tests.emulators.pointed import PREFIX
from tests.emulators.world import Emulated
from tests.real_apps.lists import choices, pages_of

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
        pages = pages_of(self.client, self._full(function), arguments)
        assert len(pages) > 1, f"{function} has one page only"
        return [item for page in pages for item in page.output]

    def choices(self, function: str, field: str, /, **arguments: Any) -> dict[Any, Any]:
        """What a field's dropdown offers, given the fields that it depends on: labels by their values."""
        return choices(self.client, self._full(function), field, arguments)

    def _full(self, function: str) -> str:
        return f"{PREFIX}{self.name}-{function}"


def app_of(name: str, user: str, connect: Callable[[Emulated], object]) -> Any:
    """Return a fixture: an app for a user whose account `connect` makes, once for the tests of a file."""

    @pytest.fixture(scope="module")
    def fixture(emulators: Emulated) -> Iterator[App]:
        connect(emulators)
        with emulators.front(name).client(user) as client:
            yield App(client, name)

    return fixture


def signed_in(name: str, user: str, person: str, *functions: str) -> Any:
    """Return a fixture: an app for a user who signed in as a person, and allowed what some functions need."""
    return app_of(name, user, lambda emulators: emulators.sign_in(user, name, person, *functions))


def connected(name: str, user: str, way: str, fields: Mapping[str, str]) -> Any:
    """Return a fixture: an app for a user who typed credentials in."""
    return app_of(name, user, lambda emulators: emulators.front(name).connect(user, way, fields))
