"""One service for the tests of the REST API, with an extra app that has more functions than a page holds."""

from collections.abc import Iterator

import httpx
import pytest

from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_connector, minimal_function
from tests.service_server.processes import RunningService, create_application, http, service

MANY = 120
ORIGIN = "https://host.example"


@pytest.fixture(scope="session")
def rest_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service, for the whole run."""
    folder = tmp_path_factory.mktemp("rest")
    functions = {f"read-{number:03}": minimal_function() for number in range(MANY)}
    ConnectorFolder(minimal_connector() | {"name": "many"}, functions).write(folder / "connectors", "many")
    with service(folder / "data", "--connectors", str(folder / "connectors"), origins=[ORIGIN]) as running_service:
        yield running_service


@pytest.fixture
def api(rest_service: RunningService) -> Iterator[httpx.Client]:
    """A signed client for a user without accounts."""
    with rest_service.api("user-1") as client:
        yield client


@pytest.fixture
def anonymous(rest_service: RunningService) -> Iterator[httpx.Client]:
    """A client that sends no credentials."""
    with http(rest_service.url) as client:
        yield client


@pytest.fixture(scope="session")
def other_application(rest_service: RunningService) -> dict[str, str]:
    """A second host application of the same service, with another origin."""
    return create_application(rest_service.data_directory, "Other host", "https://other.example")
