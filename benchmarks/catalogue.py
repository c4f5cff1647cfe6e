"""
A catalogue of any size: what starting, looking up and listing cost at 1, 10 and 100 times the shipped connectors.

The copies are made in a temporary directory under other names. Beside ours stands the plain way, which reads, checks
and compiles every file at each start. Loading is measured in a process of its own each time, the rest through the
running service, in turns with a service that has only the shipped connectors, so that what else the machine does hits
both. `./dev bench catalogue [--sizes 1 10 100] [--rounds 5] [--no-eager] [--requests 60] [--copied N]
[--cache DIRECTORY]`.
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
from pathlib import Path
from typing import Any

import httpx

from service_server.catalog.folders import connector_folders
from service_server.catalog.load import SHIPPED, load_catalog, load_connector
from tests.service_server.processes import SERVICE_SERVER, RunningService, create_application, service

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
            copy_connectors(directory, size, options.copied)
            figures[str(size)] = measured(directory, Path(folder), options)
            print(json.dumps({size: figures[str(size)]}), file=sys.stderr)
            shutil.rmtree(directory)
    last = figures[str(options.sizes[-1])]
    reached = {
        "largest_load_seconds": last["warm_load_seconds"],
        "largest_lookup_ratio": last["function_ratio"],
        "largest_listing_ratio": last["functions_page_ratio"],
    }
    met = all(reached[name] <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "catalogue", "figures": {**reached, "sizes": figures}, "goals": GOALS, "met": met}))
    return 0 if met else 1


def copy_connectors(directory: Path, size: int, copied: int | None, *, first: int = 0) -> None:
    """Write the first few shipped connectors, or all, so many times; names end in a number, but those of number 0."""
    for number in range(first, first + size):
        for folder in list(connector_folders(SHIPPED, []))[:copied]:
            name = folder.name if number == 0 else f"{folder.name}_{number}"
            shutil.copytree(folder, directory / name)
            file = directory / name / "connector.yaml"
            file.write_text(re.sub(r"(?m)^name: .*$", f"name: {name}", file.read_text(), count=1))
    time.sleep(SETTLING_SECONDS)


def measured(directory: Path, folder: Path, options: argparse.Namespace) -> dict[str, float]:
    """Measure one size."""
    cache = options.cache or folder / "cache"
    if not options.cache:
        shutil.rmtree(cache, ignore_errors=True)
    cold = in_process("load", directory, cache)
    warm = [in_process("load", directory, cache) for _ in range(options.rounds)]
    load = statistics.median(each["seconds"] for each in warm)
    found = {
        "apps": cold["apps"],
        "functions": cold["functions"],
        "cold_load_seconds": cold["seconds"],
        "warm_load_seconds": round(load, 4),
        "warm_megabytes": statistics.median(each["megabytes"] for each in warm),
    }
    if options.eager:
        eager = in_process("eager", directory, cache)
        found |= {"eager_load_seconds": eager["seconds"], "eager_megabytes": eager["megabytes"]}
        found["eager_to_warm"] = round(eager["seconds"] / load, 1)
    return found | of_service(directory, folder, cache, options.requests)


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
        connectors = [load_connector(folder)[0] for folder in connector_folders(directory, [])]
        apps, functions = len(connectors), sum(len(each.functions) for each in connectors if each is not None)
        kept: Any = connectors
    else:
        kept = load_catalog([directory], cache)
        apps, functions = len(kept.connectors), 0
    seconds, after = time.perf_counter() - began, resident_megabytes()
    if kind != "eager":
        functions = len(kept.names())
    megabytes = round(after - before, 1)
    print(json.dumps({"seconds": round(seconds, 4), "megabytes": megabytes, "apps": apps, "functions": functions}))


def of_service(directory: Path, folder: Path, cache: Path, requests: int) -> dict[str, float]:
    """Ask a service that has the copies beside the shipped connectors, and one that has only these."""
    data, other_data = folder / "data", folder / "other"
    applications = []
    for each in (data, other_data):
        shutil.rmtree(each, ignore_errors=True)
        each.mkdir()
        applications.append(create_application(each, "Benchmark"))
    for shipped in list(connector_folders(SHIPPED, [])):
        shutil.rmtree(directory / shipped.name, ignore_errors=True)  # they are there anyway
    environment = {"SERVICE_CACHE_DIR": str(cache)}
    options = ("--connectors", str(directory))
    with service(data, *options, application=applications[0], env=environment, program=[SERVICE_SERVER]):
        pass  # the apps have their numbers now
    began = time.perf_counter()
    with service(data, *options, application=applications[0], env=environment, program=[SERVICE_SERVER]) as large:
        middle = time.perf_counter()
        with service(other_data, application=applications[1], env=environment, program=[SERVICE_SERVER]) as small:
            starts = (middle - began, time.perf_counter() - middle)
            return {"start_seconds": round(starts[0], 2), "start_seconds_shipped": round(starts[1], 2)} | answers(
                large, small, requests
            )


def answers(large: RunningService, small: RunningService, requests: int) -> dict[str, float]:
    """Ask two services in turns for what they list, find and predict; medians in ms, and how they compare."""
    with large.api("someone") as api, small.api("someone") as other:
        first = milliseconds((api, other), "/functions", {"type": "query"}, 1)
        name = other.get("/functions").json()["functions"][7]["name"]
        predict = {"predict_function": "true", "prompt": PROMPT}
        asked = {
            "functions_page": milliseconds((api, other), "/functions", {}, requests),
            "function": milliseconds((api, other), f"/functions/{name}", {}, requests),
            "apps_page": milliseconds((api, other), "/apps", {}, requests),
            "first_prediction": milliseconds((api, other), "/functions", predict, 1),
            "prediction": milliseconds((api, other), "/functions", predict, requests),
        }
    found = {"first_names_ms": first[0]}
    for what, (ours, theirs) in asked.items():
        found |= {f"{what}_ms": ours, f"{what}_ratio": round(ours / theirs, 2)}
    return found | {"service_megabytes": resident_megabytes(large.program.process.pid)}


def milliseconds(
    clients: tuple[httpx.Client, ...], path: str, parameters: dict[str, str], times: int
) -> tuple[float, ...]:
    """The median time in ms of a request to each of the services, which take turns."""
    took: list[list[float]] = [[] for _ in clients]
    for _ in range(times):
        for client, times_taken in zip(clients, took, strict=True):
            began = time.perf_counter()
            client.get(path, params=parameters, timeout=300).raise_for_status()
            times_taken.append((time.perf_counter() - began) * 1000)
    return tuple(round(statistics.median(each), 2) for each in took)


def resident_megabytes(process: int | str = "self") -> float:
    """How much memory a process holds, in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return round(int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024, 1)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 100], help="times the shipped connectors")
    parser.add_argument("--rounds", type=int, default=5, help="of warm loads")
    parser.add_argument("--no-eager", dest="eager", action="store_false", help="leave out the plain way, which is slow")
    parser.add_argument("--requests", type=int, default=60, help="of each kind to each service")
    parser.add_argument("--copied", type=int, help="only so many of the shipped connectors")
    parser.add_argument("--cache", type=Path, help="what services have read of the shipped connectors before")
    parser.add_argument("--load", nargs=3, metavar=("KIND", "DIRECTORY", "CACHE"), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    given = parse()
    if given.load:
        load(given.load[0], Path(given.load[1]), Path(given.load[2]))
        sys.exit()
    sys.exit(main(given))
