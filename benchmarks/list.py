"""
What a page of functions costs beside a call: requests a second of `GET /functions` and of a query, in turns.

The call goes through the service to an upstream (nginx) that answers at once, and is logged; the page is the first one
of all functions, 50 of them. Both over 32 connections to one process. `./dev bench list [--seconds 2] [--rounds 5]
[--connections 32]`.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.call_overhead import ANSWER_BODY, REQUEST_BODY
from benchmarks.load import Measurement, missing_tools
from benchmarks.processes import nginx, upstream_content
from benchmarks.whole_service import whole_service
from tests.real_apps.running import free_port

GOALS = {"list_ratio": 0.7}


def main() -> int:
    """Measure, and print as the last line one JSON object."""
    parser = argparse.ArgumentParser(prog="list", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2, help="length of one round of each, whole seconds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    if missing := missing_tools():
        print(missing, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder), options)
    rates = {name: [each.requests_per_second for each in rounds] for name, rounds in measured.items()}
    ratios = [page / call for page, call in zip(rates["page"], rates["call"], strict=True)]
    errors = sum(each.errors for rounds in measured.values() for each in rounds)
    print("| | requests/s, median (least to most) | p50 ms |\n|---|---|---|")
    for name, rounds in measured.items():
        shown = f"{statistics.median(rates[name]):,.0f} ({min(rates[name]):,.0f} to {max(rates[name]):,.0f})"
        print(f"| {name} | {shown} | {statistics.median(each.median_ms for each in rounds):.2f} |")
    figures = {
        "list_ratio": round(statistics.median(ratios), 3),
        "list_ratio_least": round(min(ratios), 3),
        "list_ratio_most": round(max(ratios), 3),
        "list_requests_per_second": round(statistics.median(rates["page"])),
        "call_requests_per_second": round(statistics.median(rates["call"])),
        "errors": errors,
    }
    met = not errors and figures["list_ratio"] >= GOALS["list_ratio"]
    print(json.dumps({"name": "list", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def measure(folder: Path, options: argparse.Namespace) -> dict[str, list[Measurement]]:
    """Load one service with the one and the other, in turns."""
    upstream_port = free_port()
    with (
        nginx(upstream_content(upstream_port, ANSWER_BODY), upstream_port, folder / "upstream"),
        whole_service(upstream_port, folder / "service") as service,
    ):
        requests = {"page": service.page_of_functions(), "call": service.call("find-ticket", REQUEST_BODY)}
        for each in requests.values():
            each.measure(1, 1, folder)  # what is made when it is first used is there by then
        measured: dict[str, list[Measurement]] = {name: [] for name in requests}
        for _ in range(options.rounds):
            for name, request in requests.items():
                measured[name].append(request.measure(options.connections, options.seconds, folder))
        return measured


if __name__ == "__main__":
    sys.exit(main())
