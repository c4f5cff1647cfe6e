"""Queries that could be read in two ways, caches in between, and a database that is away."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service_server.databases import execute
from tests.service_server.processes import RunningService, service
from tests.service_server.rest.conftest import ORIGIN

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("connected_only=true&connected_only=false", "type", "connected_only"),
        ("app=many&app=github", "type", "app"),
        ("type=query&type=query", "type", "type"),
        ("connected_only=null", "type", "connected_only"),
        ("predict_function=null", "type", "predict_function"),
        ("type=null", "enum", "type"),
        ("include=null", "enum", "include"),
    ],
)
def test_a_query_is_never_guessed(api: httpx.Client, query: str, code: str, field: str) -> None:
    """A parameter given twice, and one given as null, is a 400 at the parameter."""
    response = api.get(f"/functions?{query}")
    (detail,) = response.json()["error_details"]

    assert (400, code, field) == (response.status_code, detail["code"], detail["field"])


def test_the_account_of_a_call_is_never_guessed(api: httpx.Client) -> None:
    """A call that names two accounts, or none by name, runs in no account."""
    for account in ("1&connected_account_id=2", "null"):
        response = api.post(f"/functions/many-read-000?connected_account_id={account}")
        assert (400, "connected_account_id") == (response.status_code, response.json()["error_details"][0]["field"])


def test_unknown_parameters_may_come_as_they_like(api: httpx.Client) -> None:
    """What no endpoint reads is ignored, twice as well; for texts `null` is a word like any other."""
    assert 200 == api.get("/apps?utm=1&utm=2&other=null").status_code
    assert 404 == api.get("/functions?app=null").status_code


def test_no_cache_keeps_what_belongs_to_one_user(api: httpx.Client) -> None:
    """User-ID is no part of an address, so a cache that kept an answer would give it to the next user."""
    for path in ("/apps", "/apps/none", "/functions", "/nowhere"):
        headers = api.get(path).headers
        assert ("no-store", "nosniff") == (headers["cache-control"], headers["x-content-type-options"]), path


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[RunningService]:
    """A service of its own, whose database a test may take away."""
    with service(tmp_path / "data", origins=[ORIGIN]) as running_service:
        yield running_service


def _failure(response: httpx.Response) -> httpx.Response | None:
    """The answer, unless it is the one from before the service looks at the database again."""
    return None if response.status_code == 200 else response


def test_pages_are_told_that_the_database_is_away(fragile: RunningService) -> None:
    """A 503 is the envelope and readable by the page, as it is for backends."""
    with fragile.api("user-1", Origin=ORIGIN) as page:
        assert 200 == page.get("/apps").status_code
        execute(fragile.data_directory, "ALTER TABLE applications RENAME TO applications_away")
        response = fragile.program.wait_until(lambda: _failure(page.get("/apps")))

    assert (503, "unavailable") == (response.status_code, response.json()["error_details"][0]["code"])
    assert ORIGIN == response.headers["access-control-allow-origin"]


def test_failures_of_the_database_tell_the_log_nothing_of_users(fragile: RunningService) -> None:
    """The log of a failed request names neither the user nor the address of a connect session."""
    with fragile.api("a-very-private-user") as api:
        session = api.post("/apps/github/connect_sessions", json={}).json()["id"]
        for table in ("connect_sessions", "accounts"):
            execute(fragile.data_directory, f"ALTER TABLE {table} RENAME TO {table}_away")
        answers = {api.get("/apps").status_code, api.get(f"/connect_sessions/{session}").status_code}
        answers.add(httpx.get(f"{fragile.url}/connect/{session}", trust_env=False).status_code)

    assert {503} == answers
    assert "no such table" in fragile.program.output()
    assert "a-very-private-user" not in fragile.program.output()
    assert session not in fragile.program.output()
