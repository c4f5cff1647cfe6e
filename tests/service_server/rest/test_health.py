"""`/health` and `/ready`."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from service_server.administration.readiness import KEPT_SECONDS, Readiness
from service_server.store import Database, Schema, VaultKeys
from service_server.store.migrations import newest_revision
from service_server.vault import Vault, new_keys
from tests.service_server.databases import execute, rows
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

OK = {"database": "ok", "keys": "ok", "schema": "ok"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service whose database may be changed under it."""
    with service(tmp_path_factory.mktemp("ready")) as started:
        yield started


def asked(served: RunningService) -> tuple[int, dict[str, Any]]:
    """What `/ready` says now, and not what it said a moment ago."""
    time.sleep(KEPT_SECONDS * 1.1)
    with http(served.url) as client:
        response = client.get("/ready")
        assert {"status": "ok"} == client.get("/health").json()
    assert (response.status_code == 503) == ("retry-after" in response.headers)
    return response.status_code, response.json()["checks"]


@contextlib.contextmanager
def changed(served: RunningService, change: str, back: str) -> Iterator[None]:
    """Change something in the database for a while."""
    execute(served.data_directory, change)
    try:
        yield
    finally:
        execute(served.data_directory, back)


def test_it_is_ready_with_what_it_reads_alone(served: RunningService) -> None:
    """
    A database that is away, a key that another process has sealed with, and the schema of another release hold it up.

    A newer schema says whether this release works on it. The process is fine all the same, and is not to be replaced.
    """
    assert (200, OK) == asked(served)
    with changed(served, "ALTER TABLE vault_keys RENAME TO keys_away", "ALTER TABLE keys_away RENAME TO vault_keys"):
        assert (503, {"database": "away", "keys": "unknown", "schema": "unknown"}) == asked(served)
    key = "INSERT INTO vault_keys (key_id, sealed_proof) VALUES ('deadbeef', 'x')"
    with changed(served, key, "DELETE FROM vault_keys WHERE key_id = 'deadbeef'"):
        assert (503, {**OK, "keys": "missing"}) == asked(served)
    newer = "UPDATE alembic_version SET version_num = '{}'"
    ((ours,),) = rows(served.data_directory, "SELECT oldest_revision FROM schema_compatibility")
    oldest = "UPDATE schema_compatibility SET oldest_revision = '{}'"
    with changed(served, newer.format("9999"), newer.format(newest_revision())):
        with changed(served, oldest.format("0001"), oldest.format(ours)):
            assert (200, OK) == asked(served)
        with changed(served, oldest.format("9998"), oldest.format(ours)):
            assert (503, {**OK, "schema": "of another release"}) == asked(served)
    assert (200, OK) == asked(served)


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
