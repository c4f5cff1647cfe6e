"""Third-party apps are told of no trace."""

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service_server.telemetry.tracing import tracing
from tests.service_server.onward.scripted import Fetch, Serve


async def test_what_is_sent_within_a_trace_does_not_name_it(serve: Serve, fetch: Fetch) -> None:
    """The request has a span of its own here, and the app gets what it gets without one."""
    server, exporter, provider = await serve(), InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    await fetch(server)
    with tracing(tracer), tracer.start_as_current_span("request"):
        await fetch(server)
    await fetch(server)

    before, within, after = server.requests
    assert before == within == after
    (sent,) = [span for span in exporter.get_finished_spans() if span.name == "GET"]
    assert sent.attributes is not None
    assert (server.port, 200) == (sent.attributes["server.port"], sent.attributes["http.response.status_code"])
