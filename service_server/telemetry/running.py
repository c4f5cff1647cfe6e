"""Metrics and traces of a running service, from its start to its end."""

import contextlib
from collections.abc import AsyncIterator

from prometheus_client import CollectorRegistry

from service_server.telemetry.choice import Choice
from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.measuring import measuring, watching_the_loop
from service_server.telemetry.providers import providers
from service_server.telemetry.tracing import tracing


@contextlib.asynccontextmanager
async def running_telemetry(choice: Choice) -> AsyncIterator[CollectorRegistry | None]:
    """Measure and trace while the block lasts; gives what Prometheus fetches, if it does."""
    async with providers(choice) as made, contextlib.AsyncExitStack() as stack:
        if made.meter is not None:
            figures = Figures(made.meter)
            stack.enter_context(measuring(figures, Gauges(made.meter)))
            await stack.enter_async_context(watching_the_loop(figures))
        if made.tracer is not None:
            stack.enter_context(tracing(made.tracer))
        yield made.registry
