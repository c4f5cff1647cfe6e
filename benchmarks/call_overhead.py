"""
What a call through Python costs beside nginx, and which ASGI server and HTTP client cost least.

Everything runs on this machine in one run, in short interleaved rounds, so that noise meets all alike; compare the
ratios, not the figures of different runs. `./dev bench call_overhead [--seconds 1] [--rounds 3] [--python PYTHON]`:
PYTHON is an interpreter with further libraries (aiohttp, uvicorn, uvloop, httptools) for the hand-written proxies.
"""

import argparse
import contextlib
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.load import Measurement, Repeated, missing_tools
from benchmarks.processes import (
    nginx,
    reverse_proxy_content,
    running,
    upstream_content,
)
from benchmarks.whole_service import whole_service
from tests.real_apps.running import free_port

REQUEST_BODY = '{"title": "Printer on fire", "project": 7, "urgent": true}'
ANSWER_BODY = '{"id": 4711, "title": "Printer on fire", "project": 7, "urgent": true, "state": "open"}'
CONNECTIONS = (1, 8, 32)

# (server, client): every client on the likeliest servers, every server with the fastest client.
PROXIES = (
    ("granian_embedded", "pyreqwest"),
    ("granian_embedded", "sender"),
    ("granian_embedded", "aiohttp"),
    ("granian_embedded", "httpx"),
    ("granian_embedded_uvloop", "pyreqwest"),
    ("granian_embedded_uvloop", "sender"),
    ("granian_worker", "pyreqwest"),
    ("granian_worker_uvloop", "pyreqwest"),
    ("uvicorn", "pyreqwest"),
    ("uvicorn_uvloop", "pyreqwest"),
    ("uvicorn_uvloop", "sender"),
    ("uvicorn_uvloop", "aiohttp"),
    ("uvicorn_uvloop", "httpx"),
)
BARE = tuple(f"{server}+{client}" for server, client in PROXIES if client != "sender")
OUR_SERVER = "uvicorn_uvloop"
# At 32 connections; what a call takes longer than without us is seen at one. `guarded_to_bare` is what is left of a
# bare proxy's throughput once hosts, addresses, headers and sizes are checked, on our own server.
AT_LEAST = {
    "guarded_to_bare_at_32": 0.6,
    "nginx_ratio": 0.10,
    "starlette_httpx_ratio": 15,
    "starlette_aiohttp_ratio": 0.6,
    "sender_ratio": 0.5,
}
AT_MOST = {"added_p50_ms_query": 0.5, "added_p50_ms_mutation": 0.8, "p99_over_p50": 3}
PEERS = {
    "nginx_ratio": "nginx",
    "starlette_httpx_ratio": f"{OUR_SERVER}+httpx",
    "starlette_aiohttp_ratio": f"{OUR_SERVER}+aiohttp",
    "sender_ratio": f"{OUR_SERVER}+sender",
}


class Skipped(Exception):
    """A subject can't run here; the text says why."""


@frozen
class Bench:
    """What every subject is started with: the upstream's port, a folder of its own, the proxies' interpreter."""

    upstream_port: int
    folder: Path
    python: str

    @property
    def upstream(self) -> str:
        """The URL that every subject passes its calls on to."""
        return f"http://127.0.0.1:{self.upstream_port}/tickets"


@contextlib.contextmanager
def direct(bench: Bench) -> Iterator[Repeated]:
    """No proxy at all."""
    yield Repeated(bench.upstream, REQUEST_BODY, {"Content-Type": "application/json"})


@contextlib.contextmanager
def nginx_proxy(bench: Bench) -> Iterator[Repeated]:
    """Nginx as a reverse proxy that adds a header."""
    port = free_port()
    with nginx(reverse_proxy_content(port, bench.upstream_port), port, bench.folder / "nginx"):
        yield Repeated(f"http://127.0.0.1:{port}/tickets", REQUEST_BODY, {"Content-Type": "application/json"})


def bare_proxy(server: str, client: str) -> Callable[[Bench], contextlib.AbstractContextManager[Repeated]]:
    """A hand-written proxy in Python."""

    @contextlib.contextmanager
    def start(bench: Bench) -> Iterator[Repeated]:
        check = f"from benchmarks.bare_proxy import *; print(*missing_libraries({server!r}, {client!r}))"
        missing = subprocess.run([bench.python, "-c", check], capture_output=True, text=True, check=True).stdout.split()
        if missing:
            raise Skipped(f"not installed: {', '.join(missing)}")
        port = free_port()
        command = [bench.python, "-m", "benchmarks.bare_proxy", server, client, str(port), bench.upstream]
        with running(command, port, log=bench.folder / f"{server}-{client}.log"):
            yield Repeated(f"http://127.0.0.1:{port}/tickets", REQUEST_BODY, {"Content-Type": "application/json"})

    return start


def service(function: str) -> Callable[[Bench], contextlib.AbstractContextManager[Repeated]]:
    """The whole service, in the project's own interpreter."""

    @contextlib.contextmanager
    def start(bench: Bench) -> Iterator[Repeated]:
        with whole_service(bench.upstream_port, bench.folder / function) as running_service:
            yield running_service.call(function, REQUEST_BODY)

    return start


SUBJECTS: dict[str, Callable[[Bench], contextlib.AbstractContextManager[Repeated]]] = {
    "direct": direct,
    "nginx": nginx_proxy,
    **{f"{server}+{client}": bare_proxy(server, client) for server, client in PROXIES},
    "service+mutation": service("create-ticket"),
    "service+query": service("find-ticket"),
}


def measure_all(
    python: str, seconds: float, rounds: int, only: Sequence[str]
) -> tuple[dict[str, dict[int, list[Measurement]]], dict[str, str]]:
    """Start every subject, then load them in turn; give the measurements and the skipped ones with their reasons."""
    skipped: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        upstream_port = free_port()
        stack.enter_context(nginx(upstream_content(upstream_port, ANSWER_BODY), upstream_port, folder / "upstream"))
        bench = Bench(upstream_port, folder, python)
        posts: dict[str, Repeated] = {}
        for name, start in SUBJECTS.items():
            if only and name not in only:
                continue
            try:
                posts[name] = stack.enter_context(start(bench))
            except Skipped as reason:
                skipped[name] = str(reason)
        for post in posts.values():
            post.measure(8, 1, folder)  # warm up
        results: dict[str, dict[int, list[Measurement]]] = {name: {c: [] for c in CONNECTIONS} for name in posts}
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            for connections in CONNECTIONS:
                for name, post in posts.items():
                    results[name][connections].append(post.measure(connections, seconds, folder))
    return results, skipped


def fastest_bare_proxy(results: dict[str, dict[int, list[Measurement]]]) -> str | None:
    """Name the hand-written proxy that passed on most at 8 connections."""
    rates = {
        name: statistics.median(m.requests_per_second for m in results[name][8]) for name in BARE if name in results
    }
    return max(rates, key=rates.__getitem__, default=None)


def summarise(results: dict[str, dict[int, list[Measurement]]]) -> dict[str, dict[str, float]]:
    """Reduce the rounds to medians, and put each beside nginx and the fastest bare Python proxy of the same load."""
    barest = fastest_bare_proxy(results)
    figures: dict[str, dict[str, float]] = {}
    for name, by_connections in results.items():
        figures[name] = {"errors": sum(m.errors for rounds in by_connections.values() for m in rounds)}
        for connections, rounds in by_connections.items():
            rate = statistics.median(m.requests_per_second for m in rounds)
            figures[name][f"requests_per_second_at_{connections}"] = round(rate, 1)
            for label, value in (
                ("p50_ms", statistics.median(m.median_ms for m in rounds)),
                ("p99_ms", statistics.median(m.percentile_99_ms for m in rounds)),
            ):
                figures[name][f"{label}_at_{connections}"] = round(value, 3)
            for label, peer in (("to_nginx", "nginx"), ("to_barest", barest)):
                if peer in results:
                    # The ratio of each round's neighbours, not of the medians: they met the same noise.
                    ratios = [
                        mine.requests_per_second / theirs.requests_per_second
                        for mine, theirs in zip(rounds, results[peer][connections], strict=True)
                    ]
                    figures[name][f"{label}_at_{connections}"] = round(statistics.median(ratios), 3)
    return figures


def of_a_call(results: dict[str, dict[int, list[Measurement]]]) -> dict[str, float]:
    """Tell what a query through the service is beside its peers, and what a call takes longer than without it."""
    found: dict[str, float] = {}
    query = results.get("service+query")
    for name, peer in PEERS.items():
        if query and peer in results:
            rounds = zip(query[32], results[peer][32], strict=True)
            found[name] = statistics.median(q.requests_per_second / p.requests_per_second for q, p in rounds)
    if query:
        found["p99_over_p50"] = statistics.median(each.percentile_99_ms / each.median_ms for each in query[32])
    for kind in ("query", "mutation"):
        if {"direct", f"service+{kind}"} <= set(results):
            rounds = zip(results[f"service+{kind}"][1], results["direct"][1], strict=True)
            found[f"added_p50_ms_{kind}"] = statistics.median(ours.median_ms - none.median_ms for ours, none in rounds)
    return {name: round(value, 3) for name, value in found.items()}


def guarded_to_bare(results: dict[str, dict[int, list[Measurement]]]) -> dict[str, float]:
    """Tell for every server what share of the bare client's throughput the service's sender keeps."""
    shares = {}
    for server in dict.fromkeys(server for server, _ in PROXIES):
        guarded, bare = results.get(f"{server}+sender"), results.get(f"{server}+pyreqwest")
        if guarded and bare:
            rounds = zip(guarded[32], bare[32], strict=True)
            shares[server] = round(
                statistics.median(g.requests_per_second / b.requests_per_second for g, b in rounds), 3
            )
    return shares


def print_table(figures: dict[str, dict[str, float]], skipped: dict[str, str]) -> None:
    """Print the figures for people."""
    head = [f"{what} @{c}" for c in CONNECTIONS for what in ("req/s", "p50 ms", "× nginx", "× barest")]
    print("| subject | " + " | ".join(head) + " | errors |")
    print("|---" * (len(head) + 2) + "|")
    for name, row in figures.items():
        cells = [
            f"{row.get(f'{key}_at_{c}', float('nan')):,.{digits}f}"
            for c in CONNECTIONS
            for key, digits in (("requests_per_second", 0), ("p50_ms", 3), ("to_nginx", 3), ("to_barest", 2))
        ]
        print(f"| {name} | " + " | ".join(cells) + f" | {row['errors']:.0f} |")
    for name, reason in skipped.items():
        print(f"skipped {name}: {reason}")


def main() -> int:
    """Run the benchmark, print the table and, as the last line, one JSON object."""
    parser = argparse.ArgumentParser(prog="call_overhead", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1, help="length of one round of one subject, whole seconds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", default=sys.executable, help="interpreter of the hand-written proxies")
    parser.add_argument("--only", action="append", default=[], choices=sorted(SUBJECTS), help="run just these subjects")
    options = parser.parse_args()
    if missing := missing_tools():
        print(missing, file=sys.stderr)
        return 2
    results, skipped = measure_all(options.python, options.seconds, options.rounds, options.only)
    figures = summarise(results)
    print_table(figures, skipped)
    guarded, ratios = guarded_to_bare(results), of_a_call(results)
    print(f"fastest bare proxy: {fastest_bare_proxy(results)}; guarded to bare at 32 connections: {guarded}")
    print("; ".join(f"{name} {value}" for name, value in ratios.items()))
    judged = {**ratios, **({"guarded_to_bare_at_32": guarded[OUR_SERVER]} if OUR_SERVER in guarded else {})}
    met = not any(row["errors"] for row in figures.values())
    met = met and all(judged.get(name, 0.0) >= goal for name, goal in AT_LEAST.items())
    met = met and all(judged.get(name, math.inf) <= goal for name, goal in AT_MOST.items())
    report = {**figures, **ratios, "guarded_to_bare_at_32": guarded, "skipped": skipped}
    print(json.dumps({"name": "call_overhead", "figures": report, "goals": {**AT_LEAST, **AT_MOST}, "met": met}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
