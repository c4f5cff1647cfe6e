"""Replacing an application's secret while its backends go on calling."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service_client.models import sign
from tests.service_server.processes import RunningService, command, http, service
from tests.service_server.rest.test_authentication import by_token

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service whose application's secret is replaced."""
    with service(tmp_path_factory.mktemp("secrets")) as running:
        yield running


def by_hash(running: RunningService, secret: str) -> httpx.Client:
    """A backend that signs with a secret."""
    return http(running.url, {"App-Key": running.app_key, "User-ID": "ann", "Hash": sign("ann", secret)})


def until(running: RunningService, client: httpx.Client, status: int) -> None:
    """Wait until the client is answered with a status; a change takes effect within seconds."""
    running.program.wait_until(lambda: client.get("/apps").status_code == status or None)


def test_both_secrets_work_until_the_old_one_is_retired(own_service: RunningService) -> None:
    """Retiring the old one ends it for hashes, and for the session tokens that were minted with it."""

    def rotate(*options: str) -> dict[str, str]:
        told: dict[str, str] = json.loads(
            command(own_service.data_directory, "application", "rotate-secret", "Test host", "--json", *options)
        )
        return told

    told = rotate()
    assert own_service.app_key == told["app_key"]
    with by_hash(own_service, own_service.app_secret) as old, by_hash(own_service, told["app_secret"]) as new:
        until(own_service, new, 200)
        assert 200 == old.get("/apps").status_code
        tokens = [each.post("/session_tokens", json={"expires_in": 3600}).json()["token"] for each in (old, new)]
        with by_token(own_service, tokens[0]) as old_page, by_token(own_service, tokens[1]) as new_page:
            assert [200, 200] == [each.get("/apps").status_code for each in (old_page, new_page)]
            assert {"app_key": own_service.app_key} == rotate("--retire-old")
            until(own_service, old, 401)
            assert 401 == old_page.get("/apps").status_code
            assert [200, 200] == [each.get("/apps").status_code for each in (new, new_page)]


def test_a_token_is_scoped_however_it_was_signed(own_service: RunningService, tmp_path: Path) -> None:
    """A token of an application that was given a second secret has the scope it was minted with, no more."""
    made = json.loads(command(own_service.data_directory, "application", "create", "Scoped", "--json"))
    second = json.loads(command(own_service.data_directory, "application", "rotate-secret", made["app_key"], "--json"))
    headers = {"App-Key": made["app_key"], "User-ID": "ann", "Hash": sign("ann", second["app_secret"])}
    with http(own_service.url, headers) as backend:
        until(own_service, backend, 200)
        token = backend.post("/session_tokens", json={"functions": ["sandbox-list-projects"]}).json()["token"]
    with by_token(own_service, token) as page:
        assert 400 == page.post("/functions/sandbox-list-projects").status_code
        assert 403 == page.post("/functions/sandbox-list-labels").status_code
        assert 403 == page.post("/session_tokens").status_code
