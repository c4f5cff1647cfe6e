"""A service with an operator, beside the sandbox app, as real processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator, browser
from tests.service_server.processes import RunningService, configure_sandbox, create_application, service


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here as slow: a service is started for it."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def console_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, SandboxApp]]:
    """The two processes, for the whole run."""
    folder: Path = tmp_path_factory.mktemp("console")
    port = free_port()
    application = create_application(folder, "Test host")
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as sandbox:
        configure_sandbox(folder, sandbox)
        allowed = sandbox.url.removeprefix("http://")
        hosts = ("--allow-host", allowed, "--allow-host", "webhooks=127.0.0.1")
        with service(folder, *hosts, port=port, application=application) as running_service:
            add_operator(running_service, "ada")
            yield running_service, sandbox


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
