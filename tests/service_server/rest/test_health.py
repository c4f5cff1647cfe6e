"""`/health` and `/ready`."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from service_server.administration.readiness import KEPT_SECONDS, Readiness
from service_server.store import Database, Schema, VaultKeys
from service_server.store.migrations import newest_revision
from service_server.vault import Vault, new_keys
from tests.service_server.databases import execute
from tests.service_server.processes import RunningService, http, service

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


def changed(served: RunningService, change: str, back: str) -> tuple[int, dict[str, Any]]:
    """What it says while something is changed in the database, which is fine before and afterwards."""
    assert (200, OK) == asked(served)
    execute(served.data_directory, change)
    try:
        return asked(served)
    finally:
        execute(served.data_directory, back)


def test_it_is_not_ready_without_what_it_reads(served: RunningService) -> None:
    """The process is fine all the same, and is not to be replaced."""
    away = changed(served, "ALTER TABLE vault_keys RENAME TO keys_away", "ALTER TABLE keys_away RENAME TO vault_keys")

    assert (503, {"database": "away", "keys": "unknown", "schema": "unknown"}) == away


def test_it_is_not_ready_while_it_lacks_a_key(served: RunningService) -> None:
    """Another process has sealed with one that this one doesn't have."""
    lacking = changed(
        served,
        "INSERT INTO vault_keys (key_id, sealed_proof) VALUES ('deadbeef', 'x')",
        "DELETE FROM vault_keys WHERE key_id = 'deadbeef'",
    )

    assert (503, {**OK, "keys": "missing"}) == lacking


@pytest.mark.parametrize(("oldest", "status"), [("0001", 200), ("9998", 503)])
def test_a_newer_schema_says_whether_this_release_works_on_it(served: RunningService, oldest: str, status: int) -> None:
    """As it does when a process starts."""
    ours = newest_revision()
    execute(served.data_directory, "UPDATE alembic_version SET version_num = '9999'")
    try:
        found = changed_compatibility(served, oldest)
    finally:
        execute(served.data_directory, f"UPDATE alembic_version SET version_num = '{ours}'")

    assert (status, {**OK, "schema": "ok" if status == 200 else "of another release"}) == found


def changed_compatibility(served: RunningService, oldest: str) -> tuple[int, dict[str, Any]]:
    """What it says of a schema that needs such a revision."""
    execute(served.data_directory, "ALTER TABLE schema_compatibility RENAME TO as_it_was")
    execute(served.data_directory, f"CREATE TABLE schema_compatibility AS SELECT '{oldest}' AS oldest_revision")
    try:
        return asked(served)
    finally:
        execute(served.data_directory, "DROP TABLE schema_compatibility")
        execute(served.data_directory, "ALTER TABLE as_it_was RENAME TO schema_compatibility")


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
