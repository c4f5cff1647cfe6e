"""
Four processes on one PostgreSQL database under load, while they are killed and replaced and the database restarts.

What calls is a load balancer as well: it takes the next process where one refuses a connection or says that it has not
executed the call (503), and none where a call may have been executed. So a call that fails has really failed.
"""

import asyncio
import contextlib
import itertools
import json
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import Factory, define

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.databases import dictionaries, note_database
from tests.service_server.postgresql import PostgreSQLServer, postgresql_server
from tests.service_server.processes import UNLIMITED, RunningService, configure_sandbox, create_application, service
from tests.service_server.waiting import until

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

PATH = "/functions/sandbox-create-ticket"
TICKETS = "/api/v1/tickets"
CALLERS = 8
APP_SECONDS = 0.05
LONG = 60  # seconds within which anything happens


@define
class Cluster:
    """The processes by their place, None where one is not to be called, the app, and what callers got."""

    start: Callable[[int], RunningService]
    http: httpx.AsyncClient
    server: PostgreSQLServer
    sandbox: SandboxApp
    folder: Path
    serving: list[RunningService | None] = Factory(list)
    acknowledged: dict[str, str] = Factory(dict)
    "The network codes of answers, by request id."
    refused: list[httpx.Response] = Factory(list)
    cut_off: list[str] = Factory(list)
    "Titles of calls whose connection broke after they had been sent."
    failed: list[str] = Factory(list)
    _numbers: Iterator[int] = Factory(itertools.count)

    async def replace(self, place: int, by: signal.Signals) -> int:
        """End a process by a signal, and start another in its place; the status with which it ended."""
        running = self.serving[place]
        self.serving[place] = None
        running.program.process.send_signal(by)
        status = await asyncio.to_thread(running.program.process.wait, LONG)
        self.serving[place] = await asyncio.to_thread(self.start, place)
        return status

    async def post(self, running: RunningService, title: str, **headers: str) -> httpx.Response:
        """Have a process create a ticket."""
        ticket = {"title": title, "project_id": "website", "fields": {"severity": "high"}}
        return await self.http.post(
            f"{running.url}{PATH}", json=ticket, headers={**running.headers("alice"), **headers}
        )

    async def call(self, number: int, tries: int = 4) -> None:
        """Make one call, by the first of so many processes that takes it."""
        title, answer = f"Ticket {number}", None
        for place in range(number, number + tries):
            running = self.serving[place % 4]
            if running is None:
                continue
            try:
                answer = await self.post(running, title)
            except httpx.ConnectError:
                continue
            except httpx.TransportError:
                self.cut_off.append(title)
                return
            if answer.status_code != 503:
                break
        if answer is None or answer.status_code not in (200, 503):
            self.failed.append("nobody took it" if answer is None else answer.text)
        elif answer.status_code == 503:
            self.refused.append(answer)
        else:
            self.acknowledged[answer.headers["request-id"]] = answer.json()["network_code"]

    @contextlib.asynccontextmanager
    async def under_load(self) -> AsyncIterator[None]:
        """Go on calling while the block lasts; calls that are under way then end."""
        ends = asyncio.Event()

        async def caller() -> None:
            while not ends.is_set():
                await self.call(next(self._numbers))

        callers = [asyncio.create_task(caller()) for _ in range(CALLERS)]
        try:
            yield
        finally:
            ends.set()
            await asyncio.gather(*callers)

    def log(self) -> dict[str, dict[str, Any]]:
        """The log of calls, by request id."""
        return {row["request_id"]: row for row in dictionaries(self.folder, "SELECT * FROM calls")}

    def renewals(self) -> int:
        """How often the app was asked for new tokens by a refresh token."""
        asked = [entry["body"] or {} for entry in self.sandbox.received("/oauth/token")]
        return sum(body.get("grant_type") == "refresh_token" for body in asked)

    async def until_answered(self, more: int) -> None:
        """Wait until so many more calls were answered."""
        enough = len(self.acknowledged) + more
        await until(lambda: len(self.acknowledged) > enough)


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    """All of it, with an account whose tokens are renewed, and an app that takes a moment for each call."""
    ports = [free_port() for _ in range(4)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(postgresql_server())
        note_database(tmp_path, server.url(server.create()))
        sandbox = stack.enter_context(sandbox_app(f"http://127.0.0.1:{ports[0]}/oauth/callback"))
        application = create_application(tmp_path, "Test host")
        configure_sandbox(tmp_path, sandbox)
        options = ("--allow-host", sandbox.url.removeprefix("http://"))

        def start(place: int) -> RunningService:
            return stack.enter_context(
                service(tmp_path, *options, port=ports[place], application=application, env=UNLIMITED)
            )

        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        async with httpx.AsyncClient(limits=limits, trust_env=False, timeout=LONG) as http:
            with ThreadPoolExecutor(4) as pool:
                begun = list(pool.map(start, range(4)))
            await asyncio.to_thread(connect_by_sign_in, begun[0], sandbox, "alice", "alice")
            for _ in range(10):
                sandbox.fault(TICKETS, "slow", method="POST", seconds=APP_SECONDS, times=1000)
            yield Cluster(start, http, server, sandbox, tmp_path, list(begun))


async def test_nothing_is_lost(cluster: Cluster) -> None:
    """
    Whatever ends: no acknowledged call is lost, none is sent twice, and tokens are renewed once when they have expired.

    A rolling restart costs no call; a killed process costs those that it had under way. While the database is away,
    calls are refused with 503 and `Retry-After`, and by the next second they succeed.
    """
    await work_together(cluster)
    await renewed_once(cluster)
    async with cluster.under_load():
        for place in range(2):
            assert 0 == await cluster.replace(place, signal.SIGTERM)
    assert ([], [], []) == (cluster.cut_off, cluster.refused, cluster.failed)

    async with cluster.under_load():
        await asyncio.sleep(0.2)
        assert -signal.SIGKILL == await cluster.replace(3, signal.SIGKILL)
    assert ([], []) == (cluster.refused, cluster.failed)
    assert CALLERS >= len(cluster.cut_off)

    async with cluster.under_load():
        await asyncio.to_thread(cluster.server.restart, "immediate")
        await cluster.until_answered(CALLERS)
    await database_away(cluster)
    await renewed_once(cluster)

    assert [] == cluster.failed
    await until(lambda: "started" not in {row["outcome"] for row in cluster.log().values()})
    check_log(cluster)


async def work_together(cluster: Cluster) -> None:
    """A session of one process is ended at another; a key used at all at once is one call, which all answer."""
    first, second, *_ = serving = [each for each in cluster.serving if each is not None]
    assert await asyncio.to_thread(connect_by_key, first, "bea", cluster.sandbox.api_keys["bob"], pages=second.url)
    answers = await asyncio.gather(
        *(cluster.post(running, "Raced", **{"Idempotency-Key": "race"}) for running in serving * 2)
    )
    assert 1 == len({answer.content for answer in answers})
    assert 7 == sum(answer.headers.get("idempotency-replayed") == "true" for answer in answers)


async def renewed_once(cluster: Cluster) -> None:
    """End the access token under load, twice; each time one process renews it, once."""
    async with cluster.under_load():
        for _ in range(2):
            before = cluster.renewals()
            await asyncio.to_thread(cluster.sandbox.expire_tokens)
            await cluster.until_answered(3 * CALLERS)
            assert before + 1 == cluster.renewals()


async def database_away(cluster: Cluster) -> None:
    """Each process says that a call was not executed, and when to come again."""
    before, sent = len(cluster.refused), len(cluster.sandbox.received(TICKETS))
    await asyncio.to_thread(cluster.server.stop)
    try:
        await asyncio.gather(*(cluster.call(number, tries=1) for number in range(10_000, 10_004)))
    finally:
        await asyncio.to_thread(cluster.server.start)
    refused = cluster.refused[before:]

    assert 4 == len(refused)
    assert sent == len(cluster.sandbox.received(TICKETS))
    for answer in refused:
        assert answer.headers["retry-after"].isdigit()
        assert "unavailable" == answer.json()["error_details"][0]["code"], answer.text


def check_log(cluster: Cluster) -> None:
    """Each acknowledged call is in the log as it was answered, each that was sent has a row, and was sent once."""
    log = cluster.log()
    sent = Counter(entry["body"]["title"] for entry in cluster.sandbox.received(TICKETS) if entry["status"] != 401)
    outcomes = {json.loads(row["arguments"])["title"]: row["outcome"] for row in log.values()}

    assert set() == cluster.acknowledged.keys() - log.keys()
    assert {("finished", "201")} == {(log[each]["outcome"], log[each]["network_code"]) for each in cluster.acknowledged}
    assert {"201"} == set(cluster.acknowledged.values())
    assert {1} == set(sent.values())
    assert set() == sent.keys() - outcomes.keys()
    assert {title for title, outcome in outcomes.items() if outcome == "unknown"} <= set(cluster.cut_off)
