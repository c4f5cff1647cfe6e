"""
One fault after the other while several users call, on SQLite and on PostgreSQL, and what became of every call.

After each fault every call that wasn't acknowledged is sent again with its idempotency key. Then the app's record of
the tickets that it made is held against the log and against what users were told.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from attrs import define, frozen

from benchmarks.disturbed_service import set_clock
from benchmarks.faults import APP_SECONDS, FAULTS, Fault, Stage
from benchmarks.users_at_work import USERS, Place, User, Work, connections, place
from service_server.store.migrations import upgrade
from tests.service_server.databases import Kind, sqlite_url
from tests.service_server.onward.name_server import name_server
from tests.service_server.postgresql import PostgreSQLServer, postgresql_server
from tests.service_server.processes import RunningService

CALLERS = 12
PAUSE_SECONDS = 0.03
MOST_SECONDS_AWAY = 120.0
APP_NAME = "tickets.reliability.test"
PROGRAM = (sys.executable, "-m", "benchmarks.disturbed_service")
DISK_MIB = 512
COLUMNS = ("sent", "acknowledged", "refused", "failed_at_app", "cut_off", "not_reached", "unknown", "repeated")
FOUND = ("lost", "doubled", "wrong_user", "unclear")
GOALS = dict.fromkeys([*(f"faults_{name}" for name in FOUND), "faults_not_served_again"], 0)


@frozen
class Struck:
    """What came of one fault."""

    kind: Kind
    fault: str
    counts: Counter[str]
    refusals: Counter[str]
    seconds_away: float


@define
class Host:
    """The service, which is killed and started again."""

    here: Place
    env: dict[str, str]
    running: RunningService
    stack: contextlib.ExitStack

    async def restart(self) -> None:
        """Kill it, and start it again at once."""
        self.running.program.process.kill()
        await asyncio.to_thread(self.stack.close)
        self.running = await asyncio.to_thread(self.stack.enter_context, self.here.start(PROGRAM, self.env))


async def suffer(stage: Stage, host: Host, http: httpx.AsyncClient, fault: Fault, seconds: float) -> Struck:
    """Have users call while a fault lasts, and look at what became of their calls."""
    work = Work(http, host.running)
    async with work.under_way(CALLERS, PAUSE_SECONDS):
        await asyncio.sleep(1)
        over = await fault.strike(stage, seconds)
        await asyncio.gather(*(served(work, user, over) for user in USERS))
        away = time.monotonic() - over
        await asyncio.sleep(1)
    counts, refusals = work.counts.copy(), work.kinds_of_refusal.copy()
    await repeat(work, counts)
    await judge(stage.here, work, counts)
    return Struck(stage.kind, fault.name, counts, refusals, away)


async def served(work: Work, user: User, since: float) -> None:
    """Wait until a user's call is acknowledged."""
    while not await work.create(user) and time.monotonic() < since + MOST_SECONDS_AWAY:  # noqa: ASYNC110
        await asyncio.sleep(0.05)


async def repeat(work: Work, counts: Counter[str]) -> None:
    """Send again what may not have happened, with its key."""
    waiting = iter(list(work.unsure.values()))

    async def some() -> None:
        for user, ticket in waiting:
            await work.create(user, ticket)
            counts["repeated"] += 1

    await asyncio.gather(*(some() for _ in range(CALLERS)))


async def judge(here: Place, work: Work, counts: Counter[str]) -> None:
    """Count what is lost, done twice, or was told to somebody else."""
    titles = [*work.acknowledged, *work.unsure]
    log = await asyncio.to_thread(here.log)
    deadline = time.monotonic() + 60
    # The ends of calls that couldn't be written when they came follow when the database is back.
    while any(("started", None) in log.get(title, ()) for title in titles) and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
        log = await asyncio.to_thread(here.log)
    for title in titles:
        counts.update(verdict(here.app.made[title], log.get(title, []), acknowledged=title in work.acknowledged))
    counts["wrong_user"] += len(work.wrong_user)


def verdict(made: int, rows: Sequence[tuple[str, str | None]], *, acknowledged: bool) -> Counter[str]:
    """What became of one ticket: how often the app made it, what the log says, what the user was told."""
    found: Counter[str] = Counter()
    outcomes = {outcome for outcome, _ in rows}
    if acknowledged:
        found["lost"] += not made or ("finished", "201") not in rows
    elif made:
        found["lost"] += not outcomes & {"finished", "unknown"}
    found["doubled"] += made > 1
    found["unknown"] += "unknown" in outcomes
    return found


@contextlib.asynccontextmanager
async def stage(kind: Kind, folder: Path, disk: Path | None) -> AsyncIterator[tuple[Stage, Host]]:
    """The service on a database of a kind, with everything that can go wrong."""
    async with contextlib.AsyncExitStack() as stack:
        server = stack.enter_context(_server_on(disk)) if kind == "postgresql" else None
        data = (disk or folder) / "data"
        data.mkdir()
        url = sqlite_url(data) if server is None else server.url(server.create())
        await asyncio.to_thread(upgrade, url)
        here = stack.enter_context(place(data, url, APP_NAME))
        names, address = await stack.enter_async_context(name_server())
        names.address, names.ttl = "127.0.0.1", 0
        clock = folder / "clock"
        set_clock(clock, 0)
        env = {
            "DISTURBED_CLOCK": str(clock),
            "DISTURBED_NAMES": address,
            "SERVICE_ONWARD_TIMEOUT_SECONDS": str(APP_SECONDS),
        }
        processes = stack.enter_context(contextlib.ExitStack())
        running = await asyncio.to_thread(processes.enter_context, here.start(PROGRAM, env))
        await asyncio.to_thread(here.connect, running, USERS)
        host = Host(here, env, running, processes)
        yield Stage(here, clock, names, host.restart, server, disk), host


@contextlib.contextmanager
def _server_on(disk: Path | None) -> Iterator[PostgreSQLServer]:
    before = tempfile.tempdir
    tempfile.tempdir = str(disk) if disk else before
    try:
        with postgresql_server() as server:
            tempfile.tempdir = before
            yield server
    finally:
        tempfile.tempdir = before


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of a few hundred MiB; None for who isn't root."""
    if os.geteuid() != 0:
        yield None
        return
    folder.chmod(0o711)  # PostgreSQL, which root runs as nobody, has to come through
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


async def on_one(kind: Kind, names: Sequence[str], seconds: float, folder: Path, disk: Path | None) -> list[Struck]:
    """All chosen faults on one kind of database."""
    found = []
    async with stage(kind, folder, disk) as (all_of_it, host), connections(host.running) as http:
        for fault in FAULTS:
            if fault.name in names and fault.concerns(all_of_it):
                found.append(await suffer(all_of_it, host, http, fault, seconds))
                print(line(found[-1]), dict(found[-1].refusals), file=sys.stderr, flush=True)
    return found


def line(struck: Struck) -> str:
    """A row of the table."""
    counts = [f"{struck.counts[name]:,}" for name in (*COLUMNS, *FOUND)]
    return f"| {struck.fault}, {struck.kind} | " + " | ".join(counts) + f" | {struck.seconds_away:.1f} |"


def measure(kinds: Sequence[Kind], names: Sequence[str], seconds: float) -> dict[str, Any]:
    """The figures of all chosen faults."""
    found: list[Struck] = []
    for kind in kinds:
        with tempfile.TemporaryDirectory() as name, small_disk(Path(name)) as disk:
            if disk is None:
                print("Only root can make a disk that gets full: disk_full is left out.", file=sys.stderr)
            found += asyncio.run(on_one(kind, names, seconds, Path(name), disk))
    titles = [name.replace("_", " ") for name in (*COLUMNS, *FOUND)]
    print("| fault | " + " | ".join(titles) + " | seconds until served |")
    print("|---" * (len(titles) + 2) + "|")
    print(*map(line, found), sep="\n")
    figures: dict[str, Any] = {f"faults_{name}": sum(each.counts[name] for each in found) for name in COLUMNS + FOUND}
    figures["faults"] = len(found)
    figures["faults_not_served_again"] = sum(each.seconds_away >= MOST_SECONDS_AWAY for each in found)
    figures["faults_most_seconds_away"] = round(max((each.seconds_away for each in found), default=0.0), 1)
    return figures
