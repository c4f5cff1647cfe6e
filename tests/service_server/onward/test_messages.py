"""What goes out and comes in over the wire: headers, bodies, sizes, encodings, proxies."""

import gzip
import zlib
from collections.abc import Callable

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service_server.onward.values import Interrupted, InvalidRequest
from service_server.telemetry.tracing import tracing
from tests.service_server.onward.scripted import Connection, Fetch, Script, Serve, writing


async def test_request_arrives_as_given(serve: Serve, fetch: Fetch) -> None:
    """Method, path with query, headers (repeated ones too) and body reach the app as they were given."""
    server = await serve()
    headers = (("X-One", "1"), ("X-Two", "a"), ("X-Two", "b"), ("Content-Type", "application/json"))
    await fetch(server, "PATCH", "/a%2Fb/c?d=%C3%A9&e=f", headers=headers, body=b'{"a": 1}', user_agent="Ours/1")
    request = server.requests[0]

    assert request.startswith(b"PATCH /a%2Fb/c?d=%C3%A9&e=f HTTP/1.1\r\n")
    assert request.endswith(b'\r\n\r\n{"a": 1}')
    for name, value in (*headers, ("User-Agent", "Ours/1")):
        assert f"\r\n{name}: {value}\r\n".encode() in request
    assert 1 == request.lower().count(b"\r\nhost:")


async def test_a_missing_body_has_a_length(serve: Serve, fetch: Fetch) -> None:
    """Where a body is usual, an app is told that there is none; some refuse such requests without it."""
    server = await serve()
    for method in ("POST", "PUT", "PATCH", "GET"):
        await fetch(server, method)

    assert [True] * 3 + [False] == [b"\r\ncontent-length: 0\r\n" in request.lower() for request in server.requests]


async def test_answer_arrives_whole(serve: Serve, fetch: Fetch) -> None:
    """Status, headers (lower case, repeated ones joined) and body come back, whatever the status is."""
    head = b"HTTP/1.1 418 Teapot\r\nX-A: 1\r\nx-a: 2\r\nX-Odd: \xe9\r\nContent-Length: 2\r\n\r\n"
    server = await serve(writing(head + b"\x00\xff"))
    response = await fetch(server)

    assert (418, b"\x00\xff", server.url()) == (response.status, response.body, response.url)
    assert {"x-a": "1, 2", "content-length": "2"} == response.headers


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "PUT"])
async def test_answers_without_body(serve: Serve, fetch: Fetch, method: str) -> None:
    """An answer without a body is an empty body."""
    response = await fetch(await serve(writing(b"HTTP/1.1 204 No Content\r\n\r\n")), method)

    assert (204, b"") == (response.status, response.body)


def _packed(name: str, pack: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def written(body: bytes) -> bytes:
        body = pack(body)
        return f"HTTP/1.1 200 OK\r\n{name}Content-Length: {len(body)}\r\n\r\n".encode() + body

    return written


def _chunked(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


WRITTEN = {
    "plain": _packed("", bytes),
    "gzip": _packed("Content-Encoding: gzip\r\n", gzip.compress),
    "deflate": _packed("Content-Encoding: deflate\r\n", zlib.compress),
    "chunked": _chunked,
}


@pytest.mark.parametrize("how", WRITTEN)
async def test_size_limit_counts_the_decompressed_body(serve: Serve, fetch: Fetch, how: str) -> None:
    """The limit holds to the byte, however the body is packed; what fits arrives unpacked."""
    for size in (999, 1000):
        server = await serve(writing(WRITTEN[how](b"a" * size)))
        assert b"a" * size == (await fetch(server, max_response_bytes=1000)).body
    for size in (1001, 100_000):
        server = await serve(writing(WRITTEN[how](b"a" * size)))
        with pytest.raises(Interrupted) as interrupted:
            await fetch(server, "POST", body=b"x", max_response_bytes=1000)
        assert ("too_large", 1) == (interrupted.value.kind, len(server.requests))


async def _endless(connection: Connection) -> None:
    await connection.read_request()
    await connection.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        await connection.write(b"x" * 65_536)


async def _bomb(connection: Connection) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(100)) + packer.flush()
    await connection.read_request()
    await connection.answer(body=bomb, headers="Content-Encoding: gzip\r\n")


@pytest.mark.parametrize("script", [_endless, _bomb])
async def test_a_body_without_end_is_cut_off(serve: Serve, fetch: Fetch, script: Script) -> None:
    """It is read up to the limit, and a small one that unpacks to 100 MB is unpacked no further."""
    with pytest.raises(Interrupted) as interrupted:
        await fetch(await serve(script))
    assert "too_large" == interrupted.value.kind


BAD_VALUES = ["a\r\nX-B: b", "a\nb", "a\rb", "a\0b", "\x7f", "\x1b[0m"]
BAD_NAMES = [
    *("X A", "X-A:", "", "X-A\r\nX-B", "Xé", "Host", "content-length", "Transfer-Encoding", "Connection"),
    *("Upgrade", "Expect", "Proxy-Authorization", "TE"),
]


async def test_headers_that_change_the_message_are_refused(serve: Serve, fetch: Fetch) -> None:
    """A header can't smuggle in another one, nor say how the message is framed or where it goes."""
    server = await serve()

    for header in [*(("X-A", value) for value in BAD_VALUES), *((name, "evil.test") for name in BAD_NAMES)]:
        with pytest.raises(InvalidRequest) as refused:
            await fetch(server, headers=(header,))
        assert "evil" not in refused.value.reason
    assert server.connections == 0


async def test_odd_methods_are_refused(serve: Serve, fetch: Fetch) -> None:
    """Only plain methods go out, and none that is meant for proxies."""
    server = await serve()

    for method in ("", "get", "GET /evil HTTP/1.1\r\n", "CONNECT", "TRACE", "G T", "GÉT"):
        with pytest.raises(InvalidRequest):
            await fetch(server, method)
    assert server.connections == 0


async def test_environment_proxies_are_ignored(serve: Serve, fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy named in the environment sees nothing of the onward requests."""
    server, proxy = await serve(), await serve()
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy.url())

    assert 200 == (await fetch(server)).status
    assert (1, 0) == (server.connections, proxy.connections)


async def test_cookies_are_not_kept(serve: Serve, fetch: Fetch) -> None:
    """A cookie that one call was given never turns up in another, which may be another user's; connections do."""

    async def script(connection: Connection) -> None:
        while True:
            await connection.read_request()
            await connection.answer(headers="Set-Cookie: session=hunter2; Path=/\r\n")

    server = await serve(script)
    for _ in range(3):
        await fetch(server)

    assert (3, 1) == (len(server.requests), server.connections)
    assert b"cookie" not in b"".join(server.requests).lower()


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
