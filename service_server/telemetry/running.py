"""Metrics and traces of a running service, from its start to its end."""

import contextlib
from collections.abc import AsyncIterator

from prometheus_client import CollectorRegistry

from service_server.telemetry.choice import Choice
from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.instruments import Instruments
from service_server.telemetry.measuring import measuring, watching_the_loop


@contextlib.asynccontextmanager
async def running_telemetry(choice: Choice) -> AsyncIterator[CollectorRegistry | None]:
    """Measure and trace while the block lasts; gives what Prometheus fetches, if it does."""
    instruments = Instruments.on_a_new_registry()
    async with contextlib.AsyncExitStack() as stack:
        if choice.traces or choice.metrics:
            await _begin_sending(choice, instruments, stack)
        if choice.metrics or choice.prometheus:
            figures = Figures(instruments)
            stack.enter_context(measuring(figures, Gauges(instruments)))
            await stack.enter_async_context(watching_the_loop(figures))
        yield instruments.registry if choice.prometheus else None


async def _begin_sending(choice: Choice, instruments: Instruments, stack: contextlib.AsyncExitStack) -> None:
    """Begin what sends traces and metrics, until the stack ends; OpenTelemetry is imported here."""
    from service_server.telemetry.providers import sending
    from service_server.telemetry.tracing import tracing

    tracer = await stack.enter_async_context(sending(choice, instruments))
    if tracer is not None:
        stack.enter_context(tracing(tracer))
