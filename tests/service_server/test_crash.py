"""
The service killed outright in the middle of calls: what was answered and what was sent is in the log and told.

Each round puts load on the service, kills it with SIGKILL, and starts it again on the same data directory.
"""

import asyncio
import contextlib
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import dictionaries, execute, rows, sqlite_url
from tests.service_server.killed_service import (
    ROUNDS,
    Answered,
    Installation,
    installed,
    killed_under_load,
    outcomes_of,
)
from tests.service_server.processes import RunningService, command
from tests.service_server.waiting import until
from tests.service_server.webhooks.receiver import Received, receiving

pytestmark = pytest.mark.slow

ALLOWED = ("--allow-host", "webhooks=127.0.0.1")


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """Everything set up, and the service not yet started."""
    with installed(tmp_path, sqlite_url(tmp_path)) as installation:
        yield installation


async def test_killed_during_calls(installation: Installation) -> None:
    """Answered calls are finished in the log, sent mutations are in it, accounts work, and all is told in order."""
    folder, apart = installation.folder, asyncio.to_thread  # the receiver is served by this event loop
    async with receiving() as receiver:
        await apart(command, folder, "webhook", "create", receiver.url, *ALLOWED)
        with contextlib.ExitStack() as processes:
            running = processes.enter_context(installation.start(*ALLOWED))
            await apart(connect_by_sign_in, running, installation.sandbox, "alice", "alice")
            await apart(connect_by_key, running, "bob", installation.sandbox.api_keys["bob"])
            for callers, app_seconds, moments in ROUNDS:
                load, sent = await killed_under_load(installation, running, callers, app_seconds, moments)
                # As if the killed process had been gone for long: its leases have run out.
                execute(folder, "UPDATE webhook_deliveries SET lease_until = 0")
                running = processes.enter_context(installation.start(*ALLOWED))
                check_log(installation.log(), load.answered, sent)
                await apart(check_repeats, installation, running, load.unanswered, sent)
                await apart(check_accounts, installation, running)
            pending = "SELECT 1 FROM webhook_deliveries WHERE state = 'pending'"
            await until(lambda: not rows(folder, pending))
    outcomes = {row["id"]: row["outcome"] for row in installation.log().values()}

    assert {"finished", "unknown"} == set(outcomes.values())
    check_deliveries(folder, receiver.received, outcomes)


async def test_killed_right_after_queries(installation: Installation) -> None:
    """Rows that need not be on the disk outlive the process all the same: what was answered is in the log."""
    with installation.start() as running:
        connect_by_key(running, "bob", installation.sandbox.api_keys["bob"])
        with running.api("bob") as api:
            answers = [api.post("/functions/sandbox-list-projects") for _ in range(3)]
            refused = api.post("/functions/sandbox-list-projects", json={"connected_account_id": 99})
            os.kill(running.program.process.pid, signal.SIGKILL)
    log = installation.log()
    (refusal,) = dictionaries(installation.folder, "SELECT * FROM refusals")

    assert ["finished"] * 3 == [log[answer.headers["request-id"]]["outcome"] for answer in answers]
    assert refused.headers["request-id"] == refusal["request_id"]


def check_accounts(installation: Installation, running: RunningService) -> None:
    """Both ways to be connected still work, also when access tokens have ended."""
    installation.sandbox.expire_tokens()
    for user in ("alice", "bob"):
        with running.api(user) as api:
            assert "200" == api.post("/functions/sandbox-list-projects").json()["network_code"]


def check_log(log: dict[str, dict[str, Any]], answered: list[Answered], sent: Counter[str]) -> None:
    """Every answer and every mutation that was sent has its row, and no row says that the call is still running."""
    for call in answered:
        row = log[call.request_id]
        assert ("finished", call.network_code) == (row["outcome"], row["network_code"])
    outcomes = outcomes_of(log)
    assert set() == sent.keys() - outcomes.keys()
    assert {"finished", "unknown"} >= {outcomes[title] for title in sent}
    assert "started" not in {row["outcome"] for row in log.values()}


def check_repeats(
    installation: Installation, running: RunningService, unanswered: dict[str, dict[str, Any]], sent: Counter[str]
) -> None:
    """A mutation repeated with its key is answered; it happens at most once, and not at all only if nobody can know."""
    with running.api("alice") as api:
        for key, ticket in unanswered.items():
            answer = api.post("/functions/sandbox-create-ticket", json=ticket, headers={"Idempotency-Key": key})
            assert 200 == answer.status_code, answer.text
    happened = sent + installation.titles_received()
    outcomes = outcomes_of(installation.log())

    assert {1} >= set(happened.values())
    assert {"unknown"} >= {outcomes[key] for key in unanswered if key not in happened}


def check_deliveries(folder: Path, received: list[Received], outcomes: dict[str, str]) -> None:
    """Every row of the log was told at least once, and first arrivals keep the order of each account."""
    calls = [each.body["data"] for each in received if each.body["type"] == "call.finished"]
    assert outcomes == {each["call_id"]: each["outcome"] for each in calls}
    others = [each.body["data"] for each in received if each.body["type"] != "call.finished"]
    assert {"alice", "bob"} == {each["user_id"] for each in others}
    written = rows(folder, "SELECT account_id, event_id FROM webhook_deliveries ORDER BY id")
    for account in {number for number, _ in written}:
        arrived = list(dict.fromkeys(each.id for each in received if each.account == account))
        assert [event for number, event in written if number == account] == arrived
