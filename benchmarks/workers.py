"""
What a second worker adds: calls a second with two workers beside one, and what a call takes of the processor in both.

A query goes through the service to an upstream (nginx) that answers at once, and is logged on SQLite; one service has
one worker and the other two, and both are loaded in turns. The load generator (wrk, one thread) and the upstream run on
the same cores as the workers, so that with two cores twice as many calls are out of reach: `workers_ratio` is what came
of it as it is. Beside it stand the processor's milliseconds that the service took a call, which say whether workers
hinder one another, and how many cores all had: the service, and everything else on the machine. `./dev bench workers
[--seconds 3] [--rounds 5] [--workers 2] [--connections 32]`.
"""

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from attrs import frozen

from benchmarks.call_overhead import ANSWER_BODY, REQUEST_BODY
from benchmarks.load import missing_tools
from benchmarks.processes import nginx, upstream_content
from benchmarks.usage import family, machine_seconds, processor_seconds
from benchmarks.whole_service import WholeService, whole_service
from tests.real_apps.running import free_port

GOALS = {"workers_ratio": 1.4}


@frozen(kw_only=True)
class Round:
    """One round of load on one service: its calls a second and cores taken, and those all else on the machine took."""

    calls_per_second: float
    median_ms: float
    service_cores: float
    other_cores: float
    errors: int

    @property
    def processor_ms(self) -> float:
        """Milliseconds of a processor that the service took for a call."""
        return self.service_cores / self.calls_per_second * 1000


def main() -> int:
    """Measure, and print as the last line one JSON object."""
    parser = argparse.ArgumentParser(prog="workers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3, help="length of one round of each, whole seconds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    if missing := missing_tools():
        print(missing, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        one, several = measure(Path(folder), options)
    ratios = [more.calls_per_second / fewer.calls_per_second for more, fewer in zip(several, one, strict=True)]
    costs = [more.processor_ms / fewer.processor_ms for more, fewer in zip(several, one, strict=True)]
    errors = sum(each.errors for each in (*one, *several))
    print("| workers | calls/s, median (least to most) | p50 ms | processor ms a call | cores: service | all else |")
    print("|---" * 6 + "|")
    for count, rounds in ((1, one), (options.workers, several)):
        rates = [each.calls_per_second for each in rounds]
        cells = [
            f"{statistics.median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})",
            f"{statistics.median(each.median_ms for each in rounds):.1f}",
            f"{statistics.median(each.processor_ms for each in rounds):.3f}",
            f"{statistics.median(each.service_cores for each in rounds):.2f}",
            f"{statistics.median(each.other_cores for each in rounds):.2f}",
        ]
        print(f"| {count} | " + " | ".join(cells) + " |")
    figures = {
        "workers_ratio": round(statistics.median(ratios), 3),
        "workers_ratio_least": round(min(ratios), 3),
        "workers_ratio_most": round(max(ratios), 3),
        "processor_ms_ratio": round(statistics.median(costs), 3),
        "processor_ms_one": round(statistics.median(each.processor_ms for each in one), 3),
        "processor_ms_several": round(statistics.median(each.processor_ms for each in several), 3),
        "cores": os.cpu_count() or 1,
        "service_cores_one": round(statistics.median(each.service_cores for each in one), 2),
        "service_cores_several": round(statistics.median(each.service_cores for each in several), 2),
        "other_cores_several": round(statistics.median(each.other_cores for each in several), 2),
        "errors": errors,
    }
    met = not errors and figures["workers_ratio"] >= GOALS["workers_ratio"]
    print(json.dumps({"name": "workers", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def measure(folder: Path, options: argparse.Namespace) -> tuple[list[Round], list[Round]]:
    """Load the service with one worker and the one with several, in turns."""
    upstream_port = free_port()
    one: list[Round] = []
    several: list[Round] = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(nginx(upstream_content(upstream_port, ANSWER_BODY), upstream_port, folder / "upstream"))
        services = [
            (stack.enter_context(whole_service(upstream_port, folder / f"{count}", count)), rounds)
            for count, rounds in ((1, one), (options.workers, several))
        ]
        for service, _ in services:
            service.call("find-ticket", REQUEST_BODY).measure(options.connections, 1, folder)
        for _ in range(options.rounds):
            for service, rounds in services:
                rounds.append(load(service, folder, options))
    return one, several


def load(service: WholeService, folder: Path, options: argparse.Namespace) -> Round:
    """One round."""
    processes = family(service.pid)
    taken, busy, began = sum(map(processor_seconds, processes)), machine_seconds(), time.perf_counter()
    measured = service.call("find-ticket", REQUEST_BODY).measure(options.connections, options.seconds, folder)
    seconds = time.perf_counter() - began
    own = sum(map(processor_seconds, processes)) - taken
    return Round(
        calls_per_second=measured.requests_per_second,
        median_ms=measured.median_ms,
        service_cores=own / seconds,
        other_cores=(machine_seconds() - busy - own) / seconds,
        errors=measured.errors,
    )


if __name__ == "__main__":
    sys.exit(main())
