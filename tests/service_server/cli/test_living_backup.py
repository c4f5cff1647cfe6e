"""A backup of a service that is under load, and the service that is made of it again."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import EmptyDatabases, note_database, rows, sqlite_url
from tests.service_server.killed_service import TICKETS, Installation, Load, calm, installed, outcomes_of
from tests.service_server.processes import command
from tests.service_server.waiting import until

pytestmark = pytest.mark.slow

CALLERS = 12
APP_SECONDS = 0.3  # that the app takes to answer
# One ticket takes longer than the test: callers keep step, and between their calls none of the others is under way.
HELD_UP = {"method": "POST", "seconds": 60.0, "times": 1}


@pytest.fixture
def installation(database_url: str, tmp_path: Path) -> Iterator[Installation]:
    """Everything set up, and the service not yet started."""
    with installed(tmp_path, database_url) as installation:
        yield installation


@pytest.fixture
def elsewhere(installation: Installation, empty_databases: EmptyDatabases, tmp_path: Path) -> Iterator[Installation]:
    """The same application and app, on a data directory that holds the vault's key and a database that is empty."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(installation.folder / "vault.key", folder)
    server = empty_databases.server
    with server.database() if server is not None else contextlib.nullcontext(sqlite_url(folder)) as url:
        note_database(folder, url)
        yield attrs.evolve(installation, folder=folder)


async def until_more_is_answered(load: Load) -> None:
    """Wait for the answer to one more call."""
    before = len(load.answered)
    await until(lambda: len(load.answered) > before)


async def test_a_backup_under_load(installation: Installation, elsewhere: Installation, tmp_path: Path) -> None:
    """What was answered before is in it; what was under way is unknown, once restored, and never done a second time."""
    file, load = tmp_path / "backup", Load()
    with installation.start() as running:
        connect_by_sign_in(running, installation.sandbox, "alice", "alice")
        connect_by_key(running, "bob", installation.sandbox.api_keys["bob"])
        calm(installation.sandbox)
        installation.sandbox.fault(TICKETS, "slow", **HELD_UP)
        installation.sandbox.fault(TICKETS, "slow", method="POST", seconds=APP_SECONDS, times=1000)
        under_load = asyncio.create_task(load.run(running, CALLERS))
        await until_more_is_answered(load)
        before = list(load.answered)
        told = json.loads(await asyncio.to_thread(command, installation.folder, "backup", str(file), "--json"))
        await until_more_is_answered(load)
        os.kill(running.program.process.pid, signal.SIGKILL)
        await under_load
    restored = json.loads(await asyncio.to_thread(command, elsewhere.folder, "restore", str(file), "--json"))
    log = elsewhere.log()

    assert 0 < len(before)
    assert [] == [call for call in before if log[call.request_id]["outcome"] != "finished"]
    assert {"finished", "unknown"} == {row["outcome"] for row in log.values()}
    assert restored["ended"]["calls"] == [row["outcome"] for row in log.values()].count("unknown")
    assert told["rows"] == restored["rows"]
    assert told["rows"]["calls"] == len(log)
    assert [] == rows(elsewhere.folder, "SELECT * FROM processes")
    assert [(2,)] == rows(elsewhere.folder, "SELECT count(*) FROM accounts")
    await asyncio.to_thread(check_service, elsewhere, load)


def check_service(elsewhere: Installation, load: Load) -> None:
    """It serves: accounts are open, and a repeat of what was under way is told that nobody knows."""
    unknown = {title for title, outcome in outcomes_of(elsewhere.log()).items() if outcome == "unknown"}
    keys = load.unanswered.keys() & unknown
    calm(elsewhere.sandbox)
    with elsewhere.start() as running:
        for user in ("alice", "bob"):
            with running.api(user) as api:
                assert "200" == api.post("/functions/sandbox-list-projects").json()["network_code"]
        with running.api("alice") as api:
            for key in keys:
                api.post(
                    "/functions/sandbox-create-ticket", json=load.unanswered[key], headers={"Idempotency-Key": key}
                )
        assert not unknown & elsewhere.titles_received().keys()
