"""What a client for one more user costs: `for_user` beside a client of its own, blocking and awaiting."""

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Callable

from service_client import AsyncClient, Client

ADDRESS = "https://functions.example.com"
GOAL = 50


def main() -> int:
    """Measure in turns, so that what disturbs the one disturbs the other, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    rounds = parser.parse_args().rounds
    figures: dict[str, float] = {}
    shared = Client(ADDRESS, app_key="key", secret="secret")
    awaited = AsyncClient(ADDRESS, app_key="key", secret="secret")
    makers: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "blocking": (
            lambda: Client(ADDRESS, app_key="key", secret="secret", user_id="user").close(),
            lambda: shared.for_user("user"),
        ),
        "awaiting": (
            lambda: AsyncClient(ADDRESS, app_key="key", secret="secret", user_id="user"),
            lambda: awaited.for_user("user"),
        ),
    }
    for name, (new, of_user) in makers.items():
        taken = [(_milliseconds(new), _milliseconds(of_user)) for _ in range(rounds)]
        figures[f"{name}_new_ms"] = round(statistics.median(new for new, _ in taken), 3)
        figures[f"{name}_for_user_ms"] = round(statistics.median(of_user for _, of_user in taken), 4)
        figures[f"{name}_ratio"] = round(statistics.median(new / of_user for new, of_user in taken))
    shared.close()
    asyncio.run(awaited.aclose())
    goals = {"blocking_ratio": GOAL, "awaiting_ratio": GOAL}
    met = all(figures[name] >= goal for name, goal in goals.items())
    print(json.dumps({"name": "client_users", "figures": figures, "goals": goals, "met": met}))
    return 0 if met else 1


def _milliseconds(make: Callable[[], object]) -> float:
    began = time.perf_counter()
    make()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    sys.exit(main())
