"""The metrics of a running service, as Prometheus fetches them."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import bindparam, insert, select

from service_server.store import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import APP_IDS
from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.instruments import Instruments
from service_server.telemetry.measuring import measuring
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import put_empty_database, sqlite_url
from tests.service_server.processes import http
from tests.service_server.telemetry.watched_service import Watched, watched_service

pytestmark = pytest.mark.slow

USER = "somebody@example.com"


@pytest.fixture(scope="module", params=[False, True], ids=["one address", "operators apart"])
def watched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A service in one process, for users and operators at one address or at two."""
    options = ("--admin-port", str(free_port())) if request.param else ()
    with watched_service(tmp_path_factory.mktemp("watched"), *options) as running:
        connect_by_key(running.service, USER, running.sandbox.api_keys["alice"])
        yield running


def test_calls_and_connects_are_counted(watched: Watched) -> None:
    """Executed calls by what the app answered, refused ones by the error's code, with the time of both sides."""
    before = watched.figures()
    watched.sandbox.fault("/api/v1/projects", "answer", status=418, content="{}")
    with watched.service.api(USER) as api:
        answers = [api.post("/functions/sandbox-list-projects") for _ in range(3)]
        refused = api.post("/functions/sandbox-create-ticket", json={})
    with pytest.raises(AssertionError):
        connect_by_key(watched.service, "else", "wrong")
    connect_by_key(watched.service, "else", watched.sandbox.api_keys["bob"])
    counted = {name: value - before.get(name, 0.0) for name, value in watched.figures().items()}

    assert [200, 200, 200, 400] == [each.status_code for each in (*answers, refused)]
    executed = "functions_calls_total{{app=sandbox,code_class={},outcome={},type={}}}"
    assert [2.0, 1.0, 1.0] == [
        counted[executed.format(*labels)]
        for labels in (("2xx", "executed", "query"), ("4xx", "executed", "query"), ("none", "refused", "mutation"))
    ]
    assert 1.0 == counted["functions_refusals_total{app=sandbox,code=required}"]
    for side in ("service", "app"):
        assert 3.0 == counted[f"functions_call_{side}_duration_seconds_count{{app=sandbox,type=query}}"]
        assert 0 < counted[f"functions_call_{side}_duration_seconds_sum{{app=sandbox,type=query}}"]
    route = "http_request_method=POST,http_response_status_code=200,http_route=/functions/{function_name}"
    assert 3.0 == counted[f"http_server_request_duration_seconds_count{{{route}}}"]
    operation = "db_operation_name=commit_soon,db_system_name=sqlite,error_type="
    assert 4.0 == counted[f"db_client_operation_duration_seconds_count{{{operation}}}"]
    hit, miss = (counted[f"functions_credentials_opened_total{{result={result}}}"] for result in ("kept", "unsealed"))
    assert 3 <= hit + miss
    assert 2 <= hit
    connects = "functions_connects_total{{app=sandbox,outcome={}}}"
    assert [1.0, 1.0] == [counted[connects.format(outcome)] for outcome in ("failed", "connected")]


def test_what_is_answered_in_front_of_the_framework_has_its_route(watched: Watched) -> None:
    """Calls, batches, agents and the paths of others' clients, whichever they write; with names in place of names."""
    asked = {
        "//functions/sandbox-list-projects/call": "/functions/{function_name}/call",
        "/functions/sandbox-list-projects/get": "/functions/{function_name}/get",
        "/functions/list": "/functions/list",
        "/functions/predict/": "/functions/predict",
        "/apps/list": "/apps/list",
        "/apps/sandbox/get": "/apps/{app_name}/get",
        "/functions/sandbox-list-projects/batch": "/functions/{function_name}/batch",
        "/functions/sandbox-list-projects/": "/functions/{function_name}",
        "/mcp": "/mcp",
    }
    before = watched.figures()
    with watched.service.api(USER) as api:
        for path in asked:
            api.post(httpx.URL(f"{watched.service.url}{path}"), json={"prompt": 5})  # most refuse this
    name = "http_server_request_duration_seconds_count"
    came = {key for key, value in watched.figures().items() if key.startswith(name) and value > before.get(key, 0.0)}

    assert set(asked.values()) == {key.rpartition("http_route=")[2].removesuffix("}") for key in came}


def test_what_waits_is_told_and_strangers_add_nothing(watched: Watched) -> None:
    """Queues are told while nothing waits, the loop is looked at; no path, method or user becomes a label."""
    with http(watched.service.url) as anybody:
        anybody.request("BREW", "/made-up-by-a-stranger")
        anybody.get("/functions/made-up-by-a-stranger/other")
    figures = watched.figures()

    assert [0.0, 0.0, 0.0] == [
        figures[f"functions_queue_length{{queue={name}}}"] for name in ("budgets", "database_writes", "ends_of_calls")
    ]
    assert 0 < figures["functions_event_loop_lag_seconds_count{}"]
    assert not [name for name in figures for told in ("stranger", "BREW", USER) if told in name]


def test_the_metrics_are_at_their_own_port_only(watched: Watched) -> None:
    """The public address knows nothing of them, and theirs knows nothing of the service."""
    with http(watched.service.url) as public, http(watched.metrics_url.removesuffix("/metrics")) as metrics:
        assert 404 == public.get("/metrics").status_code
        assert [404, 404] == [metrics.get(path).status_code for path in ("/apps", "/console")]
        assert [404, 200] == [metrics.request(method, "/metrics").status_code for method in ("POST", "HEAD")]


def test_the_figures_of_all_workers_are_at_one_port(tmp_path: Path) -> None:
    """Whichever worker is asked, all of them tell; a call is counted once."""
    with watched_service(tmp_path, "--workers", "2") as watched:
        watched.service.program.wait_until(lambda: (len(watched.processes()) == 2) or None)
        connect_by_key(watched.service, USER, watched.sandbox.api_keys["alice"])
        for _ in range(10):
            with watched.service.api(USER) as api:  # a new connection, which either worker takes
                assert api.post("/functions/sandbox-list-projects").is_success

        executed = "functions_calls_total{app=sandbox,code_class=2xx,outcome=executed,type=query}"
        assert [10.0] * 5 == [watched.figures()[executed] for _ in range(5)]


async def test_every_way_to_ask_the_database_is_timed(tmp_path: Path) -> None:
    """Whatever reads or writes is told by the name of the way."""
    put_empty_database(tmp_path)
    made = PreparedStatement(insert(APP_IDS).values(name=bindparam("name")))
    instruments = Instruments.on_a_new_registry()
    with measuring(Figures(instruments), Gauges(instruments)):
        database = Database(sqlite_url(tmp_path))
        await database.open()
        async with database.read(), database.write():
            pass
        await database.fetch(PreparedStatement(select(APP_IDS.c.name)), {})
        await database.commit_soon(made, {"name": "one"})
        await database.commit_together_soon(made, [{"name": "two"}, {"name": "three"}])
        await database.close()

    (family,) = (
        found
        for each in instruments.made
        if each.name == "db.client.operation.duration"
        for found in each.collector.collect()
    )
    assert {"read", "write", "fetch", "commit_soon", "commit_together_soon"} == {
        each.labels["db_operation_name"] for each in family.samples
    }
