"""
Whether expired tokens are renewed exactly once, whoever asks at once: the token endpoint's own count beside ours.

Kinto behind `oidc-provider`, which rotates refresh tokens and ends the whole grant when one comes a second time: a
single renewal too many kills the account. In each round the access token is left to expire, and then all calls are
released at once, spread over the service's processes. The limit beside us is the number of expiries: fewer renewals
are impossible, more are too many. `./dev bench refresh_race [--expiries 20] [--calls 200] [--processes 1]
[--database sqlite|postgresql] [--lifetime 12]`.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from attrs import define, field

from service_client import AsyncClient, ServiceError
from tests.real_apps.kinto_world import KintoWorld, allowed_hosts, create_companies, kinto_world
from tests.service_server.postgresql import postgresql_server
from tests.service_server.processes import UNLIMITED, RunningService, service

FUNCTION = "kinto-list-buckets"
USER = "busy"


@define
class Rounds:
    """What came of all rounds."""

    calls: int = 0
    failures: int = 0
    seconds: list[float] = field(factory=list)


async def main(options: argparse.Namespace) -> int:
    """Run all rounds; 0 if there was one renewal an expiry and no call failed."""
    with (
        database(options.database),
        tempfile.TemporaryDirectory() as folder,
        kinto_world(Path(folder), access_token_seconds=options.lifetime) as world,
        more(world, options) as others,
    ):
        world.connect(USER, USER)
        with world.client(USER) as client:
            create_companies(client, "crm")
        addresses = [world.service.url, *(other.url for other in others)]
        rounds, renewed = await run(world, addresses, options)
    return report(options, rounds, renewed)


@contextlib.contextmanager
def database(kind: str) -> Iterator[None]:
    """Let every command and process started from here use a database of this kind."""
    if kind == "sqlite":
        yield
        return
    with postgresql_server() as server, server.database() as url:
        os.environ["SERVICE_DATABASE"] = url
        yield


@contextlib.contextmanager
def more(world: KintoWorld, options: argparse.Namespace) -> Iterator[list[RunningService]]:
    """Further processes of the service on the same data."""
    running = world.service
    application = {"app_key": running.app_key, "app_secret": running.app_secret}
    hosts = allowed_hosts(world.provider, world.kinto)
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(service(running.data_directory, *hosts, application=application, env=UNLIMITED))
            for _ in range(options.processes - 1)
        ]


async def run(world: KintoWorld, addresses: list[str], options: argparse.Namespace) -> tuple[Rounds, int]:
    """Let the token expire and release the calls, again and again; also how many renewals the provider counted."""
    rounds = Rounds()
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(world.front.async_client(USER, address)) for address in addresses]
        before = renewals(world)
        for number in range(options.expiries):
            await asyncio.sleep(options.lifetime + 0.2)
            began = time.perf_counter()
            answers = await asyncio.gather(*(call(clients[each % len(clients)]) for each in range(options.calls)))
            rounds.seconds.append(time.perf_counter() - began)
            rounds.calls += len(answers)
            rounds.failures += answers.count(False)
            said = f"round {number + 1}: {renewals(world) - before} renewals, {rounds.failures} failures"
            print(f"{said}, {rounds.seconds[-1]:.1f} s", file=sys.stderr)
        return rounds, renewals(world) - before


def renewals(world: KintoWorld) -> int:
    """How many times the provider has renewed an access token."""
    return world.token_requests().count(("grant.success", "refresh_token"))


async def call(client: AsyncClient) -> bool:
    """Call once; whether the app answered well."""
    try:
        code = (await client.functions.call(FUNCTION)).network_code
    except (ServiceError, httpx.HTTPError) as error:
        code = str(error)
    if code != "200":
        print(f"failed: {code}", file=sys.stderr)
    return code == "200"


def report(options: argparse.Namespace, rounds: Rounds, renewed: int) -> int:
    """Print what came of it."""
    figures = {
        "calls": rounds.calls,
        "expiries": options.expiries,
        "refreshes": renewed,
        "failures": rounds.failures,
        "refreshes_per_expiry": renewed / options.expiries,
        "processes": options.processes,
        "database": options.database,
        "round_seconds": round(statistics.median(rounds.seconds), 2),
    }
    met = renewed == options.expiries and rounds.failures == 0
    goals = {"refreshes_per_expiry": 1, "failures": 0}
    print(json.dumps({"name": "refresh_race", "figures": figures, "goals": goals, "met": met}))
    return 0 if met else 1


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expiries", type=int, default=20)
    parser.add_argument("--calls", type=int, default=200, help="released at once after each expiry")
    parser.add_argument("--processes", type=int, default=1, help="of the service, on one database")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--lifetime", type=int, default=12, help="seconds an access token lives, more than a round")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(parse())))
