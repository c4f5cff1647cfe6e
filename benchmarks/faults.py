"""
The faults of the part `faults` of `./dev bench reliability`: what each does to the service, its database or the app.

Each lasts some seconds, while users call, and leaves everything as it was.
"""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

from attrs import define, frozen

from benchmarks.disturbed_service import set_clock
from benchmarks.usage import family
from benchmarks.users_at_work import Place
from benchmarks.watched_app import FLOODS, LIES, InTurn, Spoil, carried_out_but, instead
from examples.sandbox_app.messages import Response
from tests.service_server.databases import Kind, database_of
from tests.service_server.onward.name_server import NameServer
from tests.service_server.postgresql import PostgreSQLServer, holding

APP_SECONDS = 3.0  # as long as the service waits for the app here
LOCKED_SECONDS = 12.0  # longer than the service waits for a lock, which is 10 s
JUMP_SECONDS = 2 * 3600.0
Which = Literal["both", "sqlite", "postgresql"]


@define
class Stage:
    """What faults can be done to; `disk` is a small file system with the database on it, where there can be one."""

    here: Place
    clock: Path
    names: NameServer
    restart: Callable[[], Awaitable[None]]
    server: PostgreSQLServer | None = None
    disk: Path | None = None

    @property
    def kind(self) -> Kind:
        """Which database it is."""
        return "sqlite" if self.server is None else "postgresql"


@frozen
class Fault:
    """Something that goes wrong; `strike` does it for some seconds, ends it, and tells when that was."""

    name: str
    strike: Callable[[Stage, float], Awaitable[float]]
    which: Which = "both"

    def concerns(self, stage: Stage) -> bool:
        """Whether it can happen there."""
        return self.which in ("both", stage.kind) and (self.strike is not disk_full or stage.disk is not None)


async def killed(stage: Stage, seconds: float) -> float:
    """The service is killed and started again, three times."""
    for _ in range(2):
        await stage.restart()
        await asyncio.sleep(seconds / 2)
    over = time.monotonic()
    await stage.restart()
    return over


async def disk_full(stage: Stage, seconds: float) -> float:
    """Nothing more fits on the disk of the database; PostgreSQL, if that ended it, is started by its operator."""
    assert stage.disk is not None
    filler = stage.disk / "filler"
    await asyncio.to_thread(_fill, filler)
    try:
        await asyncio.sleep(seconds)
    finally:
        over = time.monotonic()
        filler.unlink()
    if stage.server is not None:
        try:
            await asyncio.to_thread(stage.server.run, "postgres", "SELECT 1")
        except subprocess.CalledProcessError:
            await asyncio.to_thread(stage.server.start)
    return over


def _fill(file: Path) -> None:
    with file.open("wb", buffering=0) as opened:
        for size in (1024 * 1024, 4096):
            with contextlib.suppress(OSError):
                while opened.write(bytes(size)) == size:
                    pass


async def database_locked(stage: Stage, seconds: float) -> float:
    """Another program holds what every call has to write to."""
    if stage.server is None:
        with contextlib.closing(sqlite3.connect(stage.here.folder / "service.db", timeout=30)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await asyncio.sleep(LOCKED_SECONDS)
            other.rollback()
    else:
        with holding(database_of(stage.here.folder), "LOCK TABLE calls IN ACCESS EXCLUSIVE MODE"):
            await asyncio.sleep(LOCKED_SECONDS)
    return time.monotonic()


async def database_stopped(stage: Stage, seconds: float) -> float:
    """The database's processes answer nothing, as on a machine that hangs."""
    assert stage.server is not None
    processes = family(int((stage.server.folder / "data/postmaster.pid").read_text().splitlines()[0]))
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        for pid in processes:
            os.kill(pid, signal.SIGCONT)
    return time.monotonic()


async def database_killed(stage: Stage, seconds: float) -> float:
    """The database ends as by a crash, and is away for a while."""
    assert stage.server is not None
    await asyncio.to_thread(stage.server.stop, "immediate")
    try:
        await asyncio.sleep(seconds)
    finally:
        over = time.monotonic()
        await asyncio.to_thread(stage.server.start)
    return over


async def clock_jumps(stage: Stage, seconds: float) -> float:
    """The clock is two hours ahead, then two hours behind, then right again."""
    for wrong in (JUMP_SECONDS, -JUMP_SECONDS):
        set_clock(stage.clock, wrong)
        await asyncio.sleep(seconds / 2)
    set_clock(stage.clock, 0)
    return time.monotonic()


async def names_gone(stage: Stage, seconds: float) -> float:
    """The name server is silent, then says that there is no such name; addresses are kept for five seconds before."""
    stage.names.state = "silent"
    await asyncio.sleep(5 + seconds / 2)
    stage.names.state = "nothing"
    await asyncio.sleep(seconds / 2)
    stage.names.state = "answers"
    return time.monotonic()


def spoiled(spoil: Spoil) -> Callable[[Stage, float], Awaitable[float]]:
    """The app answers in some way of its own."""

    async def strike(stage: Stage, seconds: float) -> float:
        stage.here.app.spoil = spoil
        await asyncio.sleep(seconds)
        stage.here.app.spoil = None
        return time.monotonic()

    return strike


BREAKS_OFF = InTurn((carried_out_but(delivery="reset"), carried_out_but(delivery="truncated")))
RESETS = instead(Response(500, delivery="reset"))
STALLS = carried_out_but(delay_seconds=2 * APP_SECONDS)

FAULTS = (
    Fault("killed", killed),
    Fault("disk_full", disk_full),
    Fault("database_locked", database_locked),
    Fault("database_stopped", database_stopped, "postgresql"),
    Fault("database_killed", database_killed, "postgresql"),
    Fault("clock_jumps", clock_jumps),
    Fault("names_gone", names_gone),
    Fault("app_lies", spoiled(LIES)),
    Fault("app_stalls", spoiled(STALLS)),
    Fault("app_floods", spoiled(FLOODS)),
    Fault("app_resets", spoiled(RESETS)),
    Fault("app_breaks_off_after_doing_it", spoiled(BREAKS_OFF)),
)
