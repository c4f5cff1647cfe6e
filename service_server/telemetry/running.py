"""Metrics and traces of a running service, from its start to its end."""

import contextlib
from collections.abc import AsyncIterator

from prometheus_client import CollectorRegistry

from service_server.telemetry.choice import Choice
from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.instruments import Both, Instruments
from service_server.telemetry.measuring import measuring, watching_the_loop
from service_server.telemetry.prometheus_instruments import PrometheusInstruments


@contextlib.asynccontextmanager
async def running_telemetry(choice: Choice) -> AsyncIterator[CollectorRegistry | None]:
    """Measure and trace while the block lasts; gives what Prometheus fetches, if it does."""
    fetched = PrometheusInstruments.on_a_new_registry() if choice.prometheus else None
    async with contextlib.AsyncExitStack() as stack:
        sent = await _begin_sending(choice, stack) if choice.traces or choice.metrics else None
        instruments = Both(fetched, sent) if fetched and sent else fetched or sent
        if instruments is not None:
            figures = Figures(instruments)
            stack.enter_context(measuring(figures, Gauges(instruments)))
            await stack.enter_async_context(watching_the_loop(figures))
        yield None if fetched is None else fetched.registry


async def _begin_sending(choice: Choice, stack: contextlib.AsyncExitStack) -> Instruments | None:
    """Begin traces and what sends metrics, until the stack ends; OpenTelemetry is imported here."""
    from service_server.telemetry.otlp_instruments import OtlpInstruments
    from service_server.telemetry.providers import providers
    from service_server.telemetry.tracing import tracing

    made = await stack.enter_async_context(providers(choice))
    if made.tracer is not None:
        stack.enter_context(tracing(made.tracer))
    return None if made.meter is None else OtlpInstruments(made.meter)
