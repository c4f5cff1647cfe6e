"""The account of whom an agent acts for."""

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService


@pytest.fixture(scope="module")
def account(request: pytest.FixtureRequest, called: tuple[RunningService, SandboxApp]) -> int:
    """The account of the module's USER."""
    running_service, app = called
    return connect_by_key(running_service, request.module.USER, app.api_keys["alice"])
