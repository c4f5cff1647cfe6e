"""
What watching the service costs: calls a second with metrics and traces off and on, beside a build that tells no events.

A query goes through the service to an upstream (nginx) that answers at once, with the log at its usual level. `untold`
is the service without the events of calls, the pseudonyms and the request's id in the log; `off` the service as it is;
`metrics` has them fetched, `by_default` also sends them, with the traces of some requests, to a collector (nginx, which
takes anything): what an operator gets who names the collector and nothing else. `all_traces` sends those of all.
All are loaded in turns, and compared with their neighbours of the same round. Since the machine's other work takes more
from one than from another, the goals are for calls a second of the processor; those of the clock stand beside them.
`./dev bench telemetry [--seconds 3] [--rounds 5] [--connections 16]`.
"""

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from attrs import frozen

from benchmarks.call_overhead import ANSWER_BODY, REQUEST_BODY
from benchmarks.load import missing_tools
from benchmarks.processes import nginx, upstream_content
from benchmarks.usage import family, processor_seconds
from benchmarks.whole_service import WholeService, whole_service
from tests.real_apps.running import free_port

GOALS = {"off_to_untold": 0.98, "metrics_to_off": 0.90, "by_default_to_off": 0.90}
_UNTOLD = """
import structlog
from service_server import events
from service_server.vault import Vault
structlog.contextvars.bind_contextvars = lambda **_: {}
events.tell = lambda *_, **__: None
Vault.pseudonym = lambda *_: ""
"""
_SENT = ("by_default", "all_traces")
_SUBJECTS = ("untold", "off", "metrics", *_SENT)


@frozen(kw_only=True)
class Round:
    """One round of load on one service: calls a second of the clock, and of the processor that the service took."""

    of_the_clock: float
    of_the_processor: float
    errors: int


def main() -> int:
    """Measure, and print as the last line one JSON object."""
    parser = argparse.ArgumentParser(prog="telemetry", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3, help="length of one round of each, whole seconds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--watched", nargs="+", choices=_SUBJECTS[2:], default=_SUBJECTS[2:], help="ways to watch it")
    options = parser.parse_args()
    if missing := missing_tools():
        print(missing, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder), options)
    print("| service | calls a second | calls a second of the processor |")
    print("|---" * 3 + "|")
    for name, rounds in measured.items():
        clock = statistics.median(each.of_the_clock for each in rounds)
        print(f"| {name} | {clock:,.0f} | {statistics.median(each.of_the_processor for each in rounds):,.0f} |")
    figures: dict[str, float] = {}
    compared = [("off", "untold"), *((each, "off") for each in _SUBJECTS[2:] if each in measured)]
    for name, beside in compared:
        for suffix, of in (("", "of_the_processor"), ("_by_the_clock", "of_the_clock")):
            pairs = zip(measured[name], measured[beside], strict=True)
            ratio = statistics.median(getattr(mine, of) / getattr(theirs, of) for mine, theirs in pairs)
            figures[f"{name}_to_{beside}{suffix}"] = round(ratio, 3)
    figures["errors"] = sum(each.errors for rounds in measured.values() for each in rounds)
    met = not figures["errors"] and all(figures[name] >= goal for name, goal in GOALS.items() if name in figures)
    print(json.dumps({"name": "telemetry", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def measure(folder: Path, options: argparse.Namespace) -> dict[str, list[Round]]:
    """Load each service in turns."""
    upstream_port, collector_port = free_port(), free_port()
    subjects = (*_SUBJECTS[:2], *options.watched)
    rounds: dict[str, list[Round]] = {name: [] for name in subjects}
    with contextlib.ExitStack() as stack:
        for name, port in (("upstream", upstream_port), ("collector", collector_port)):
            stack.enter_context(nginx(upstream_content(port, ANSWER_BODY), port, folder / name))
        services = {
            name: stack.enter_context(_service(name, upstream_port, collector_port, folder)) for name in subjects
        }
        for service in services.values():
            service.call("find-ticket", REQUEST_BODY).measure(options.connections, 1, folder)
        for number in range(options.rounds):
            # Forwards and backwards, so that none always follows the same one.
            for name in subjects if number % 2 else reversed(subjects):
                rounds[name].append(load(services[name], folder, options))
    return rounds


def _service(
    name: str, upstream_port: int, collector_port: int, folder: Path
) -> contextlib.AbstractContextManager[WholeService]:
    given = ("--log-level", "info")
    if name in ("untold", "off"):
        before = _UNTOLD if name == "untold" else ""
        return whole_service(upstream_port, folder / name, options=given, before=before)
    env = {}
    if name in _SENT:
        env["OTEL_EXPORTER_OTLP_ENDPOINT"] = f"http://127.0.0.1:{collector_port}"
    if name == "all_traces":
        env["OTEL_TRACES_SAMPLER"] = "always_on"
    watched = (*given, "--metrics-port", str(free_port()))
    return whole_service(upstream_port, folder / name, options=watched, env=env)


def load(service: WholeService, folder: Path, options: argparse.Namespace) -> Round:
    """One round."""
    processes = family(service.pid)
    taken, began = sum(map(processor_seconds, processes)), time.perf_counter()
    measured = service.call("find-ticket", REQUEST_BODY).measure(options.connections, options.seconds, folder)
    seconds = time.perf_counter() - began
    cores = (sum(map(processor_seconds, processes)) - taken) / seconds
    rate = measured.requests_per_second
    return Round(of_the_clock=rate, of_the_processor=rate / cores, errors=measured.errors)


if __name__ == "__main__":
    sys.exit(main())
