"""A function that not every way of signing in can do: only accounts of the ways that it names are called in."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service_server.catalog.load import load_connector
from tests.examples.processes import SandboxApp
from tests.service_server.catalog.connector_folder import ConnectorFolder
from tests.service_server.helpline import helpline
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

CASE = {"subject": "Door", "project": "documentation"}
CASES = "/api/v1/tickets"


def with_bots(address: str) -> ConnectorFolder:
    """The connector of Helpline, to which bots may sign in as well, who open no cases."""
    folder = helpline(address)
    (way,) = folder.connector["auth"]
    folder.connector["auth"].append({**way, "id": "bot", "title": "Bot token"})
    folder.functions["open-case"]["auth"] = ["key"]
    return folder


@pytest.fixture(scope="module")
def helpdesk(tmp_path_factory: pytest.TempPathFactory, running_tickets: SandboxApp) -> Iterator[RunningService]:
    """The service with Helpline, and nobody connected."""
    folder = tmp_path_factory.mktemp("ways")
    with_bots(running_tickets.url).write(folder / "connectors", "helpline")
    host = running_tickets.url.removeprefix("http://")
    with service(folder / "data", "--connectors", str(folder / "connectors"), "--allow-host", host) as running:
        yield running


def test_connecting_for_the_function_offers_the_ways_that_can(helpdesk: RunningService) -> None:
    """The page that connects an account for a function leaves out ways that could not do it."""
    assert {"key", "bot"} == ways_offered(helpdesk, {})
    assert {"key", "bot"} == ways_offered(helpdesk, {"functions": ["helpline-list-projects"]})
    assert set() == ways_offered(helpdesk, {"functions": ["helpline-open-case"]})  # a single way is not asked for


def ways_offered(running: RunningService, wanted: dict[str, list[str]]) -> set[str]:
    """The ways of signing in that a session's page lets choose among."""
    with running.api("erna") as api, http(running.url) as browser:
        session = api.post("/apps/helpline/connect_sessions", json=wanted).raise_for_status().json()
        page: httpx.Response = browser.get(session["url"].removeprefix(running.url))
        assert "API key" in page.text
        return set(re.findall(r'<input type="radio" name="auth" value="([^"]*)"', page.text))


@pytest.mark.parametrize(
    ("ways", "message"),
    [
        (["kay"], r"open-case\.yaml:\d+: auth\[0\]: the connector has no way of signing in with the id 'kay'.*'key'"),
        (["bot", "key"], r"open-case\.yaml:\d+: auth: names all ways of signing in, which is so without it; leave it"),
    ],
)
def test_ways_that_mean_nothing_are_told(ways: list[str], message: str, tmp_path: Path) -> None:
    """An unknown way, and all of them, with file, line and what to write instead."""
    folder = with_bots("http://127.0.0.1:9")
    folder.functions["open-case"]["auth"] = ways
    _, problems = load_connector(folder.write(tmp_path, "helpline"))

    assert 1 == len(problems)
    assert re.search(message, str(problems[0]))
