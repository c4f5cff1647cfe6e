"""
The service killed outright in the middle of calls: what was answered and what was sent is in the log afterwards.

Each round puts load on the service, kills it with SIGKILL, and starts it again on the same data directory.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import Factory, define, frozen

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.calls.sandbox_controls import expire_tokens, make_fault, received
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import dictionaries, note_database
from tests.service_server.processes import UNLIMITED, RunningService, configure_app, create_application, service

pytestmark = pytest.mark.slow

TICKETS = "/api/v1/tickets"
FIELDS = {"severity": "high"}
# (callers at once, seconds that an answer of the app takes, the range of the moment of the kill in seconds)
ROUNDS = [
    (8, 0.05, (0.0, 0.1)),
    (30, 0.0, (0.2, 0.6)),
    (60, 0.5, (0.3, 0.9)),
]


@frozen
class Installation:
    """A data directory with a sandbox app beside it; the service on it comes and goes."""

    folder: Path
    port: int
    application: dict[str, str]
    sandbox: SandboxApp

    def start(self) -> Any:
        """The service, as a context."""
        allowed = self.sandbox.url.removeprefix("http://")
        return service(
            self.folder, "--allow-host", allowed, port=self.port, application=self.application, env=UNLIMITED
        )

    def log(self) -> dict[str, dict[str, Any]]:
        """The Function Calls log, by request id."""
        rows = dictionaries(self.folder, "SELECT * FROM calls")
        found = {row["request_id"]: row for row in rows}
        assert len(rows) == len(found)
        return found

    def titles_received(self) -> Counter[str]:
        """The titles of the tickets that the app was asked to make, and how often."""
        entries = received(self.sandbox, TICKETS)
        return Counter(entry["body"]["title"] for entry in entries if entry["method"] == "POST")


@frozen
class Answered:
    """A call that came back whole."""

    request_id: str
    network_code: str


@define
class Load:
    """Callers that go on calling until the service is gone, and what they got."""

    answered: list[Answered] = Factory(list)
    unanswered: dict[str, dict[str, Any]] = Factory(dict)
    "The arguments of the mutations sent with a key and never answered, by key."

    async def run(self, running: RunningService, callers: int) -> None:
        """Call, from as many callers as asked for, until each meets a broken connection."""
        limits = httpx.Limits(max_connections=None)
        headers = running.headers("alice")
        async with httpx.AsyncClient(
            base_url=running.url, headers=headers, limits=limits, trust_env=False, timeout=30
        ) as http:
            await asyncio.gather(*(self._caller(http, number) for number in range(callers)))

    async def _caller(self, http: httpx.AsyncClient, number: int) -> None:
        for turn in itertools.count(number):
            title = f"Ticket {random.randbytes(8).hex()}"
            ticket = {"title": title, "project_id": "website", "fields": FIELDS}
            call = [self._by_function, self._with_key, self._by_passthrough, self._query][turn % 4]
            try:
                answer = await call(http, ticket)
            except httpx.TransportError:
                return
            assert answer.status_code == 200, answer.text
            self.answered.append(Answered(answer.headers["request-id"], answer.json()["network_code"]))

    async def _by_function(self, http: httpx.AsyncClient, ticket: dict[str, Any]) -> httpx.Response:
        return await http.post("/functions/sandbox-create-ticket", json=ticket)

    async def _with_key(self, http: httpx.AsyncClient, ticket: dict[str, Any]) -> httpx.Response:
        key = ticket["title"]
        self.unanswered[key] = ticket
        answer = await http.post("/functions/sandbox-create-ticket", json=ticket, headers={"Idempotency-Key": key})
        del self.unanswered[key]
        return answer

    async def _by_passthrough(self, http: httpx.AsyncClient, ticket: dict[str, Any]) -> httpx.Response:
        request = {"method": "POST", "url": "/tickets", "body": ticket}
        return await http.post("/sandbox-passthrough-request", json=request)

    async def _query(self, http: httpx.AsyncClient, ticket: dict[str, Any]) -> httpx.Response:
        return await http.post("/functions/sandbox-list-projects")


@pytest.fixture
def installation(database_url: str, tmp_path: Path) -> Iterator[Installation]:
    """Everything set up, and the service not yet started."""
    note_database(tmp_path, database_url)
    port = free_port()
    application = create_application(tmp_path, "Test host")
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as sandbox:
        variables = {"base_url": sandbox.url}
        secret = sandbox.client_secret
        configure_app(tmp_path, "sandbox", client_id=sandbox.client_id, client_secret=secret, variables=variables)
        yield Installation(tmp_path, port, application, sandbox)


async def test_killed_during_calls(installation: Installation) -> None:
    """Answered calls are finished in the log, sent mutations are in it, and accounts work after the restart."""
    seen: set[str] = set()
    with contextlib.ExitStack() as processes:
        running = processes.enter_context(installation.start())
        connect_by_sign_in(running, installation.sandbox, "alice", "alice")
        connect_by_key(running, "bob", installation.sandbox.api_keys["bob"])
        for callers, app_seconds, moments in ROUNDS:
            calm(installation.sandbox)
            if app_seconds:
                make_fault(installation.sandbox, TICKETS, "slow", method="POST", seconds=app_seconds, times=1000)
            load = Load()
            under_load = asyncio.create_task(load.run(running, callers))
            await asyncio.sleep(random.uniform(*moments))
            os.kill(running.program.process.pid, signal.SIGKILL)
            await under_load
            sent = installation.titles_received()
            calm(installation.sandbox)

            running = processes.enter_context(installation.start())
            log = installation.log()
            check_log(log, load.answered, sent)
            await asyncio.to_thread(check_repeats, installation, running, load.unanswered, sent)
            check_accounts(installation, running)
            seen |= {row["outcome"] for row in log.values()}

    assert {"finished", "unknown"} == seen


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
    expire_tokens(installation.sandbox)
    for user in ("alice", "bob"):
        with running.api(user) as api:
            assert "200" == api.post("/functions/sandbox-list-projects").json()["network_code"]


def calm(sandbox: SandboxApp) -> None:
    """Let everything go well again in the app, and forget what it received."""
    httpx.post(f"{sandbox.url}/_reset", json={"parts": ["faults", "log"]}, trust_env=False).raise_for_status()


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


def outcomes_of(log: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The outcomes of the logged mutations, by the title of the ticket that each was to make."""
    outcomes = {}
    for row in log.values():
        if row["function_type"] != "query":
            arguments = json.loads(row["arguments"])
            outcomes[arguments.get("body", arguments)["title"]] = row["outcome"]
    return outcomes
