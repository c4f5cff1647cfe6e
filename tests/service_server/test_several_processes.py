"""Four processes of the service on one PostgreSQL database, as behind a load balancer."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import field, frozen

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import Running, free_port
from tests.service_server.calls.sandbox_controls import make_fault, received
from tests.service_server.commands import forked
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import note_database, rows
from tests.service_server.postgresql import PostgreSQLServer, postgresql_server
from tests.service_server.processes import RunningService, configure_app, create_application

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

PATH = "/functions/sandbox-create-ticket"
TICKETS = "/api/v1/tickets"


@frozen
class Cluster:
    """The processes, the database server and the third-party app beside them."""

    processes: tuple[RunningService, ...]
    server: PostgreSQLServer = field(repr=False)
    sandbox: SandboxApp = field(repr=False)

    @property
    def folder(self) -> Path:
        """The data directory of all."""
        return self.processes[0].data_directory

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What is in the database."""
        return rows(self.folder, query)

    def create(self, number: int, title: str, **headers: str) -> httpx.Response:
        """Have one of the processes create a ticket."""
        with self.processes[number].api("alice", **headers) as api:
            return api.post(PATH, json={"title": title, "project_id": "documentation"})

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.processes[0].program.wait_until(lambda: holds() or None)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """All of it, begun at the same moment on a database without tables and in a folder without a key."""
    folder = tmp_path_factory.mktemp("several")
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(postgresql_server())
        note_database(folder, server.url(server.create()))
        sandbox = stack.enter_context(sandbox_app("http://127.0.0.1:1/oauth/callback"))
        programs = [stack.enter_context(process(folder, sandbox)) for _ in range(4)]
        addresses = [program.first_json_line("url")["url"] for program in programs]
        application = create_application(folder, "Test host")
        variables = {"base_url": sandbox.url}
        configure_app(folder, "sandbox", client_id="x", client_secret="x", variables=variables)
        services = tuple(
            RunningService(url, folder, program, application["app_key"], application["app_secret"])
            for url, program in zip(addresses, programs, strict=True)
        )
        for each in services:
            each.program.answers(f"{each.url}/health")
            each.program.wait_until(lambda each=each: accepts(each) or None)
        connect_by_key(services[0], "alice", sandbox.api_keys["alice"])
        yield Cluster(services, server, sandbox)


@pytest.fixture
def cluster(started: Cluster) -> Cluster:
    """The same, with an app that behaves."""
    httpx.post(f"{started.sandbox.url}/_reset", json={"parts": ["faults", "log"]}, trust_env=False).raise_for_status()
    return started


def process(folder: Path, sandbox: SandboxApp) -> contextlib.AbstractContextManager[Running]:
    """One process; it has a port of its own and everything else in common with the others."""
    allowed = sandbox.url.removeprefix("http://")
    arguments = ["serve", "--port", str(free_port()), "--data-dir", str(folder), "--allow-host", allowed]
    return forked(arguments, env={"SERVICE_DATABASE": (folder / "database-url").read_text()})


def accepts(service: RunningService) -> bool:
    """Whether a process knows the application by now."""
    with service.api("alice") as api:
        return api.get("/apps").status_code == 200


def test_every_process_calls_and_logs(cluster: Cluster) -> None:
    """Calls by any process stand in the one log."""
    answers = [cluster.create(number, f"By process {number}") for number in range(4)]
    identifiers = ", ".join(f"'{answer.headers['request-id']}'" for answer in answers)
    found = cluster.rows(f"SELECT outcome, network_code FROM calls WHERE request_id IN ({identifiers})")

    assert ["201"] * 4 == [answer.json()["network_code"] for answer in answers]
    assert [("finished", "201")] * 4 == found


def test_connecting_spans_processes(cluster: Cluster) -> None:
    """A session that one process opened is ended at another, and whoever waits at a third is told."""
    first, second, third, _ = cluster.processes
    with first.api("bea") as api, third.api("bea") as waiting, ThreadPoolExecutor(1) as pool:
        session = api.post("/apps/sandbox/connect_sessions", json={}).json()
        poll = pool.submit(waiting.get, f"/connect_sessions/{session['id']}", params={"wait": 25})
        assert (
            204
            == httpx.delete(
                f"{second.url}/connect_sessions/{session['id']}", headers=second.headers("bea"), trust_env=False
            ).status_code
        )
        answer = poll.result()

    assert "cancelled" == answer.json()["status"]
    assert connect_by_key(first, "bea", cluster.sandbox.api_keys["bob"], pages=second.url)


def test_one_identity_connected_at_once_is_one_account(cluster: Cluster) -> None:
    """Also when several processes find at the same moment that it is not there yet."""

    def connect(number: int) -> int:
        service = cluster.processes[number % 4]
        return connect_by_key(service, "cleo", cluster.sandbox.api_keys["bob"])

    with ThreadPoolExecutor(8) as pool:
        accounts = set(pool.map(connect, range(8)))

    assert 1 == len(accounts)
    assert [(1,)] == cluster.rows("SELECT count(*) FROM accounts WHERE user_id = 'cleo'")


def test_a_key_raced_by_all_is_used_once(cluster: Cluster) -> None:
    """One process sends the call, the others answer what came back."""
    make_fault(cluster.sandbox, TICKETS, "slow", seconds=1)
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda number: cluster.create(number % 4, "Raced", **{"Idempotency-Key": "race"}), range(8))
        )

    assert 1 == len(received(cluster.sandbox, TICKETS))
    assert 1 == len({answer.content for answer in answers})
    assert 7 == sum(answer.headers.get("idempotency-replayed") == "true" for answer in answers)


def test_a_restart_of_the_database_is_survived(cluster: Cluster) -> None:
    """A call under way ends as if nothing had happened, and each process answers its very next request."""
    make_fault(cluster.sandbox, TICKETS, "slow", seconds=2)
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(cluster.create, 0, "Over the restart")
        cluster.until(lambda: bool(received(cluster.sandbox, TICKETS)))
        cluster.server.restart()
        answers = [cluster.create(number, "After the restart") for number in range(1, 4)]
        first = under_way.result()

    assert ["201"] * 4 == [answer.json()["network_code"] for answer in (first, *answers)]
    query = f"SELECT outcome FROM calls WHERE request_id = '{first.headers['request-id']}'"
    assert [("finished",)] == cluster.rows(query)
    cluster.until(lambda: [(4,)] == cluster.rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))


def test_what_a_killed_process_sent_is_unknown(cluster: Cluster) -> None:
    """Its open mutation is closed by the others, and a repeat told so; those of the others stay open and end well."""
    killed = cluster.processes[3]
    make_fault(cluster.sandbox, TICKETS, "slow", times=2, seconds=15)
    with ThreadPoolExecutor(2) as pool:
        lost = pool.submit(cluster.create, 3, "Lost", **{"Idempotency-Key": "lost"})
        kept = pool.submit(cluster.create, 0, "Kept")
        cluster.until(lambda: 2 == len(received(cluster.sandbox, TICKETS)))
        killed.program.process.kill()
        with pytest.raises(httpx.TransportError):
            lost.result()
        open_calls = "SELECT arguments ->> 'title', outcome FROM calls WHERE outcome <> 'finished' ORDER BY 1"
        cluster.until(lambda: [("Kept", "started"), ("Lost", "unknown")] == cluster.rows(open_calls))
        repeated = cluster.create(1, "Lost", **{"Idempotency-Key": "lost"})
        assert not kept.done()
        answer = kept.result()

    assert ("502", "outcome_unknown") == (repeated.json()["network_code"], repeated.json()["output"]["error"])
    assert "201" == answer.json()["network_code"]
    assert [("Lost", "unknown")] == cluster.rows(open_calls)
    assert [(3,)] == cluster.rows("SELECT count(*) FROM processes")
