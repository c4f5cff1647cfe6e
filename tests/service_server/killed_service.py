"""A service that is killed outright while it is under load, and what its app and its log say afterwards."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
from attrs import Factory, define, frozen

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.databases import dictionaries, note_database
from tests.service_server.processes import UNLIMITED, RunningService, configure_sandbox, create_application, service
from tests.service_server.waiting import until

TICKETS = "/api/v1/tickets"
FIELDS = {"severity": "high"}
# (callers at once, seconds that an answer of the app takes, the range of the moment of the kill in seconds)
ROUNDS = [
    (8, 0.05, (0.0, 0.1)),
    (30, 0.0, (0.2, 0.6)),
    (60, 1.2, (0.5, 1.0)),  # nothing that the app was sent is answered by then
]


@frozen
class Installation:
    """A data directory with a sandbox app beside it; the service on it comes and goes."""

    folder: Path
    port: int
    application: dict[str, str]
    sandbox: SandboxApp

    def start(self, *options: str) -> AbstractContextManager[RunningService]:
        """The service, as a context."""
        allowed = ("--allow-host", self.sandbox.url.removeprefix("http://"))
        return service(self.folder, *allowed, *options, port=self.port, application=self.application, env=UNLIMITED)

    def log(self, since: str = "") -> dict[str, dict[str, Any]]:
        """The Function Calls log by request id, from a moment on."""
        rows = dictionaries(self.folder, f"SELECT * FROM calls WHERE started_at >= '{since}'")
        found = {row["request_id"]: row for row in rows}
        assert len(rows) == len(found)
        return found

    def titles_received(self) -> Counter[str]:
        """The titles of the tickets that the app was asked to make, and how often."""
        entries = self.sandbox.received(TICKETS)
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


@contextlib.contextmanager
def installed(folder: Path, database_url: str, *origins: str) -> Iterator[Installation]:
    """Everything set up on a database, and the service not yet started."""
    note_database(folder, database_url)
    port = free_port()
    application = create_application(folder, "Test host", *origins)
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as sandbox:
        configure_sandbox(folder, sandbox)
        yield Installation(folder, port, application, sandbox)


async def killed_under_load(
    installation: Installation, running: RunningService, callers: int, app_seconds: float, moments: tuple[float, float]
) -> tuple[Load, Counter[str]]:
    """Load the service, and kill it at a random moment; what callers got, and the tickets that the app was sent."""
    calm(installation.sandbox)
    if app_seconds:
        installation.sandbox.fault(TICKETS, "slow", method="POST", seconds=app_seconds, times=1000)
    load = Load()
    under_load = asyncio.create_task(load.run(running, callers))
    await asyncio.sleep(random.uniform(*moments))
    if app_seconds > 1:  # else a busy machine may have sent nothing yet whose outcome is unknown
        await until(installation.titles_received)
    os.kill(running.program.process.pid, signal.SIGKILL)
    await under_load
    sent = installation.titles_received()
    calm(installation.sandbox)
    return load, sent


def calm(sandbox: SandboxApp) -> None:
    """Let everything go well again in the app, and forget what it received."""
    sandbox.control("/_reset", {"parts": ["faults", "log"]})


def outcomes_of(log: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The outcomes of the logged mutations, by the title of the ticket that each was to make."""
    outcomes = {}
    for row in log.values():
        if row["function_type"] != "query":
            arguments = json.loads(row["arguments"])
            outcomes[arguments.get("body", arguments)["title"]] = row["outcome"]
    return outcomes
