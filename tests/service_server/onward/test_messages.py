"""What goes out and comes in over the wire: headers, bodies, sizes, encodings, proxies."""

import gzip
import zlib
from collections.abc import Awaitable, Callable

import pytest

from service_server.onward.values import HostRules, Interrupted, InvalidRequest, OnwardRequest, OnwardResponse
from tests.service_server.onward.scripted import Connection, Gate, Script, Serve

Fetch = Callable[..., Awaitable[OnwardResponse]]


async def test_request_arrives_as_given(serve: Serve, fetch: Fetch) -> None:
    """Method, path with query, headers (repeated ones too) and body reach the app as they were given."""
    server = await serve()
    headers = (("X-One", "1"), ("X-Two", "a"), ("X-Two", "b"), ("Content-Type", "application/json"))
    await fetch(server, "PATCH", "/a%2Fb/c?d=%C3%A9&e=f", headers=headers, body=b'{"a": 1}', user_agent="Ours/1")
    request = server.requests[0]

    assert request.startswith(b"PATCH /a%2Fb/c?d=%C3%A9&e=f HTTP/1.1\r\n")
    assert request.endswith(b'\r\n\r\n{"a": 1}')
    for line in ("X-One: 1", "X-Two: a", "X-Two: b", "Content-Type: application/json", "User-Agent: Ours/1"):
        assert f"\r\n{line}\r\n".encode() in request
    assert 1 == request.lower().count(b"\r\nhost:")


@pytest.mark.parametrize(("method", "told"), [("POST", True), ("PUT", True), ("PATCH", True), ("GET", False)])
async def test_a_missing_body_has_a_length(serve: Serve, fetch: Fetch, method: str, told: bool) -> None:
    """Where a body is usual, an app is told that there is none; some refuse such requests without it."""
    server = await serve()
    await fetch(server, method)

    assert told == (b"\r\ncontent-length: 0\r\n" in server.requests[0].lower())


async def test_answer_arrives_whole(serve: Serve, fetch: Fetch) -> None:
    """Status, headers (lower case, repeated ones joined) and body come back, whatever the status is."""

    async def script(connection: Connection) -> None:
        await connection.read_request()
        await connection.answer("418 Teapot", b"\x00\xff", "X-A: 1\r\nx-a: 2\r\nX-Odd: \xe9\r\n")

    server = await serve(script)
    response = await fetch(server)

    assert (418, b"\x00\xff", server.url()) == (response.status, response.body, response.url)
    assert {"x-a": "1, 2", "content-length": "2"} == response.headers


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "PUT"])
async def test_answers_without_body(serve: Serve, fetch: Fetch, method: str) -> None:
    """An answer without a body is an empty body."""

    async def script(connection: Connection) -> None:
        await connection.read_request()
        await connection.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    response = await fetch(await serve(script), method)

    assert (204, b"") == (response.status, response.body)


@pytest.mark.parametrize(("encoding", "compress"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
async def test_compressed_answers(
    serve: Serve, fetch: Fetch, encoding: str, compress: Callable[[bytes], bytes]
) -> None:
    """A compressed body arrives decompressed."""

    async def script(connection: Connection) -> None:
        await connection.read_request()
        await connection.answer(body=compress(b"hello" * 100), headers=f"Content-Encoding: {encoding}\r\n")

    response = await fetch(await serve(script))

    assert b"hello" * 100 == response.body


@pytest.mark.parametrize(("size", "fits"), [(999, True), (1000, True), (1001, False), (100_000, False)])
@pytest.mark.parametrize("how", ["plain", "gzip", "chunked"])
async def test_size_limit_counts_the_decompressed_body(
    serve: Serve, fetch: Fetch, how: str, size: int, *, fits: bool
) -> None:
    """The limit holds to the byte, however the body is packed."""

    async def script(connection: Connection) -> None:
        await connection.read_request()
        body = b"a" * size
        if how == "chunked":
            await connection.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            await connection.write(f"{size:x}\r\n".encode() + body + b"\r\n0\r\n\r\n")
        else:
            packed = (gzip.compress(body), "Content-Encoding: gzip\r\n") if how == "gzip" else (body, "")
            await connection.answer(body=packed[0], headers=packed[1])

    server = await serve(script)
    if fits:
        assert size == len((await fetch(server, max_response_bytes=1000)).body)
        return
    with pytest.raises(Interrupted) as interrupted:
        await fetch(server, "POST", body=b"x", max_response_bytes=1000)
    assert "too_large" == interrupted.value.kind
    assert 1 == len(server.requests)


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
    server = await serve(script)

    with pytest.raises(Interrupted) as interrupted:
        await fetch(server)
    assert "too_large" == interrupted.value.kind


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\rb"), ("X-A", "a\0b"), ("X-A", "\x7f"), ("X-A", "\x1b[0m"),
        ("X A", "a"), ("X-A:", "a"), ("", "a"), ("X-A\r\nX-B", "a"), ("Xé", "a"),
        ("Host", "evil.test"), ("content-length", "0"), ("Transfer-Encoding", "chunked"), ("Connection", "close"),
        ("Upgrade", "h2c"), ("Expect", "100-continue"), ("Proxy-Authorization", "x"), ("TE", "trailers"),
    ],
)  # fmt: skip
async def test_headers_that_change_the_message_are_refused(serve: Serve, fetch: Fetch, name: str, value: str) -> None:
    """A header can't smuggle in another one, nor say how the message is framed or where it goes."""
    server = await serve()

    with pytest.raises(InvalidRequest) as refused:
        await fetch(server, headers=((name, value),))
    assert "evil" not in refused.value.reason
    assert server.connections == 0


@pytest.mark.parametrize("method", ["", "get", "GET /evil HTTP/1.1\r\n", "CONNECT", "TRACE", "G T", "GÉT"])
async def test_odd_methods_are_refused(serve: Serve, fetch: Fetch, method: str) -> None:
    """Only plain methods go out, and none that is meant for proxies."""
    server = await serve()

    with pytest.raises(InvalidRequest):
        await fetch(server, method)
    assert server.connections == 0


async def test_environment_proxies_are_ignored(serve: Serve, fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy named in the environment sees nothing of the onward requests."""
    server, proxy = await serve(), await serve()
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy.url())
    response = await fetch(server)

    assert 200 == response.status
    assert (1, 0) == (server.connections, proxy.connections)


async def test_cookies_are_not_kept(serve: Serve, gate: Gate) -> None:
    """A cookie that one call was given never turns up in another, which may be another user's."""

    async def script(connection: Connection) -> None:
        while True:
            await connection.read_request()
            await connection.answer(headers="Set-Cookie: session=hunter2; Path=/\r\n")

    server = await serve(script)
    sender = await gate.open()
    for _ in range(2):
        await sender.fetch(OnwardRequest("GET", server.url()), HostRules((f"127.0.0.1:{server.port}",)))

    assert 2 == len(server.requests)
    assert b"cookie" not in b"".join(server.requests).lower()


async def test_connections_are_used_again(serve: Serve, gate: Gate) -> None:
    """Calls one after the other share a connection."""
    server = await serve()
    sender = await gate.open()
    for _ in range(10):
        await sender.fetch(OnwardRequest("GET", server.url()), HostRules((f"127.0.0.1:{server.port}",)))

    assert (10, 1) == (len(server.requests), server.connections)
