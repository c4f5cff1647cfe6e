"""
A catalogue of any size: what starting, looking up and listing cost at 1, 10 and 100 times the shipped connectors.

The copies are made in a temporary directory under other names. Beside ours stands the plain way, which reads, checks
and compiles every file at each start. Loading is measured in a process of its own each time, the rest through the
running service. `./dev bench catalogue [--sizes 1 10 100] [--rounds 5]`.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from service_server.catalog.connector_folder import load_folder
from service_server.catalog.folders import connector_folders
from service_server.catalog.load import SHIPPED, load_catalog
from tests.service_server.processes import RunningService, create_application, service

GOALS = {"largest_load_seconds": 1.0, "largest_lookup_ratio": 2.0, "largest_listing_ratio": 2.0}
PROMPT = "list the open issues of acme/web"
# Files that have just been written are read again, since their times can't be relied on yet.
SETTLING_SECONDS = 2.5


def main(options: argparse.Namespace) -> int:
    """Measure every size; 0 if the goals are met."""
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            directory = Path(folder, f"times-{size}")
            copy_connectors(directory, size)
            figures[str(size)] = measured(directory, Path(folder), options.rounds)
            print(json.dumps({size: figures[str(size)]}), file=sys.stderr)
            shutil.rmtree(directory)
    first, last = figures[str(options.sizes[0])], figures[str(options.sizes[-1])]
    reached = {
        "largest_load_seconds": last["warm_load_seconds"],
        "largest_lookup_ratio": round(last["function_ms"] / first["function_ms"], 2),
        "largest_listing_ratio": round(last["functions_page_ms"] / first["functions_page_ms"], 2),
    }
    met = all(reached[name] <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "catalogue", "figures": {**reached, "sizes": figures}, "goals": GOALS, "met": met}))
    return 0 if met else 1


def copy_connectors(directory: Path, size: int) -> None:
    """Write the shipped connectors so many times; the copies' names end in a number."""
    for number in range(size):
        for folder in connector_folders(SHIPPED, []):
            name = folder.name if number == 0 else f"{folder.name}_{number}"
            shutil.copytree(folder, directory / name)
            file = directory / name / "connector.yaml"
            file.write_text(re.sub(r"(?m)^name: .*$", f"name: {name}", file.read_text(), count=1))
    time.sleep(SETTLING_SECONDS)


def measured(directory: Path, folder: Path, rounds: int) -> dict[str, float]:
    """Measure one size."""
    cache = folder / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    eager, cold = (in_process(kind, directory, cache) for kind in ("eager", "load"))
    warm = [in_process("load", directory, cache) for _ in range(rounds)]
    load = statistics.median(each["seconds"] for each in warm)
    return {
        "apps": cold["apps"],
        "functions": cold["functions"],
        "eager_load_seconds": eager["seconds"],
        "eager_megabytes": eager["megabytes"],
        "cold_load_seconds": cold["seconds"],
        "warm_load_seconds": round(load, 4),
        "warm_megabytes": statistics.median(each["megabytes"] for each in warm),
        "eager_to_warm": round(eager["seconds"] / load, 1),
        **of_service(directory, folder, cache),
    }


def in_process(kind: str, directory: Path, cache: Path) -> dict[str, float]:
    """Load a catalogue in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.catalogue", "--load", kind, str(directory), str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def load(kind: str, directory: Path, cache: Path) -> None:
    """Load a catalogue, and print how long it took and how much memory it holds."""
    before, began = resident_megabytes(), time.perf_counter()
    if kind == "eager":
        connectors = [load_folder(folder)[0] for folder in connector_folders(directory, [])]
        apps, functions = len(connectors), sum(len(each.functions) for each in connectors if each is not None)
        kept: Any = connectors
    else:
        kept = load_catalog([directory], cache)
        apps, functions = len(kept.connectors), 0
    seconds, after = time.perf_counter() - began, resident_megabytes()
    if kind != "eager":
        functions = len(kept.function_names)
    megabytes = round(after - before, 1)
    print(json.dumps({"seconds": round(seconds, 4), "megabytes": megabytes, "apps": apps, "functions": functions}))


def of_service(directory: Path, folder: Path, cache: Path) -> dict[str, float]:
    """Start the service on a directory of connectors in place of the shipped ones, and ask it."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    application = create_application(data, "Benchmark")
    # The shipped ones are there anyway, so that the directory holds them under another name each.
    for copied in list(connector_folders(SHIPPED, [])):
        shutil.rmtree(directory / copied.name)
    environment = {"SERVICE_CACHE_DIR": str(cache)}
    starts = []
    for _ in range(3):  # the first one fills the cache and numbers the apps
        began = time.perf_counter()
        with service(data, "--connectors", str(directory), application=application, env=environment) as running:
            starts.append(time.perf_counter() - began)
            if len(starts) == 3:
                return {"start_seconds": round(starts[-1], 2), **answers(running)}
    raise AssertionError


def answers(running: RunningService) -> dict[str, float]:
    """Ask a service for what it lists, finds and predicts; the medians in ms."""
    with running.api("someone") as api:
        first = api.get("/functions").json()
        names = [function["name"] for function in first["functions"]]
        deep = {"cursor": first["cursor"]}
        predict = {"predict_function": "true", "prompt": PROMPT}
        found = {
            "first_names_ms": milliseconds(lambda: api.get("/functions", params={"type": "query"}), 1),
            "functions_page_ms": milliseconds(lambda: api.get("/functions", params=deep)),
            "function_ms": milliseconds(lambda: api.get(f"/functions/{names[7]}")),
            "apps_page_ms": milliseconds(lambda: api.get("/apps")),
            "first_prediction_ms": milliseconds(lambda: api.get("/functions", params=predict, timeout=120), 1),
            "prediction_ms": milliseconds(lambda: api.get("/functions", params=predict)),
        }
    return found | {"service_megabytes": resident_megabytes(running.program.process.pid)}


def milliseconds(ask: Callable[[], httpx.Response], times: int = 30) -> float:
    """The median time of a request in ms."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        ask().raise_for_status()
        took.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(took), 2)


def resident_megabytes(process: int | str = "self") -> float:
    """How much memory a process holds, in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return round(int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024, 1)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 100], help="times the shipped connectors")
    parser.add_argument("--rounds", type=int, default=5, help="of warm loads")
    parser.add_argument("--load", nargs=3, metavar=("KIND", "DIRECTORY", "CACHE"), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    given = parse()
    if given.load:
        load(given.load[0], Path(given.load[1]), Path(given.load[2]))
        sys.exit()
    sys.exit(main(given))
