"""The rate budget of an app: calls of one account wait their turn, in all processes, and are refused beyond that."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.service_server.calls.clerk import write_clerk
from tests.service_server.calls.sandbox_controls import code_of, logged, received, refused
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, service, service_beside_sandbox

pytestmark = pytest.mark.slow

PROJECTS = "/functions/clerk-list-projects"
HOURLY = {"per": "account", "requests": 3, "window": "1h"}
BRISK = {"per": "account", "requests": 4, "window": "1s"}


def test_two_processes_keep_the_budget_of_an_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A burst waits its turns; what would wait too long is refused, unsent, with when to come back; others go on."""
    connectors = write_clerk(tmp_path / "connectors", budget=HOURLY)
    write_clerk(connectors, "brisk", budget=BRISK)
    monkeypatch.setenv("SERVICE_CONNECTORS", str(connectors))
    with service_beside_sandbox(tmp_path / "data", apps=("clerk", "brisk")) as (one, app):
        application = {"app_key": one.app_key, "app_secret": one.app_secret}
        host = urlsplit(app.url).netloc
        with service(tmp_path / "data", "--allow-host", host, application=application) as other:
            connect_by_key(one, "busy", app.api_keys["alice"], app="clerk")
            connect_by_key(one, "calm", app.api_keys["bob"], app="clerk")
            connect_by_key(one, "busy", app.api_keys["alice"], app="brisk")
            with one.api("busy") as here, other.api("busy") as there, one.api("calm") as calm:
                *within, last = [api.post(PROJECTS) for api in (here, there, here, there)]
                assert 200 == calm.post(PROJECTS).status_code
            assert 4 == len(received(app, "/api/v1/projects"))

            def burst(running: RunningService) -> httpx.Response:
                with running.api("busy") as api:
                    return api.post("/functions/brisk-list-projects")

            with ThreadPoolExecutor(12) as threads:
                answers = list(threads.map(burst, [one, other] * 6))
            assert 4 + 12 == len(received(app, "/api/v1/projects"))

    assert [200] * 15 == [answer.status_code for answer in (*within, *answers)]
    assert (429, "rate_limited", None) == code_of(last)
    assert "wait" == last.json()["error_details"][0]["action"]
    assert 3000 < int(last.headers["retry-after"]) <= 3600
    assert [] == logged(one.data_directory, last.headers["request-id"])
    assert 1 == len(refused(one.data_directory, last.headers["request-id"]))
