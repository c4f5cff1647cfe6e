"""Puts spans around the service's parts: a request, the steps of its calls, what is sent onward, and the database."""

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

import structlog
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, get_current_span, use_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service_server.errors import ServiceError
from service_server.invoke import steps
from service_server.invoke.invocation import Executed, Refused
from service_server.invoke.invoker import Invoker
from service_server.oauth.credentials import Credentials
from service_server.oauth.refresh import Refresher
from service_server.onward.exchange import Exchanger
from service_server.rest.gateway import Gateway, logged_path
from service_server.store import Database
from service_server.telemetry.hooks import Hooks
from service_server.telemetry.requests import Answered, noting

STEPS = (
    "choose_account",
    "take_files",
    "keep_budget",
    "record_start",
    "send_in_order",
    "shape",
    "record_end",
)
COMPUTING_STEPS = ("check_arguments", "check_scopes", "build_request")
QUICK_SECONDS = 0.001
"""A step that only computes has a span where it takes at least this long; hardly any does."""
_TAKEN_IN = (b"traceparent", b"tracestate")
_PROPAGATOR = TraceContextTextMapPropagator()


@contextlib.contextmanager
def tracing(tracer: Tracer) -> Iterator[None]:
    """
    Make spans while the block lasts, inside a request that is sampled only.

    A trace that a caller has begun goes on here. It is not told to third-party apps: which of their requests belong
    together is nobody's business but the operator's.
    """
    spans = _Spans(tracer)
    with Hooks() as hooks:
        hooks.put(Gateway, "answer", spans.of_requests)
        hooks.put(Invoker, "call", spans.of_calls)
        for name in STEPS:
            hooks.put(steps, name, partial(spans.of_step, name=name))
        for name in COMPUTING_STEPS:
            hooks.put(steps, name, partial(spans.of_computing_step, name=name))
        hooks.put(Credentials, "usable", partial(spans.of_step, name="usable_credentials"))
        hooks.put(Refresher, "renewed", partial(spans.of_step, name="renew_credentials"))
        hooks.put(Exchanger, "exchange", spans.of_exchanges)
        for name in ("fetch", "commit_soon", "commit_together_soon"):
            hooks.put(Database, name, partial(spans.of_operation, name=name))
        for name in ("read", "write"):
            hooks.put(Database, name, partial(spans.of_block, name=name))
        yield


class _Spans:
    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @contextlib.contextmanager
    def _span(self, name: str, kind: SpanKind, attributes: dict[str, Any]) -> Iterator[Span]:
        with _within(self._tracer.start_span(name, None, kind, attributes)) as span:
            yield span

    def of_requests(self, answer: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def traced(gateway: Gateway, scope: Any, receive: Any, send: Any, is_here: Any) -> None:
            if scope["type"] != "http":
                await answer(gateway, scope, receive, send, is_here)
                return
            answered = Answered()
            method = answered.method_of(scope)
            attributes = {"http.request.method": method, "url.scheme": scope["scheme"]}
            begun = self._tracer.start_span(method, _taken_in(scope["headers"]), SpanKind.SERVER, attributes)
            if not begun.is_recording():  # nothing within it is either
                await answer(gateway, scope, receive, send, is_here)
                return
            with _within(begun) as span:
                structlog.contextvars.bind_contextvars(trace_id=format(span.get_span_context().trace_id, "032x"))
                try:
                    await answer(gateway, scope, receive, noting(answered, send), is_here)
                finally:
                    structlog.contextvars.unbind_contextvars("trace_id")
                    _note_answer(span, scope, answered)

        return traced

    def of_calls(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def traced(invoker: Invoker, request: Any, *given: Any) -> Refused | Executed:
            if not get_current_span().is_recording():
                return await call(invoker, request, *given)  # type: ignore[no-any-return]
            function = request.function
            attributes = {"functions.app": request.connector.name, "functions.function": function.name}
            with self._span(f"call {function.name}", SpanKind.INTERNAL, attributes) as span:
                came: Refused | Executed = await call(invoker, request, *given)
                if isinstance(came, Refused):
                    span.set_attribute("error.type", came.error.code)
                else:
                    span.set_attribute("functions.network_code", came.result.network_code)
                return came

        return traced

    def of_step(self, step: Callable[..., Any], name: str) -> Callable[..., Any]:
        async def traced(*given: Any, **named: Any) -> Any:
            if not get_current_span().is_recording():
                return await step(*given, **named)
            with self._span(name, SpanKind.INTERNAL, {}):
                return await step(*given, **named)

        return traced

    def of_computing_step(self, step: Callable[..., Any], name: str) -> Callable[..., Any]:
        def traced(*given: Any, **named: Any) -> Any:
            began = time.time_ns()
            try:
                return step(*given, **named)
            finally:
                ended = time.time_ns()
                if ended - began >= QUICK_SECONDS * 1e9 and get_current_span().is_recording():
                    self._tracer.start_span(name, start_time=began).end(ended)

        return traced

    def of_exchanges(self, exchange: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def traced(exchanger: Exchanger, request: Any, target: Any, *given: Any) -> Any:
            if not get_current_span().is_recording():
                return await exchange(exchanger, request, target, *given)
            # Neither path nor query: both may hold credentials and what users typed.
            attributes = {
                "http.request.method": request.method,
                "server.address": target.host,
                "server.port": target.port,
                "url.scheme": target.scheme,
            }
            with self._span(request.method, SpanKind.CLIENT, attributes) as span:
                response = await exchange(exchanger, request, target, *given)
                span.set_attribute("http.response.status_code", response.status)
                if response.status >= 400:
                    span.set_attribute("error.type", str(response.status))
                    span.set_status(Status(StatusCode.ERROR))
                return response

        return traced

    def of_operation(self, work: Callable[..., Awaitable[Any]], name: str) -> Callable[..., Awaitable[Any]]:
        async def traced(database: Database, *given: Any, **named: Any) -> Any:
            if not get_current_span().is_recording():
                return await work(database, *given, **named)
            with self._span(name, SpanKind.CLIENT, _of_database(database, name)):
                return await work(database, *given, **named)

        return traced

    def of_block(
        self, block: Callable[..., AbstractAsyncContextManager[Any]], name: str
    ) -> Callable[..., AbstractAsyncContextManager[Any]]:
        @contextlib.asynccontextmanager
        async def traced(database: Database, **named: Any) -> AsyncIterator[Any]:
            if not get_current_span().is_recording():
                async with block(database, **named) as connection:
                    yield connection
                return
            with self._span(name, SpanKind.CLIENT, _of_database(database, name)):
                async with block(database, **named) as connection:
                    yield connection

        return traced


@contextlib.contextmanager
def _within(span: Span) -> Iterator[Span]:
    """What is done within a span; it says of a failure only its kind: an exception may quote what users sent."""
    with use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield span
        except ServiceError as refusal:
            span.set_attribute("error.type", refusal.code)
            raise
        except Exception as failure:
            span.set_attribute("error.type", type(failure).__name__)
            span.set_status(Status(StatusCode.ERROR))
            raise


def _taken_in(headers: Iterable[tuple[bytes, bytes]]) -> Context | None:
    """The trace that a caller has begun; None where there is none."""
    carrier = {name.decode(): value.decode("latin-1") for name, value in headers if name in _TAKEN_IN}
    return _PROPAGATOR.extract(carrier) if carrier else None


def _of_database(database: Database, name: str) -> dict[str, Any]:
    return {"db.system.name": database.system, "db.operation.name": name}


def _note_answer(span: Span, scope: Any, answered: Answered) -> None:
    route = answered.route_of(scope)
    span.update_name(f"{answered.method_of(scope)} {route}")
    span.set_attribute("http.route", route)
    span.set_attribute("url.path", logged_path(scope["path"]))
    span.set_attribute("http.response.status_code", answered.status)
    span.set_attribute("functions.request_id", scope["state"]["request_id"])
    if answered.status >= 500:
        span.set_attribute("error.type", str(answered.status))
        span.set_status(Status(StatusCode.ERROR))
