"""
How long the service takes from its start to its first answer, and how much memory its processes hold.

The answer is that to a signed `GET /functions`, on a data directory that was served from before; the very first start,
which reads all connectors, is told as `new_first_answer_ms`. Beside it stand an application of Litestar on uvicorn with
one route, and a Python that does nothing. Memory is the proportional set size (PSS) after a first prediction with the
installed model: `first_process_mib` of `serve`, and `further_process_mib`, by how much all processes together grow with
one more worker. `./dev bench startup [--rounds 5] [--workers 2]`.
"""

import argparse
import contextlib
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, field

from benchmarks.usage import family, has_mapped, memory_mib
from service_client.models import sign
from service_server.settings import default_model_directory
from tests.real_apps.running import Running, free_port, running
from tests.service_server.processes import SERVICE_SERVER, create_application

GOALS = {"first_answer_ms": 1200.0, "first_process_mib": 170.0, "further_process_mib": 80.0}
USER = "someone"
PROMPT = "list%20the%20open%20issues%20of%20acme/web"
PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.002
# What a process loads for its first prediction, and for nothing else.
_MODEL_RUNTIME = "onnxruntime"

_BARE = """
import sys
import uvicorn
from litestar import Litestar, get

@get("/functions")
async def functions() -> dict[str, list[str]]:
    return {"functions": []}

uvicorn.run(Litestar([functions]), port=int(sys.argv[1]), loop="uvloop", http="httptools", log_level="critical")
"""


@define
class Starts:
    """Milliseconds to the first answer by subject, and MiB held by the number of workers."""

    milliseconds: dict[str, list[float]] = field(factory=dict)
    mebibytes: dict[int, list[float]] = field(factory=dict)

    def note(self, subject: str, milliseconds: float) -> None:
        """Add how long a start took."""
        self.milliseconds.setdefault(subject, []).append(milliseconds)


def main() -> int:
    """Measure, and print as the last line one JSON object."""
    parser = argparse.ArgumentParser(prog="startup", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2, help="memory is measured with one more, too")
    parser.add_argument("--no-further", dest="further", action="store_false", help="start no further worker")
    options = parser.parse_args()
    if not (default_model_directory() / "manifest.json").exists():
        print("The model is not installed; run: service-server model install", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        starts = measure(Path(folder), options)
    figures = summarise(starts, options.workers)
    print_table(starts, figures)
    met = all(figures.get(name, goal) <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "startup", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def measure(folder: Path, options: argparse.Namespace) -> Starts:
    """Start everything in turns; memory is looked at each time."""
    application = create_application(folder, "Benchmark")
    headers = {
        "App-Key": application["app_key"],
        "User-ID": USER,
        "Hash": sign(USER, application["app_secret"]),
    }
    starts = Starts()
    with serving(folder, 1, headers) as (milliseconds, _, _):
        starts.note("new", milliseconds)
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
        starts.note("python", milliseconds_of_python())
        starts.note("bare", milliseconds_of_bare())
        for workers in dict.fromkeys([1, options.workers, options.workers + options.further]):
            with serving(folder, workers, headers) as (milliseconds, program, port):
                starts.note(f"{workers}", milliseconds)
                predict_everywhere(program.process.pid, port, headers, workers)
                held = sum(memory_mib(each) for each in family(program.process.pid))
                starts.mebibytes.setdefault(workers, []).append(held)
    return starts


@contextlib.contextmanager
def serving(folder: Path, workers: int, headers: dict[str, str]) -> Iterator[tuple[float, Running, int]]:
    """Serve; gives the milliseconds to the first answer, the program and its port."""
    port = free_port()
    command: list[str | Path] = [SERVICE_SERVER, "serve", "--data-dir", folder, "--port", str(port)]
    with answering([*command, "--workers", str(workers), "--log-level", "error"], port, headers) as (took, program):
        yield took, program, port


@contextlib.contextmanager
def answering(command: Sequence[str | Path], port: int, headers: dict[str, str]) -> Iterator[tuple[float, Running]]:
    """Run a server; gives the milliseconds from its start to its first answer, and the program."""
    began = time.perf_counter()
    with running(command) as program:
        while get(port, "/functions", headers) != 200:
            if program.process.poll() is not None or time.perf_counter() - began > PATIENCE_SECONDS:
                raise RuntimeError(f"{command!r} did not start:\n{program.output()}")
            time.sleep(_POLL_SECONDS)
        yield (time.perf_counter() - began) * 1000, program


def get(port: int, path: str, headers: dict[str, str]) -> int | None:
    """The status of an answer that came whole; None where nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except ConnectionError:
        return None
    finally:
        connection.close()


def milliseconds_of_python() -> float:
    """How long a Python takes that does nothing."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return (time.perf_counter() - began) * 1000


def milliseconds_of_bare() -> float:
    """How long an application takes that has one route and nothing else."""
    port = free_port()
    with answering([sys.executable, "-c", _BARE, str(port)], port, {}) as (milliseconds, _):
        return milliseconds


def predict_everywhere(pid: int, port: int, headers: dict[str, str], workers: int) -> None:
    """Have every worker answer a prediction; a new connection each time, since nobody chooses who takes it."""
    deadline = time.perf_counter() + PATIENCE_SECONDS
    while sum(has_mapped(each, _MODEL_RUNTIME) for each in family(pid)) < workers:
        if time.perf_counter() > deadline:
            raise RuntimeError("not every worker has made a prediction")
        if get(port, f"/functions?predict_function=true&prompt={PROMPT}", headers) != 200:
            raise RuntimeError("a prediction failed")


def summarise(starts: Starts, workers: int) -> dict[str, float]:
    """Reduce the rounds to medians."""
    median = {name: round(statistics.median(times)) for name, times in starts.milliseconds.items()}
    figures = {
        "first_answer_ms": median["1"],
        "workers_first_answer_ms": median[f"{workers}"],
        "new_first_answer_ms": median["new"],
        "bare_first_answer_ms": median["bare"],
        "python_ms": median["python"],
        "first_answer_to_bare": round(median["1"] / median["bare"], 2),
        "first_process_mib": round(statistics.median(starts.mebibytes[1]), 1),
        "workers_mib": round(statistics.median(starts.mebibytes[workers]), 1),
    }
    if workers + 1 in starts.mebibytes:
        pairs = zip(starts.mebibytes[workers + 1], starts.mebibytes[workers], strict=True)
        figures["further_process_mib"] = round(statistics.median(more - fewer for more, fewer in pairs), 1)
    return figures


def print_table(starts: Starts, figures: dict[str, float]) -> None:
    """Print the figures for people."""
    print("| start | ms, median (least to most) |\n|---|---|")
    for name, times in starts.milliseconds.items():
        shown = f"serve, workers: {name}" if name.isdigit() else name
        print(f"| {shown} | {statistics.median(times):,.0f} ({min(times):,.0f} to {max(times):,.0f}) |")
    print("\n| memory, PSS | MiB, median (least to most) |\n|---|---|")
    for workers, held in starts.mebibytes.items():
        print(f"| workers: {workers} | {statistics.median(held):.1f} ({min(held):.1f} to {max(held):.1f}) |")
    print(f"| a further worker | {figures.get('further_process_mib', 'not measured')} |")


if __name__ == "__main__":
    sys.exit(main())
