"""What is sent to a collector, and one that doesn't answer."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from service_server.telemetry.providers import TRACED_A_SECOND
from tests.service_server.connecting import connect_by_key
from tests.service_server.http_app import Answering, answering
from tests.service_server.telemetry.watched_service import watched_service

LIMIT_SECONDS = 9
"""Less than OpenTelemetry waits for a collector by itself."""


@define
class Collector:
    """What it has received, by path."""

    url: str
    received: dict[str, list[bytes]] = field(factory=dict)


@pytest.fixture
def collector() -> Iterator[Collector]:
    """Takes what is sent by OTLP."""
    kept: dict[str, list[bytes]] = {}

    class Handler(Answering):
        def respond(self) -> None:
            kept.setdefault(self.path, []).append(self.content())
            self.answer(200, b"", {})

    with answering(Handler) as url:
        yield Collector(url, kept)


@pytest.mark.slow
def test_traces_and_metrics_are_sent_to_a_collector(collector: Collector, tmp_path: Path) -> None:
    """An endpoint of OTLP gets both, at the latest when the service ends: of traces ten a second."""
    with watched_service(tmp_path, env={"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}) as watched:
        connect_by_key(watched.service, "somebody", watched.sandbox.api_keys["alice"])
        with watched.service.api("somebody") as api:
            began = time.monotonic()
            for number in range(60):
                headers = {"traceparent": f"00-0af7651916cd43dd8448eb211c80{number:04}-b7ad6b7169203331-01"}
                assert api.post("/functions/sandbox-list-projects", headers=headers).is_success
            seconds = int(time.monotonic() - began) + 2  # as many may have begun
        watched.service.program.process.terminate()
        assert 0 == watched.service.program.process.wait(LIMIT_SECONDS)

    spans = [
        (span.name, span.trace_id.hex())
        for body in collector.received["/v1/traces"]
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    figures = {
        metric.name
        for body in collector.received["/v1/metrics"]
        for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }
    traces = {trace for name, trace in spans if name == "call sandbox-list-projects"}
    assert 0 < len(traces) <= TRACED_A_SECOND * seconds
    assert traces == {trace for name, trace in spans if name == "record_end"}
    assert {"functions.calls", "functions.call.app.duration", "functions.queue.length"} <= figures


@pytest.mark.slow
def test_a_collector_that_does_not_answer_keeps_nothing_waiting(tmp_path: Path) -> None:
    """Calls are answered, and the service ends in its own time."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with watched_service(tmp_path, env={"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}) as watched:
            connect_by_key(watched.service, "somebody", watched.sandbox.api_keys["alice"])
            with watched.service.api("somebody") as api:
                assert api.post("/functions/sandbox-list-projects").is_success
            watched.service.program.process.terminate()
            assert 0 == watched.service.program.process.wait(LIMIT_SECONDS)
