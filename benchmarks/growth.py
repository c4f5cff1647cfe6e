"""
Whether anything slows down as a service grows: the same requests where it holds little and where it holds much.

Few are 10³ accounts, the shipped functions and 10⁴ rows of the log; many 10⁶, 10⁵ and 10⁷.
Each kind of database has two services, whose tables are filled by a statement each, and every request goes to both in
turns. The figure of an operation is its median at many over its median at few; of several pages of the console the
worst counts, and the slowest in milliseconds: any filter's first page is to come within 100. It takes a quarter of an
hour and some gigabytes. `./dev bench growth [--accounts 1000000] [--functions 100000] [--log-rows 10000000]
[--rounds 40] [--database sqlite postgresql]`.
"""

import argparse
import contextlib
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
from attrs import field, frozen

from benchmarks.catalogue import copy_connectors
from benchmarks.filling import fill
from service_server.catalog.load import SHIPPED, load_catalog
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator, browser
from tests.service_server.databases import database_of, note_database
from tests.service_server.postgresql import postgresql_server, programs
from tests.service_server.processes import UNLIMITED, RunningService, configure_app, create_application, service

KINDS = ("sqlite", "postgresql")
GOALS = {"growth": 1.5, "slowest_page_ms": 100}
USER = "alice"
FEW_ACCOUNTS, FEW_LOG_ROWS = 1_000, 10_000
NAMES = ("list", "get", "call", "console", "refresh", "connect")


@frozen
class Subject:
    """A running service with its app, as its users and an operator meet it."""

    running: RunningService
    sandbox: SandboxApp
    api: httpx.Client
    operator: OperatorBrowser
    _numbers: Iterator[int] = field(factory=itertools.count)

    def get(self, path: str) -> None:
        """Ask as a user."""
        self.api.get(path).raise_for_status()

    def call(self) -> None:
        """Call a query."""
        assert self.api.post("/functions/sandbox-list-projects").raise_for_status().json()["network_code"] == "200"

    def look(self, page: str) -> None:
        """Open a page of the console."""
        self.operator.page(page)

    def connect(self) -> None:
        """Connect the account of a new user."""
        connect_by_key(self.running, f"new user {next(self._numbers)}", self.sandbox.api_keys["bob"])


# What is done, by the figure it counts for; `before` is not measured.
Operation = tuple[str, Callable[[Subject], None], Callable[[Subject], None]]


def _nothing(_: Subject) -> None:
    pass


def _page(path: str) -> Operation:
    return ("console", lambda subject: subject.look(path), _nothing)


def _filter(path: str) -> Operation:
    """A page that reads up to so many rows, and so takes longer where there are as many; what counts is how long."""
    return ("filter", lambda subject: subject.look(path), _nothing)


OPERATIONS: dict[str, Operation] = {
    "list": ("list", lambda subject: subject.get("/functions"), _nothing),
    "list of a type": ("list", lambda subject: subject.get("/functions?type=mutation"), _nothing),
    "list of apps": ("list", lambda subject: subject.get("/apps"), _nothing),
    "list of connected apps": ("list", lambda subject: subject.get("/apps?connected_only=true"), _nothing),
    "get": ("get", lambda subject: subject.get("/functions/sandbox-create-ticket"), _nothing),
    "get an app": ("get", lambda subject: subject.get("/apps/sandbox"), _nothing),
    "call": ("call", lambda subject: subject.call(), _nothing),
    "console: overview": _page("/console"),
    "console: calls": _page("/console/calls"),
    "console: a user's calls": _page("/console/calls?user=user7"),
    "console: a function's calls": _page("/console/calls?function=sandbox-create-ticket"),
    "console: failed calls": _page("/console/calls?outcome=failed"),
    "filter: an app's failed calls of a user": _filter("/console/calls?app=sandbox&user=user7&outcome=failed"),
    "filter: an application's 4xx": _filter("/console/calls?application=1&code=4xx"),
    "filter: a function's 5xx": _filter("/console/calls?function=sandbox-get-ticket&app=sandbox&code=5xx"),
    "filter: a function that never fails": _filter("/console/calls?function=sandbox-list-projects&outcome=failed"),
    "filter: good calls of an hour": _filter("/console/calls?application=1&outcome=succeeded&since=2h&until=1h"),
    "filter: a request": _filter("/console/calls?request=request4711&application=1"),
    "filter: nobody's calls": _filter("/console/calls?user=nobody&application=1&outcome=succeeded"),
    "console: charts of weeks": _page("/console?range=weeks"),
    "console: unknown outcomes": _page("/console/calls?outcome=unknown"),
    "console: refused calls": _page("/console/calls/refused"),
    "console: apps": _page("/console/apps"),
    "console: an app": _page("/console/apps/sandbox"),
    "console: applications": _page("/console/applications"),
    "refresh": ("refresh", lambda subject: subject.call(), lambda subject: subject.sandbox.expire_tokens()),
    "connect": ("connect", lambda subject: subject.connect(), _nothing),
}


def main(options: argparse.Namespace) -> int:
    """Measure on each kind of database; 0 if nothing slows down by more than half, and every page comes soon."""
    if "postgresql" in options.database and programs() is None:
        print("PostgreSQL is not installed; on Debian: apt install postgresql", file=sys.stderr)
        return 2
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        cache = options.cache or folder / "cache"
        functions = copied_functions(folder / "connectors", options.functions, cache)
        figures["functions"] = functions
        figures["functions_seconds"] = round(time.monotonic() - began, 1)
        for kind in options.database:
            (folder / kind).mkdir()
            with subjects(kind, folder, cache, options, figures) as (few, many):
                medians = measure(few, many, options.rounds)
            print(f"\n| {kind} | ms at few | ms at many | ratio |\n|---|---|---|---|")
            for operation, (at_few, at_many) in medians.items():
                print(f"| {operation} | {at_few:.2f} | {at_many:.2f} | {at_many / at_few:.2f} |")
                counted = f"{kind}_{OPERATIONS[operation][0]}"
                figures[counted] = max(figures.get(counted, 0.0), round(at_many / at_few, 2))
                if OPERATIONS[operation][0] in ("console", "filter"):
                    figures["slowest_page_ms"] = max(figures.get("slowest_page_ms", 0.0), round(at_many, 1))
    worst = max(figures[f"{kind}_{name}"] for kind in options.database for name in NAMES)
    figures = {"growth": worst, **figures}
    met = all(figures[name] <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "growth", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def copied_functions(directory: Path, wanted: int, cache: Path) -> int:
    """
    Copy the shipped connectors until there are so many functions with them; how many there are then.

    They are read here for the first time, as an operator's own are when they come: later starts find them kept.
    """
    directory.mkdir()
    shipped = len(load_catalog([SHIPPED], cache).names())
    times = max(0, -(-wanted // shipped) - 1)
    if times:
        copy_connectors(directory, times, None, first=1)
    return len(load_catalog([SHIPPED, directory], cache).names())


@contextlib.contextmanager
def subjects(
    kind: str, folder: Path, cache: Path, options: argparse.Namespace, figures: dict[str, float]
) -> Iterator[tuple[Subject, Subject]]:
    """Two services on a kind of database: with few rows and functions, and with many."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(postgresql_server()) if kind == "postgresql" else None
        made = []
        for size, accounts, log_rows in (
            ("few", FEW_ACCOUNTS, FEW_LOG_ROWS),
            ("many", options.accounts, options.log_rows),
        ):
            data = folder / kind / size
            data.mkdir()
            if server is not None:
                note_database(data, stack.enter_context(server.database()))
            application = create_application(data, "Benchmark")
            seconds = fill(database_of(data), accounts, log_rows)
            figures[f"{kind}_filling_seconds_{size}"] = round(seconds, 1)
            print(f"{kind}: {accounts:,} accounts and {log_rows:,} calls in {seconds:.0f} s", file=sys.stderr)
            connectors = ("--connectors", str(folder / "connectors")) if size == "many" else ()
            environment = {**UNLIMITED, "SERVICE_CACHE_DIR": str(cache)}
            made.append(stack.enter_context(subject(data, application, connectors, environment)))
        yield made[0], made[1]


@contextlib.contextmanager
def subject(
    data: Path, application: dict[str, str], options: tuple[str, ...], environment: dict[str, str]
) -> Iterator[Subject]:
    """Serve beside a sandbox app, with an account of the user and an operator."""
    port = free_port()
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as sandbox:
        variables = {"base_url": sandbox.url}
        client_id, secret = sandbox.client_id, sandbox.client_secret
        configure_app(data, "sandbox", client_id=client_id, client_secret=secret, variables=variables)
        options = (*options, "--allow-host", sandbox.url.removeprefix("http://"))
        with (
            service(data, *options, port=port, application=application, env=environment) as running,
            running.api(USER) as api,
        ):
            add_operator(running, "ada")
            operator = browser(running)
            with operator.http:
                operator.sign_in("ada")
                connect_by_sign_in(running, sandbox, USER, USER)
                yield Subject(running, sandbox, api, operator)


def measure(few: Subject, many: Subject, rounds: int) -> dict[str, tuple[float, float]]:
    """Do everything with both in turns; the medians in ms, after one that isn't counted."""
    medians = {}
    for name, (_, operation, before) in OPERATIONS.items():
        took: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds + 1):
            for each, times in zip((few, many), took, strict=True):
                before(each)
                began = time.perf_counter()
                operation(each)
                if number:
                    times.append((time.perf_counter() - began) * 1000)
        medians[name] = (statistics.median(took[0]), statistics.median(took[1]))
        print(f"{name}: {medians[name][0]:.2f} and {medians[name][1]:.2f} ms", file=sys.stderr)
    return medians


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accounts", type=int, default=1_000_000)
    parser.add_argument("--functions", type=int, default=100_000, help="with the shipped ones; these are few")
    parser.add_argument("--log-rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=40, help="of each operation, with both")
    parser.add_argument("--database", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--cache", type=Path, help="what services have read of the shipped connectors before")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse()))
