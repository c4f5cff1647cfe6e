"""The rate budget of an app: calls of one account wait their turn, in all processes, and are refused beyond that."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest

from service_client import Client
from service_client.errors import RateLimitError
from tests.examples.processes import SandboxApp
from tests.service_server.calls.clerk import write_clerk
from tests.service_server.calls.sandbox_controls import code_of, logged, make_fault, received, refused
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, service, service_beside_sandbox

pytestmark = pytest.mark.slow

Budgeted = tuple[RunningService, RunningService, SandboxApp]

PROJECTS = "/functions/clerk-list-projects"
HOURLY = {"per": "account", "requests": 3, "window": "1h"}
BRISK = {"per": "account", "requests": 4, "window": "1s"}


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Budgeted]:
    """Two processes of the service on one database, with the connectors `clerk` and `brisk`, which have budgets."""
    data = tmp_path_factory.mktemp("data")
    connectors = write_clerk(tmp_path_factory.mktemp("connectors"), budget=HOURLY)
    write_clerk(connectors, "brisk", budget=BRISK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(connectors))
        with service_beside_sandbox(data, apps=("clerk", "brisk")) as (one, app):
            application = {"app_key": one.app_key, "app_secret": one.app_secret}
            with service(data, "--allow-host", urlsplit(app.url).netloc, application=application) as other:
                yield one, other, app


@pytest.fixture
def budgeted(two_processes: Budgeted) -> Budgeted:
    """The two processes, with the app as it started."""
    httpx.post(f"{two_processes[2].url}/_reset", json={"parts": ["faults", "log"]}, trust_env=False).raise_for_status()
    return two_processes


def sent(app: SandboxApp) -> int:
    """How many of the calls reached the app."""
    return len(received(app, "/api/v1/projects"))


def test_a_budget_that_is_used_up(budgeted: Budgeted) -> None:
    """Calls beyond it are refused, unsent, with 429 and when to come back; other accounts go on."""
    one, other, app = budgeted
    connect_by_key(one, "busy", app.api_keys["alice"], app="clerk")
    connect_by_key(one, "calm", app.api_keys["bob"], app="clerk")
    with one.api("busy") as here, other.api("busy") as there, one.api("calm") as calm:
        answers = [api.post(PROJECTS) for api in (here, there, here, there, here)]
        others = calm.post(PROJECTS)

    assert [200, 200, 200, 429, 429] == [answer.status_code for answer in answers]
    assert (429, "rate_limited", None) == code_of(answers[-1])
    assert "wait" == answers[-1].json()["error_details"][0]["action"]
    assert 3000 < int(answers[-1].headers["retry-after"]) <= 3600
    assert [] == logged(one.data_directory, answers[-1].headers["request-id"])
    assert 1 == len(refused(one.data_directory, answers[-1].headers["request-id"]))
    assert 200 == others.status_code
    assert 4 == sent(app)


def test_repeats_are_requests_too(budgeted: Budgeted) -> None:
    """A repeat after the app's own 429 takes from the budget; where none is left its answer stands."""
    one, _, app = budgeted
    connect_by_key(one, "again", app.api_keys["alice"], app="clerk")
    with one.api("again") as api:
        make_fault(app, "/api/v1/projects", "server_error", status=503)
        first = api.post(PROJECTS)
        for _ in range(3):
            make_fault(app, "/api/v1/projects", "server_error", status=503)
        second = api.post(PROJECTS)

    assert ["200", "503"] == [answer.json()["network_code"] for answer in (first, second)]
    assert 3 == sent(app)


def test_calls_wait_their_turn(budgeted: Budgeted) -> None:
    """A burst on two processes goes through, and the app never sees more of it in a window than it takes."""
    one, other, app = budgeted
    connect_by_key(one, "burst", app.api_keys["alice"], app="brisk")

    def call(running: RunningService) -> httpx.Response:
        with running.api("burst") as api:
            return api.post("/functions/brisk-list-projects")

    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(call, [one, other] * 6))

    assert {200} == {answer.status_code for answer in answers}
    assert 12 == sent(app)


def test_the_client_tells_when_to_come_back(budgeted: Budgeted) -> None:
    """The Python client raises its own error, with the seconds to wait."""
    one, _, app = budgeted
    connect_by_key(one, "client", app.api_keys["alice"], app="clerk")
    with Client(one.url, app_key=one.app_key, secret=one.app_secret, user_id="client", retries=0) as client:
        for _ in range(3):
            client.functions.call("clerk-list-projects")
        with pytest.raises(RateLimitError):
            client.functions.call("clerk-list-projects")
