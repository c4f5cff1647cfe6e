"""One service for the tests of the REST API, with an extra app that has more functions than a page holds."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service_server.rest.caller import Caller
from service_server.store import Application
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


def caller(application_id: int = 1, user_id: str = "ann") -> Caller:
    """Somebody who calls."""
    application = Application(
        id=application_id, name="Host", app_key="key", sealed_secrets=(), allowed_origins=(), created_at="2026"
    )
    return Caller(application=application, user_id=user_id, secret_name="first")


def code_of(response: httpx.Response) -> tuple[int, str]:
    """The status, and the code of the first detail."""
    return response.status_code, response.json()["error_details"][0]["code"]


def all_pages(api: httpx.Client, path: str) -> list[dict[str, Any]]:
    """What a list holds, page after page; the list is named as its path."""
    found: list[dict[str, Any]] = []
    body: dict[str, Any] = {"cursor": None}
    while body["cursor"] != "":
        body = api.get(path, params={"cursor": body["cursor"]} if body["cursor"] else {}).json()
        found += body[path.strip("/")]
    return found
