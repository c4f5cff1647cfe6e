"""
Whether one user's worst answers keep another one waiting: p99 of small calls beside them, and alone.

The service runs as a process with an app that answers some megabytes of whatever takes the most work, or a few bytes.
One user lists the connected apps again and again, first alone and then while another user asks for one large answer
after the other, each of another kind. What counts is the ratio of the two 99th percentiles; the goal is 2.
`./dev bench fairness [--calls 1000]`.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from tests.service_server.fairness.worst_answers import JSON_ANSWERS, OTHER_ANSWERS
from tests.service_server.hostile_app import HostileApp, called, connect, hostile_app, service_with
from tests.service_server.processes import SERVICE_SERVER, RunningService

GOALS = {"p99_beside_to_alone": 2.0}
HOSTILE_FUNCTIONS = ("read", "read-picked", "read-transformed", "read-offsets")


class Nuisance:
    """Another user, who asks for one large answer after the other, one at a time, until it is stopped."""

    def __init__(self, app: HostileApp, service: RunningService) -> None:
        self.answered = 0
        self.seconds: list[float] = []
        self._app = app
        self._service = service
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._call_on_and_on)

    def __enter__(self) -> "Nuisance":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _call_on_and_on(self) -> None:
        cases = [("application/json", made()) for made in JSON_ANSWERS.values()]
        cases += [(content_type, made()) for content_type, made in OTHER_ANSWERS.values()]
        with self._service.api("nuisance") as api:
            while not self._stopped.is_set():
                content_type, body = cases[self.answered % len(cases)]
                self._app.answers(body, content_type=content_type)
                began = time.perf_counter()
                called(api, HOSTILE_FUNCTIONS[self.answered % len(HOSTILE_FUNCTIONS)]).raise_for_status()
                self.seconds.append(time.perf_counter() - began)
                self.answered += 1


def measure(api: httpx.Client, calls: int) -> list[float]:
    """List the connected apps one time after the other; how long each took, in ms."""
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        api.get("/apps", params={"connected_only": "true"}).raise_for_status()
        times.append((time.perf_counter() - began) * 1000)
    return times


def percentile(times: list[float], hundredth: int) -> float:
    """A percentile of some times."""
    return round(statistics.quantiles(times, n=100)[hundredth - 1], 2)


def main() -> int:
    """Measure, and print as the last line one JSON object."""
    parser = argparse.ArgumentParser(prog="fairness", description=__doc__)
    parser.add_argument("--calls", type=int, default=1000, help="small calls, alone and beside the large ones")
    options = parser.parse_args()
    os.environ["SERVICE_RATE_LIMIT_PER_MINUTE"] = "0"  # the small calls are more than a user makes
    with (
        tempfile.TemporaryDirectory() as folder,
        hostile_app() as app,
        service_with(app, Path(folder), [SERVICE_SERVER]) as service,
        service.api("victim") as api,
    ):
        connect(service, "nuisance")
        measure(api, 100)
        alone = measure(api, options.calls)
        with Nuisance(app, service) as nuisance:
            beside = measure(api, options.calls)
    ratio = round(percentile(beside, 99) / percentile(alone, 99), 2)
    figures = {
        "alone_p50_ms": percentile(alone, 50),
        "alone_p99_ms": percentile(alone, 99),
        "beside_p50_ms": percentile(beside, 50),
        "beside_p99_ms": percentile(beside, 99),
        "p99_beside_to_alone": ratio,
        "large_answers": nuisance.answered,
        "large_answer_seconds": round(statistics.median(nuisance.seconds), 2) if nuisance.seconds else None,
    }
    met = ratio <= GOALS["p99_beside_to_alone"]
    print(json.dumps({"name": "fairness", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
