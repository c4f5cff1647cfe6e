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

import httpx
import pytest
from attrs import Factory, define, frozen

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.calls.sandbox_controls import expire_tokens, make_fault, received
from tests.service_server.connecting import connect_by_sign_in
from tests.service_server.databases import dictionaries, note_database
from tests.service_server.postgresql import PostgreSQLServer, postgresql_server
from tests.service_server.processes import UNLIMITED, RunningService, configure_app, create_application, service

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

PATH = "/functions/sandbox-create-ticket"
TICKETS = "/api/v1/tickets"
CALLERS = 8
APP_SECONDS = 0.05
LONG = 60  # seconds within which anything happens


@define
class Processes:
    """The processes by their place; those without one that is to be called are None."""

    start: Callable[[int], contextlib.AbstractContextManager[RunningService]]
    running: list[tuple[contextlib.ExitStack, RunningService]] = Factory(list)
    serving: list[RunningService | None] = Factory(list)

    def begin(self) -> None:
        """Start all, at the same moment."""
        with ThreadPoolExecutor(4) as pool:
            self.running = list(pool.map(self._started, range(4)))
        self.serving = [running for _, running in self.running]

    def replace(self, place: int, by: signal.Signals) -> int:
        """End a process by a signal, and start another in its place; the status with which it ended."""
        stack, running = self.running[place]
        self.serving[place] = None
        running.program.process.send_signal(by)
        status = running.program.process.wait(LONG)
        stack.close()
        self.running[place] = self._started(place)
        self.serving[place] = self.running[place][1]
        return status

    def end(self) -> None:
        """End all."""
        for stack, _ in self.running:
            stack.close()

    def _started(self, place: int) -> tuple[contextlib.ExitStack, RunningService]:
        stack = contextlib.ExitStack()
        return stack, stack.enter_context(self.start(place))


@define
class Load:
    """Callers that go on calling, and what they got."""

    processes: Processes
    http: httpx.AsyncClient
    acknowledged: dict[str, str] = Factory(dict)
    "The network codes of answers, by request id."
    refused: list[httpx.Response] = Factory(list)
    cut_off: list[str] = Factory(list)
    "Titles of calls whose connection broke after they had been sent."
    failed: list[str] = Factory(list)
    _numbers: Iterator[int] = Factory(itertools.count)

    async def call(self, number: int, tries: int = 4) -> None:
        """Make one call, by the first of so many processes that takes it."""
        title, answer = f"Ticket {number}", None
        for place in range(number, number + tries):
            running = self.processes.serving[place % 4]
            if running is None:
                continue
            try:
                answer = await self.http.post(
                    f"{running.url}{PATH}",
                    json={"title": title, "project_id": "website", "fields": {"severity": "high"}},
                    headers=running.headers("alice"),
                )
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
    async def under_way(self) -> AsyncIterator[None]:
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


@frozen
class World:
    """The processes, the load on them, the database server and the app."""

    processes: Processes
    load: Load
    server: PostgreSQLServer
    sandbox: SandboxApp
    folder: Path

    def log(self) -> dict[str, dict[str, object]]:
        """The log of calls, by request id."""
        return {row["request_id"]: row for row in dictionaries(self.folder, "SELECT * FROM calls")}

    def renewals(self) -> int:
        """How often the app was asked for new tokens by a refresh token."""
        asked = [entry["body"] or {} for entry in received(self.sandbox, "/oauth/token")]
        return sum(body.get("grant_type") == "refresh_token" for body in asked)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(LONG):
            while not await asyncio.to_thread(holds):  # noqa: ASYNC110  other processes know no event of ours
                await asyncio.sleep(0.05)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """All of it, with an account whose tokens are renewed, and an app that takes a moment for each call."""
    ports = [free_port() for _ in range(4)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(postgresql_server())
        note_database(tmp_path, server.url(server.create()))
        sandbox = stack.enter_context(sandbox_app(f"http://127.0.0.1:{ports[0]}/oauth/callback"))
        application = create_application(tmp_path, "Test host")
        secrets = {"client_id": sandbox.client_id, "client_secret": sandbox.client_secret}
        configure_app(tmp_path, "sandbox", **secrets, variables={"base_url": sandbox.url})
        options = ("--allow-host", sandbox.url.removeprefix("http://"))

        def start(place: int) -> contextlib.AbstractContextManager[RunningService]:
            return service(tmp_path, *options, port=ports[place], application=application, env=UNLIMITED)

        processes = Processes(start)
        stack.callback(processes.end)
        await asyncio.to_thread(processes.begin)
        await asyncio.to_thread(connect_by_sign_in, processes.running[0][1], sandbox, "alice", "alice")
        for _ in range(10):
            make_fault(sandbox, TICKETS, "slow", method="POST", seconds=APP_SECONDS, times=1000)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        async with httpx.AsyncClient(limits=limits, trust_env=False, timeout=LONG) as http:
            yield World(processes, Load(processes, http), server, sandbox, tmp_path)


async def test_nothing_is_lost(world: World) -> None:
    """
    Whatever ends: no acknowledged call is lost, none is sent twice, and tokens are renewed once when they have expired.

    A rolling restart costs no call; a killed process costs those that it had under way. While the database is away,
    calls are refused with 503 and `Retry-After`, and by the next second they succeed.
    """
    load, processes = world.load, world.processes
    await renewed_once(world)
    await rolling_restart(world)
    assert ([], [], []) == (load.cut_off, load.refused, load.failed)

    async with load.under_way():
        await asyncio.sleep(0.2)
        assert -signal.SIGKILL == await asyncio.to_thread(processes.replace, 3, signal.SIGKILL)
    assert ([], []) == (load.refused, load.failed)
    assert CALLERS >= len(load.cut_off)

    async with load.under_way():
        await asyncio.to_thread(world.server.restart, "immediate")
        answered = len(load.acknowledged)
        await world.until(lambda: len(load.acknowledged) > answered + CALLERS)
    await database_away(world)
    await renewed_once(world)

    assert [] == load.failed
    await world.until(lambda: "started" not in {row["outcome"] for row in world.log().values()})
    check_log(world)


async def renewed_once(world: World) -> None:
    """End the access token under load, twice; each time one process renews it, once."""
    async with world.load.under_way():
        for _ in range(2):
            before = world.renewals()
            answered = len(world.load.acknowledged)
            await asyncio.to_thread(expire_tokens, world.sandbox)
            await world.until(lambda answered=answered: len(world.load.acknowledged) > answered + 3 * CALLERS)
            assert before + 1 == world.renewals()


async def rolling_restart(world: World) -> None:
    """Replace the processes one after the other, under load."""
    async with world.load.under_way():
        for place in range(4):
            assert 0 == await asyncio.to_thread(world.processes.replace, place, signal.SIGTERM)


async def database_away(world: World) -> None:
    """Each process says that a call was not executed, and when to come again."""
    load = world.load
    before, sent = len(load.refused), len(received(world.sandbox, TICKETS))
    await asyncio.to_thread(world.server.stop)
    try:
        await asyncio.gather(*(load.call(number, tries=1) for number in range(10_000, 10_004)))
    finally:
        await asyncio.to_thread(world.server.start)
    refused = load.refused[before:]

    assert 4 == len(refused)
    assert sent == len(received(world.sandbox, TICKETS))
    for answer in refused:
        assert answer.headers["retry-after"].isdigit()
        assert "unavailable" == answer.json()["error_details"][0]["code"], answer.text


def check_log(world: World) -> None:
    """Each acknowledged call is in the log as it was answered, each that was sent has a row, and was sent once."""
    log, load = world.log(), world.load
    sent = Counter(entry["body"]["title"] for entry in received(world.sandbox, TICKETS) if entry["status"] != 401)
    outcomes = {json.loads(str(row["arguments"]))["title"]: row["outcome"] for row in log.values()}

    assert {("finished", "201")} == {
        (log[each]["outcome"], log[each]["network_code"]) for each in load.acknowledged if each in log
    }
    assert set() == load.acknowledged.keys() - log.keys()
    assert {"201"} == set(load.acknowledged.values())
    assert {1} == set(sent.values())
    assert set() == sent.keys() - outcomes.keys()
    assert {title for title, outcome in outcomes.items() if outcome == "unknown"} <= set(load.cut_off)
