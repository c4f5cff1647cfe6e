"""What sends traces and metrics by OpenTelemetry, with what its standard environment variables say."""

import asyncio
import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.environment_variables import OTEL_TRACES_SAMPLER
from opentelemetry.sdk.metrics.export import ConsoleMetricExporter, MetricExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision, ParentBased, Sampler, SamplingResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanKind, Tracer, TraceState
from opentelemetry.util.types import Attributes

from service_client import __version__
from service_server.telemetry.choice import Choice
from service_server.telemetry.instruments import Instruments
from service_server.telemetry.sent_metrics import SentMetrics

_NAME = "integration-functions-service"
_FLUSH_SECONDS = 1.0
TRACED_A_SECOND = 10
"""Requests whose traces a process sends unless a sampler is named: a trace takes a millisecond, as much as a call."""


@contextlib.asynccontextmanager
async def sending(choice: Choice, instruments: Instruments) -> AsyncIterator[Tracer | None]:
    """Send figures while the block lasts, and give what makes spans; what is left goes in the end, for a second."""
    resource, endings = _resource(), list[Callable[[], object]]()
    tracers = _tracers(choice, resource)
    if tracers is not None:
        endings.append(tracers.shutdown)
    if choice.metrics is not None:
        scope = InstrumentationScope(_NAME, __version__)
        exporter = OTLPMetricExporter() if choice.metrics == "otlp" else ConsoleMetricExporter()
        endings.append(_sending_metrics(exporter, SentMetrics(instruments, resource, scope), choice.metrics_seconds))
    try:
        yield None if tracers is None else tracers.get_tracer(_NAME, __version__)
    finally:
        await _in_time(endings)


def _sending_metrics(exporter: MetricExporter, metrics: SentMetrics, seconds: float) -> Callable[[], object]:
    """Send the figures again and again, in a thread; gives what ends that, and sends them for the last time."""
    ended = threading.Event()

    def send() -> None:
        try:
            exporter.export(metrics.read())
        except Exception:  # it says itself what a collector answers; this is what nobody thought of
            logging.getLogger(__name__).exception("The metrics could not be sent.")

    def send_until_the_end() -> None:
        while not ended.wait(seconds):
            send()

    def end() -> None:
        ended.set()
        sender.join()
        send()

    sender = threading.Thread(target=send_until_the_end, name="metrics for a collector", daemon=True)
    sender.start()
    return end


class _AtMost(Sampler):
    """Samples all requests, up to so many a second."""

    def __init__(self, requests: int) -> None:
        self._requests = requests
        self._second, self._left = 0, 0

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Whether this one is among them; asked by the event loop alone."""
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._left = second, self._requests
        if not self._left:
            return SamplingResult(Decision.DROP)
        self._left -= 1
        return SamplingResult(Decision.RECORD_AND_SAMPLE, attributes, trace_state)

    def get_description(self) -> str:
        """What tools show of it."""
        return f"AtMost{{{self._requests}/s}}"


async def _in_time(endings: Sequence[Callable[[], object]]) -> None:
    """Do what may wait for a collector, in a thread that doesn't keep the process: it may not answer."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def end() -> None:
        for each in endings:
            with contextlib.suppress(Exception):
                each()
        with contextlib.suppress(RuntimeError):  # the loop didn't wait so long
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=end, name="last traces and metrics", daemon=True).start()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), _FLUSH_SECONDS)


def _resource() -> Resource:
    """What the figures and spans are of; what the environment says of it counts more."""
    own = {"service.version": __version__, "service.instance.id": f"{socket.gethostname()}:{os.getpid()}"}
    found = Resource.create(own)
    named = os.environ.get("OTEL_SERVICE_NAME") or f"{SERVICE_NAME}=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return found if named else found.merge(Resource({SERVICE_NAME: _NAME}))


def _tracers(choice: Choice, resource: Resource) -> TracerProvider | None:
    if choice.traces is None:
        return None
    # None leaves it to the SDK, which reads the variable.
    limited = choice.traces == "otlp" and not os.environ.get(OTEL_TRACES_SAMPLER)
    few = _AtMost(TRACED_A_SECOND)
    sampler = ParentBased(few, remote_parent_sampled=few) if limited else None
    provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
    if choice.traces == "otlp":
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    else:
        provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(formatter=_one_line)))
    return provider


def _one_line(span: ReadableSpan) -> str:
    return f"{span.to_json(indent=None)}\n"
