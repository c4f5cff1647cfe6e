"""OpenTelemetry's providers of meters and tracers, with what the standard environment variables say of them."""

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence

from attrs import frozen
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Meter
from opentelemetry.sdk.environment_variables import OTEL_TRACES_SAMPLER
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import ConsoleMetricExporter, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
from opentelemetry.trace import Tracer

from service_client import __version__
from service_server.telemetry.choice import Choice

_NAME = "integration-functions-service"
_FLUSH_SECONDS = 1.0
_SENT_SHARE = 0.05
"""The share of requests whose traces are sent unless a sampler is named: all of them would take half of a process."""


@frozen(kw_only=True)
class Providers:
    """What figures and spans are made with that are sent, as far as that is switched on."""

    meter: Meter | None
    tracer: Tracer | None


@contextlib.asynccontextmanager
async def providers(choice: Choice) -> AsyncIterator[Providers]:
    """The providers of a choice; at the end they send what they still hold, for a second at most."""
    resource = _resource()
    meters, tracers = _meters(choice, resource), _tracers(choice, resource)
    try:
        yield Providers(
            meter=None if meters is None else meters.get_meter(_NAME, __version__),
            tracer=None if tracers is None else tracers.get_tracer(_NAME, __version__),
        )
    finally:
        await _in_time([each.shutdown for each in (tracers, meters) if each is not None])


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


def _meters(choice: Choice, resource: Resource) -> MeterProvider | None:
    if choice.metrics is None:
        return None
    exporter = OTLPMetricExporter() if choice.metrics == "otlp" else ConsoleMetricExporter()
    return MeterProvider([PeriodicExportingMetricReader(exporter)], resource=resource, shutdown_on_exit=False)


def _tracers(choice: Choice, resource: Resource) -> TracerProvider | None:
    if choice.traces is None:
        return None
    # None leaves it to the SDK, which reads the variable.
    few = choice.traces == "otlp" and not os.environ.get(OTEL_TRACES_SAMPLER)
    sampler = TraceIdRatioBased(_SENT_SHARE) if few else None
    provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
    if choice.traces == "otlp":
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    else:
        provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(formatter=_one_line)))
    return provider


def _one_line(span: ReadableSpan) -> str:
    return f"{span.to_json(indent=None)}\n"
