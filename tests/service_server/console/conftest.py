"""A service with an operator, beside the sandbox app, as real processes."""

from collections.abc import Iterator

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator, browser
from tests.service_server.processes import RunningService, service_beside_sandbox


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark everything here as slow: a service is started for it."""
    item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def console_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, SandboxApp]]:
    """The two processes, for the whole run."""
    with service_beside_sandbox(tmp_path_factory.mktemp("console"), "--allow-host", "webhooks=127.0.0.1") as world:
        add_operator(world[0], "ada")
        yield world


@pytest.fixture(scope="session")
def console_service(console_world: tuple[RunningService, SandboxApp]) -> RunningService:
    """The service."""
    return console_world[0]


@pytest.fixture
def stranger(console_service: RunningService) -> Iterator[OperatorBrowser]:
    """A browser in which nobody is signed in."""
    visitor = browser(console_service)
    with visitor.http:
        yield visitor


@pytest.fixture(scope="session")
def operator(console_service: RunningService) -> Iterator[OperatorBrowser]:
    """A browser in which an operator is signed in, for the whole run."""
    visitor = browser(console_service)
    with visitor.http:
        assert visitor.sign_in("ada").status_code == 303
        yield visitor
