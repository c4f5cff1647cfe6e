"""One service for the tests of the REST API, with an extra app that has more functions than a page holds."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service_server.processes import RunningService, create_application, http, service

MANY = 120
ORIGIN = "https://host.example"
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h2v2z"/></svg>'


def _write_many(folder: Path) -> None:
    connector = folder / "many"
    (connector / "functions").mkdir(parents=True)
    (connector / "icon.svg").write_text(ICON)
    (connector / "connector.yaml").write_text(
        "name: many\ntitle: Many\ndescription: More functions than a page holds.\n"
        "base_url: https://many.example\nauth:\n  - {id: open, type: none}\n"
    )
    for number in range(MANY):
        (connector / "functions" / f"read-{number:03}.yaml").write_text(
            f"type: query\ntitle: Read {number}\ndescription: Read number {number}.\n"
            "request: {get: /read}\nparameters: {type: object, properties: {}}\n"
        )


@pytest.fixture(scope="session")
def rest_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service, for the whole run."""
    folder = tmp_path_factory.mktemp("rest")
    _write_many(folder / "connectors")
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
