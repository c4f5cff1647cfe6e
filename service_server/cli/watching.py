"""Metrics and traces of the process that serves, and the endpoint at which Prometheus fetches the metrics."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import uvicorn

from service_server.cli.http_protocol import LimitedHttpProtocol
from service_server.cli.listening import FOR_METRICS, listen
from service_server.cli.metrics_port import MetricsPort
from service_server.cli.quiet_server import QuietServer
from service_server.telemetry.choice import chosen

_CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"
_MOST_AT_ONCE = 16


@contextlib.asynccontextmanager
async def watched(metrics: MetricsPort | None) -> AsyncIterator[None]:
    """Watch what is served while the block lasts, as the environment and `metrics` ask for; else do nothing."""
    choice = chosen(os.environ, prometheus=metrics is not None)
    if choice.is_off:
        yield
        return
    from service_server.telemetry.running import running_telemetry  # only now is OpenTelemetry imported

    async with running_telemetry(choice) as registry:
        if registry is None or metrics is None:
            yield
            return
        from service_server.telemetry.exposition import Exposition

        exposition = Exposition(registry, metrics.folder)
        async with exposition.answering_siblings(), _serving(metrics, exposition.text):
            yield


@contextlib.asynccontextmanager
async def _serving(metrics: MetricsPort, figures: Callable[[], Awaitable[str]]) -> AsyncIterator[None]:
    """Answer at the metrics' port, which shows nothing else, while the block lasts."""

    async def answer(scope: Any, _receive: Any, send: Any) -> None:
        is_found = scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD")
        body = (await figures()).encode() if is_found else b"There is only GET /metrics here.\n"
        headers = [(b"content-type", _CONTENT_TYPE), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200 if is_found else 404, "headers": headers})
        await send({"type": "http.response.body", "body": body if scope["method"] != "HEAD" else b""})

    server = QuietServer(
        uvicorn.Config(
            answer,
            http=LimitedHttpProtocol,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST_AT_ONCE,
            timeout_graceful_shutdown=1,
        )
    )
    listen(metrics.listener, FOR_METRICS)
    serving = asyncio.create_task(server.serve([metrics.listener]), name="metrics")
    try:
        yield
    finally:
        server.should_exit = True
        await serving
