"""
What the service stands: generated requests, faults of all kinds, and half an hour of load.

    ./dev bench reliability [--only requests|faults|soak] [--requests 20000] [--seed 1] [--seconds 6]
        [--database sqlite postgresql] [--fault NAME …] [--minutes 30]

Each part prints a table, and has a module of its own: `generated`, `faults_under_load` and `soak`.
"""

import argparse
import json
import sys
from typing import Any

from benchmarks import faults_under_load, generated, soak
from benchmarks.faults import FAULTS
from tests.service_server.postgresql import programs

PARTS = ("requests", "faults", "soak")
KINDS = ("sqlite", "postgresql")
NAMES = [fault.name for fault in FAULTS]


def main(options: argparse.Namespace) -> int:
    """Run the parts that were asked for; 0 if all of their goals are met."""
    figures: dict[str, Any] = {}
    goals: dict[str, Any] = {}
    if "requests" in options.only:
        figures |= generated.measure(options.requests, options.seed)
        goals |= generated.GOALS
    if "faults" in options.only:
        if "postgresql" in options.database and programs() is None:
            print("PostgreSQL is not installed; on Debian: apt install postgresql", file=sys.stderr)
            return 2
        figures |= faults_under_load.measure(options.database, options.fault, options.seconds)
        goals |= faults_under_load.GOALS
    if "soak" in options.only:
        figures |= soak.measure(options.minutes, options.measured_seconds)
        goals |= soak.GOALS
    met = all(figures[name] <= goal for name, goal in goals.items())
    print(json.dumps({"name": "reliability", "figures": figures, "goals": goals, "met": met}))
    return 0 if met else 1


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--requests", type=int, default=20_000, help="generated ones, at least")
    parser.add_argument("--seed", type=int, help="of the generated requests; made up and printed without it")
    parser.add_argument("--database", nargs="+", choices=KINDS, default=KINDS, help="for the faults")
    parser.add_argument("--fault", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--seconds", type=float, default=6, help="that most faults last")
    parser.add_argument("--minutes", type=float, default=30, help="of load, in the part soak")
    parser.add_argument("--measured-seconds", type=float, default=30, help="for the most that the service can do")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse()))
