"""
What connect sessions cost that are waited for: processor time of the service beside what it takes when nobody waits.

Many users have their connect windows open at once, and each page asks how its session stands by a long-poll. In
between nothing happens, so waiting should cost next to nothing: the limit beside us is the idle service. At the end all
sessions are cancelled, and every page must be told. `./dev bench waiting_sessions [--sessions 400] [--seconds 15]
[--database sqlite postgresql]`.
"""

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from attrs import frozen

from benchmarks.usage import processor_seconds
from tests.service_server.databases import note_database
from tests.service_server.postgresql import postgresql_server, programs
from tests.service_server.processes import SERVICE_SERVER, RunningService, create_application, service

KINDS = ("sqlite", "postgresql")
WAIT_SECONDS = 25
SETTLING_SECONDS = 3.0
# Of a core, for 400 sessions; one look a session and second took 0.22 on PostgreSQL.
GOAL = 0.05


@frozen
class Waiting:
    """Shares of a core, idle and while sessions are waited for, and how many pages were told the end."""

    idle: float
    waiting: float
    told: int


async def main(options: argparse.Namespace) -> int:
    """Measure on each kind of database; 0 if waiting costs little and everybody was told."""
    if "postgresql" in options.database and programs() is None:
        print("PostgreSQL is not installed; on Debian: apt install postgresql", file=sys.stderr)
        return 2
    measured = {}
    for kind in options.database:
        with tempfile.TemporaryDirectory() as folder, running(kind, Path(folder)) as here:
            measured[kind] = await measure(here, options.sessions, options.seconds)
        found = measured[kind]
        print(f"{kind}: {found.waiting:.4f} of a core while waited for, {found.idle:.4f} idle; {found.told} told")
    figures = {
        f"{kind}_{name}": value
        for kind, found in measured.items()
        for name, value in (
            ("idle_core", round(found.idle, 4)),
            ("waiting_core", round(found.waiting, 4)),
            ("told", found.told),
        )
    }
    met = all(found.waiting - found.idle <= GOAL and found.told == options.sessions for found in measured.values())
    goals = {"waiting_core_beyond_idle": GOAL, "told": options.sessions}
    print(json.dumps({"name": "waiting_sessions", "figures": figures, "goals": goals, "met": met}))
    return 0 if met else 1


@contextlib.contextmanager
def running(kind: str, folder: Path) -> Iterator[RunningService]:
    """The service on a new database of a kind."""
    with contextlib.ExitStack() as stack:
        if kind == "postgresql":
            server = stack.enter_context(postgresql_server())
            note_database(folder, stack.enter_context(server.database()))
        application = create_application(folder, "Host")
        yield stack.enter_context(service(folder, application=application, program=[SERVICE_SERVER]))


async def measure(here: RunningService, sessions: int, seconds: float) -> Waiting:
    """Shares of a core before and while sessions are waited for; then all of them end."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=here.url, limits=limits, timeout=60, trust_env=False) as http:
        users = [here.headers(f"user {number}") for number in range(sessions)]
        opened = [await http.post("/apps/sandbox/connect_sessions", json={}, headers=user) for user in users]
        paths = [f"/connect_sessions/{answer.raise_for_status().json()['id']}" for answer in opened]
        settling = min(SETTLING_SECONDS, seconds)
        await asyncio.sleep(settling)
        idle = await share(here, seconds)
        pages = [asyncio.create_task(ending(http, path, user)) for path, user in zip(paths, users, strict=True)]
        await asyncio.sleep(settling)
        waiting = await share(here, seconds)
        for path, user in zip(paths, users, strict=True):
            (await http.delete(path, headers=user)).raise_for_status()
        told = await asyncio.gather(*pages)
    return Waiting(idle, waiting, told.count("cancelled"))


async def ending(http: httpx.AsyncClient, path: str, user: dict[str, str]) -> str:
    """What a page is told in the end; it asks again as long as nothing has happened."""
    while True:
        answer = await http.get(path, params={"wait": WAIT_SECONDS}, headers=user)
        status: str = answer.raise_for_status().json()["status"]
        if status != "pending":
            return status


async def share(here: RunningService, seconds: float) -> float:
    """How much of a core the service's process takes in a while."""
    before, began = processor_seconds(here.program.process.pid), time.perf_counter()
    await asyncio.sleep(seconds)
    return (processor_seconds(here.program.process.pid) - before) / (time.perf_counter() - began)


def parsed_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=15.0, help="Measured each time; at most 20.")
    parser.add_argument("--database", nargs="+", choices=KINDS, default=KINDS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(parsed_options())))
