"""`/health` and `/ready`, and what is told while the database is away."""

import asyncio
import contextlib
from collections.abc import Iterator

import httpx
import pytest

from service_server.administration.readiness import Readiness
from service_server.store import Database, Schema, VaultKeys
from service_server.store.migrations import newest_revision
from service_server.vault import Vault, new_keys
from tests.service_server.databases import execute, rows
from tests.service_server.processes import RunningService, http, service
from tests.service_server.rest.conftest import ORIGIN

pytestmark = pytest.mark.slow

OK = {"database": "ok", "keys": "ok", "schema": "ok"}
AWAY = {"database": "away", "keys": "unknown", "schema": "unknown"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service whose database may be changed under it."""
    with service(tmp_path_factory.mktemp("ready"), origins=[ORIGIN]) as started:
        yield started


def until_told(served: RunningService, status: int, checks: dict[str, str]) -> None:
    """Wait until `/ready` says so, which for a moment says what it found before."""
    with http(served.url) as client:

        def is_told() -> bool | None:
            response = client.get("/ready")
            assert {"status": "ok"} == client.get("/health").json()
            assert (response.status_code == 503) == ("retry-after" in response.headers)
            return (status, checks) == (response.status_code, response.json()["checks"]) or None

        served.program.wait_until(is_told)


@contextlib.contextmanager
def changed(served: RunningService, change: str, back: str) -> Iterator[None]:
    """Change something in the database for a while."""
    execute(served.data_directory, change)
    try:
        yield
    finally:
        execute(served.data_directory, back)


def away(served: RunningService, table: str) -> contextlib.AbstractContextManager[None]:
    """Take a table away for a while."""
    return changed(served, f"ALTER TABLE {table} RENAME TO gone_{table}", f"ALTER TABLE gone_{table} RENAME TO {table}")


def test_it_is_ready_with_what_it_reads_alone(served: RunningService) -> None:
    """
    A database that is away, a key that another process has sealed with, and the schema of another release hold it up.

    A newer schema says whether this release works on it. The process is fine all the same, and is not to be replaced.
    """
    until_told(served, 200, OK)
    with away(served, "vault_keys"):
        until_told(served, 503, AWAY)
    key = "INSERT INTO vault_keys (key_id, sealed_proof) VALUES ('deadbeef', 'x')"
    with changed(served, key, "DELETE FROM vault_keys WHERE key_id = 'deadbeef'"):
        until_told(served, 503, {**OK, "keys": "missing"})
    newer = "UPDATE alembic_version SET version_num = '{}'"
    ((ours,),) = rows(served.data_directory, "SELECT oldest_revision FROM schema_compatibility")
    oldest = "UPDATE schema_compatibility SET oldest_revision = '{}'"
    with changed(served, newer.format("9999"), newer.format(newest_revision())):
        with changed(served, oldest.format("0001"), oldest.format(ours)):
            until_told(served, 200, OK)
        with changed(served, oldest.format("9998"), oldest.format(ours)):
            until_told(served, 503, {**OK, "schema": "of another release"})
    until_told(served, 200, OK)


def test_a_database_that_is_away_is_told_to_pages_and_tells_the_log_nothing_of_users(served: RunningService) -> None:
    """A 503 is the envelope, which the page may read; the log names neither the user nor a connect session."""
    user = "a-very-private-user"
    with served.api(user, Origin=ORIGIN) as page:
        session = page.post("/apps/github/connect_sessions", json={}).raise_for_status().json()["id"]
        with away(served, "accounts"), away(served, "connect_sessions"):
            answers = [page.get(path) for path in ("/apps", f"/connect_sessions/{session}", f"/connect/{session}")]
            answers += [page.get("/apps") for _ in range(3)]
        with away(served, "operator_sessions"):
            console = page.get("/console/calls", headers={"Cookie": f"console={'x' * 43}"})
        with away(served, "applications"):  # which a service that knows them looks at again after a moment
            last = served.program.wait_until(lambda: _failure(page.get("/apps")))
    output = served.program.output()

    assert {503} == {each.status_code for each in (*answers, last)}
    assert "Try again in a minute" in answers[2].text
    assert (503, True) == (console.status_code, "The database is away" in console.text)
    for each in (answers[0], last):
        assert "unavailable" == each.json()["error_details"][0]["code"]
        assert ORIGIN == each.headers["access-control-allow-origin"]
    assert "no such table" in output
    assert "Traceback" not in output
    lines = [line["event"] for line in served.program.json_lines() if "event" in line]
    assert 1 <= lines.count("database.away") <= 2  # one in ten seconds
    assert "request.failed" not in lines
    assert user not in output
    assert session not in output


def _failure(answer: httpx.Response) -> httpx.Response | None:
    return answer if answer.is_error else None


async def test_the_database_is_not_looked_at_for_each_who_asks() -> None:
    """All who ask within a moment are told what was found for the first of them."""
    looks = []

    class Watched(VaultKeys):
        async def proofs(self) -> dict[str, str]:
            looks.append(1)
            return {}

    class Suitable(Schema):
        async def suits_this_release(self) -> bool:
            return True

    database = Database("sqlite+aiosqlite:////nowhere.db")
    readiness = Readiness(Suitable(database), Watched(database), Vault(new_keys()))
    told = await asyncio.gather(*(readiness.findings() for _ in range(100)))

    assert [OK] * 100 == told
    assert [1] == looks
