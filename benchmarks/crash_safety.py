"""
What is lost or done twice when the service is killed: `kill -9` at random moments under load, again and again.

Callers of several kinds (by function, by passthrough, with an idempotency key, queries) call until the service is gone;
then it is started again on the same data directory. What counts is the app's own record of what it was asked to do,
beside the Function Calls log: a lost answer is a call that was answered and whose row doesn't say so; a lost mutation
one that the app got without a row that says *finished* or *unknown*; a doubled mutation one that the app got more than
once, also when its call is repeated with its key afterwards. Only the service is killed, neither the database's server
nor the machine. `./dev bench crash_safety [--kills 100] [--database sqlite postgresql]`.
"""

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import define, field

from service_server.store.clock import timestamp
from service_server.store.migrations import upgrade
from tests.service_server.connecting import connect_by_sign_in
from tests.service_server.databases import sqlite_url
from tests.service_server.killed_service import (
    ROUNDS,
    Installation,
    Load,
    installed,
    killed_under_load,
    outcomes_of,
)
from tests.service_server.postgresql import postgresql_server, programs
from tests.service_server.processes import RunningService

KINDS = ("sqlite", "postgresql")
GOALS = {"lost_answers": 0, "lost_mutations": 0, "doubled_mutations": 0}
USER = "alice"


@define
class Found:
    """What came of all kills on one database."""

    kills: int = 0
    answered: int = 0
    sent: int = 0
    unknown: int = 0
    repeated: int = 0
    lost_answers: int = 0
    lost_mutations: int = 0
    doubled_mutations: int = 0
    start_seconds: list[float] = field(factory=list)


def main(options: argparse.Namespace) -> int:
    """Kill on each kind of database; 0 if nothing was lost or done twice."""
    if "postgresql" in options.database and programs() is None:
        print("PostgreSQL is not installed; on Debian: apt install postgresql", file=sys.stderr)
        return 2
    found = {}
    for kind in options.database:
        with (
            tempfile.TemporaryDirectory() as folder,
            database(kind, Path(folder)) as url,
            installed(Path(folder), url) as installation,
        ):
            found[kind] = asyncio.run(kill_again_and_again(installation, options.kills))
    print("| | " + " | ".join(found) + " |\n|---" + "|---" * len(found) + "|")
    for name in ("kills", "answered", "sent", "unknown", "repeated", *GOALS):
        print(f"| {name} | " + " | ".join(f"{getattr(each, name):,}" for each in found.values()) + " |")
    figures: dict[str, Any] = {
        name: sum(getattr(each, name) for each in found.values())
        for name in ("kills", *GOALS, "answered", "sent", "unknown", "repeated")
    }
    for kind, each in found.items():
        figures[f"{kind}_start_seconds"] = round(statistics.median(each.start_seconds), 2)
    met = all(figures[name] <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "crash_safety", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a new database of a kind."""
    if kind == "sqlite":
        upgrade(sqlite_url(folder))
        yield sqlite_url(folder)
    else:
        with postgresql_server() as server, server.database() as url:
            upgrade(url)
            yield url


async def kill_again_and_again(installation: Installation, kills: int) -> Found:
    """Load, kill, start and look, so many times."""
    found = Found()
    with contextlib.ExitStack() as first:
        running = first.enter_context(installation.start())
        connect_by_sign_in(running, installation.sandbox, USER, USER)
        processes = first.pop_all()
    for number in range(kills):
        before = timestamp()
        load, sent = await killed_under_load(installation, running, *random.choice(ROUNDS))
        processes.close()
        began = time.perf_counter()
        running = processes.enter_context(installation.start())
        found.start_seconds.append(time.perf_counter() - began)
        await asyncio.to_thread(look, installation, running, load, sent, before, found)
        found.kills += 1
        lost = f"{found.lost_answers} answers and {found.lost_mutations} mutations lost"
        print(f"kill {number + 1}: {lost}, {found.doubled_mutations} done twice", file=sys.stderr)
    processes.close()
    return found


def look(
    installation: Installation,
    running: RunningService,
    load: Load,
    sent: Counter[str],
    since: str,
    found: Found,
) -> None:
    """Hold the log against what callers were answered and what the app got, and repeat what has a key."""
    log = installation.log(since)
    found.answered += len(load.answered)
    for call in load.answered:
        row = log.get(call.request_id)
        found.lost_answers += row is None or ("finished", call.network_code) != (row["outcome"], row["network_code"])
    outcomes = outcomes_of(log)
    found.sent += sent.total()
    found.unknown += sum(each == "unknown" for each in outcomes.values())
    found.lost_mutations += sum(outcomes.get(title) not in ("finished", "unknown") for title in sent)
    with running.api(USER) as api:
        for key, ticket in load.unanswered.items():
            answer = api.post("/functions/sandbox-create-ticket", json=ticket, headers={"Idempotency-Key": key})
            found.repeated += answer.status_code == 200
    happened = sent + installation.titles_received()
    found.doubled_mutations += sum(times > 1 for times in happened.values())


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="on each database")
    parser.add_argument("--database", nargs="+", choices=KINDS, default=KINDS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse()))
