"""
Whether a service that has much to do for long stays what it was: errors, memory, open files, the size of its log.

Users make, read and delete tickets and list what there is, first as fast as they can for half a minute, then at
70 % of that for as long as asked. The service runs as a program on SQLite.
"""

import asyncio
import contextlib
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from attrs import Factory, define

from benchmarks.usage import family, memory_mib, processor_seconds
from benchmarks.users_at_work import USERS, Place, User, Work, connections, place
from service_server.store.migrations import upgrade
from tests.service_server.databases import rows, sqlite_url
from tests.service_server.processes import SERVICE_SERVER, RunningService

CALLERS = 8
SHARE = 0.7
MEBIBYTE = 1024 * 1024
GOALS = {"soak_errors": 0, "soak_wrong_user": 0, "soak_mib_an_hour": 10.0}
WELL = {"sent", "acknowledged", "read", "listed", "deleted"}


@define
class Marks:
    """What was seen of the service's processes, and when, in minutes since the load began."""

    running: RunningService
    minutes: list[float] = Factory(list)
    memory: list[float] = Factory(list)
    files: list[int] = Factory(list)
    database: list[float] = Factory(list)

    def look(self, minutes: float) -> None:
        """Note how things are."""
        processes = family(self.running.program.process.pid)
        sizes = [file.stat().st_size for file in self.running.data_directory.glob("service.db*")]
        self.minutes.append(minutes)
        self.memory.append(sum(memory_mib(pid) for pid in processes))
        self.files.append(sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in processes))
        self.database.append(sum(sizes) / MEBIBYTE)

    def after_start(self) -> list[tuple[float, float]]:
        """When memory was looked at, and what it was, after the first five minutes, or a quarter of a short run."""
        over = min(5.0, self.minutes[-1] / 4)
        return [(at, held) for at, held in zip(self.minutes, self.memory, strict=True) if at >= over]

    def slope(self) -> float:
        """How much memory grows once the start is over, in MiB an hour."""
        return statistics.linear_regression(*zip(*self.after_start(), strict=True)).slope * 60

    def table(self, every: float) -> str:
        """The marks, one line for each so many minutes."""
        lines = ["| minute | memory, MiB | open files | database, MiB |", "|---|---|---|---|"]
        due = 0.0
        for at, memory, files, database in zip(self.minutes, self.memory, self.files, self.database, strict=True):
            if at >= due:
                lines.append(f"| {at:.0f} | {memory:.1f} | {files} | {database:.1f} |")
                due += every
        return "\n".join(lines)


@define
class Pace:
    """Lets so many steps a second begin, and never more at a time than there are callers; None for no limit."""

    steps_a_second: float | None = None
    steps: int = 0
    _next: float = 0.0

    async def step(self, done: Awaitable[bool]) -> bool:
        """Wait for the turn of a step, and do it."""
        if self.steps_a_second is not None:
            now = time.monotonic()
            # What a busy machine made late is made up for within a second; all of it would be more than the share.
            self._next = max(now - 1, self._next + 1 / self.steps_a_second)
            await asyncio.sleep(max(0.0, self._next - now))
        self.steps += 1
        return await done


async def work_on(work: Work, pace: Pace, user: User, ends: Callable[[], bool]) -> None:
    """Make a ticket, read it, list what there is, and delete it, over and over."""
    while not ends():
        ticket = user.ticket()
        title = ticket["title"]
        if await pace.step(work.create(user, ticket)):
            await pace.step(work.read(user, title))
        await pace.step(work.look(user))
        await pace.step(work.list(user, "/functions?app=sandbox"))
        await pace.step(work.list(user, "/apps?connected_only=true"))
        if title in work.acknowledged:
            await pace.step(work.delete(user, title))


async def loaded(work: Work, pace: Pace, seconds: float) -> float:
    """Have all users work for so long; how many steps a second there were."""
    began, before = time.monotonic(), pace.steps
    callers = itertools.islice(itertools.cycle(USERS), CALLERS)
    ends = lambda: time.monotonic() >= began + seconds  # noqa: E731
    await asyncio.gather(*(work_on(work, pace, user, ends) for user in callers))
    return (pace.steps - before) / (time.monotonic() - began)


async def look_again(marks: Marks, every: float) -> None:
    """Look at the service until this is cancelled."""
    began = time.monotonic()
    while True:
        marks.look((time.monotonic() - began) / 60)
        seen = f"{marks.memory[-1]:.1f} MiB, {marks.files[-1]} files, {marks.database[-1]:.1f} MiB of database"
        print(f"minute {marks.minutes[-1]:.1f}: {seen}", file=sys.stderr, flush=True)
        await asyncio.sleep(every)


async def soak(here: Place, running: RunningService, minutes: float, measured_seconds: float) -> dict[str, Any]:
    """Load the service for so long, and tell what came of it."""
    marks = Marks(running)
    async with connections(running) as http:
        work = Work(http, running)
        fastest = await loaded(work, Pace(), measured_seconds)
        print(f"{fastest:.0f} steps a second at the most", file=sys.stderr, flush=True)
        watching = asyncio.create_task(look_again(marks, min(60.0, minutes * 6)))
        before = sum(map(processor_seconds, family(running.program.process.pid)))
        reached = await loaded(work, Pace(fastest * SHARE), minutes * 60)
        busy = sum(map(processor_seconds, family(running.program.process.pid))) - before
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
    marks.look(minutes)
    print(marks.table(min(5.0, minutes / 6)))
    print(f"\n{dict(work.counts)} {dict(work.kinds_of_refusal)}", file=sys.stderr)
    ((calls,),) = rows(here.folder, "SELECT count(*) FROM calls")
    return {
        "soak_minutes": minutes,
        "soak_steps": work.counts["sent"],
        "soak_steps_a_second_at_most": round(fastest, 1),
        "soak_steps_a_second": round(reached, 1),
        "soak_cores": round(busy / (minutes * 60), 2),
        "soak_errors": sum(number for kind, number in work.counts.items() if kind not in WELL),
        "soak_wrong_user": len(work.wrong_user),
        "soak_mib_after_start": round(marks.after_start()[0][1], 1),
        "soak_mib_at_end": round(marks.memory[-1], 1),
        "soak_mib_an_hour": round(marks.slope(), 1),
        "soak_open_files_at_end": marks.files[-1],
        "soak_calls_in_log": calls,
        "soak_database_mib": round(marks.database[-1], 1),
    }


def measure(minutes: float, measured_seconds: float) -> dict[str, Any]:
    """The figures of a run of so many minutes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        upgrade(sqlite_url(folder))
        with place(folder, sqlite_url(folder)) as here, here.start([SERVICE_SERVER], {}) as running:
            here.connect(running, USERS)
            return asyncio.run(soak(here, running, minutes, measured_seconds))
