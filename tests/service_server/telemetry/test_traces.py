"""The traces of a running service: from a request over the steps of its calls to the app and the database."""

from collections.abc import Iterator
from typing import Any

import pytest

from service_server.telemetry.tracing import STEPS
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key
from tests.service_server.telemetry.watched_service import Watched, watched_service

pytestmark = pytest.mark.slow

USER = "somebody@example.com"
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture(scope="module", params=[False, True], ids=["one address", "operators apart"])
def traced(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A service that prints its spans, for users and operators at one address or at two."""
    options = ("--admin-port", str(free_port())) if request.param else ()
    environment = {"OTEL_TRACES_EXPORTER": "console", "OTEL_SERVICE_NAME": "traced"}
    with watched_service(tmp_path_factory.mktemp("traced"), *options, env=environment) as running:
        connect_by_key(running.service, USER, running.sandbox.api_keys["alice"])
        yield running


def spans_of(traced: Watched, trace: str) -> dict[str, dict[str, Any]]:
    """The spans of a trace by their ids, once the one of its request has ended."""

    def found() -> dict[str, dict[str, Any]] | None:
        spans = [each for each in traced.service.program.json_lines() if "context" in each]
        ours = {each["context"]["span_id"]: each for each in spans if each["context"]["trace_id"] == f"0x{trace}"}
        return ours if any(each["kind"] == "SpanKind.SERVER" for each in ours.values()) else None

    return traced.service.program.wait_until(found)


def call(traced: Watched, function: str, trace: str, flags: str = "01", **arguments: Any) -> str:
    """Call a function within a trace; the id of the request."""
    with traced.service.api(USER) as api:
        headers = {"traceparent": f"00-{trace}-{PARENT}-{flags}"}
        answer = api.post(f"/functions/{function}", json=arguments, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.headers["request-id"]


def test_a_trace_leads_from_the_request_to_the_app_and_the_database(traced: Watched) -> None:
    """
    A caller's trace goes on: request, call, each step, and below the steps what is sent and asked; the log names it.

    Neither a user's id, nor an argument, nor a credential, nor a path at the app is in any span.
    """
    request_id = call(traced, "sandbox-create-ticket", TRACE, title="Very private", project_id="office")
    spans = spans_of(traced, TRACE)

    names = {each["name"]: each for each in spans.values()}
    request = names["POST /functions/{function_name}"]
    of_call = names["call sandbox-create-ticket"]
    assert (f"0x{PARENT}", "SpanKind.SERVER") == (request["parent_id"], request["kind"])
    assert request_id == request["attributes"]["functions.request_id"]
    assert request["context"]["span_id"] == of_call["parent_id"]
    steps = {*STEPS, "usable_credentials"} - {"keep_budget"}  # the app has none
    assert {of_call["context"]["span_id"]} == {names[step]["parent_id"] for step in steps}
    sent = names["POST"]
    assert (names["send_in_order"]["context"]["span_id"], "SpanKind.CLIENT", 201) == (
        sent["parent_id"],
        sent["kind"],
        sent["attributes"]["http.response.status_code"],
    )
    assert names["record_end"]["context"]["span_id"] in {
        each["parent_id"] for each in spans.values() if each["attributes"].get("db.operation.name") == "commit_soon"
    }
    assert "traced" == request["resource"]["attributes"]["service.name"]
    for secret in (USER, "Very private", traced.sandbox.api_keys["alice"], "/api/v1/tickets"):
        assert secret not in str(spans)
    executed, lines = ("call.executed", request_id), traced.service.program.json_lines
    (line,) = traced.service.program.wait_until(
        lambda: [each for each in lines() if executed == (each.get("event"), each.get("request_id"))] or None
    )
    assert TRACE == line["trace_id"]


def test_a_trace_that_is_not_sampled_has_no_spans(traced: Watched) -> None:
    """The caller's decision counts."""
    unsampled, sampled = f"3{TRACE[1:]}", f"4{TRACE[1:]}"
    call(traced, "sandbox-list-projects", unsampled, flags="00")
    call(traced, "sandbox-list-projects", sampled)
    spans_of(traced, sampled)

    spans = [line for line in traced.service.program.output().splitlines() if '"context"' in line]
    assert unsampled not in "".join(spans)
