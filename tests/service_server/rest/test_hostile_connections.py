"""Requests that are no honest HTTP (too long, too slow, or none at all), and calls, which the framework never sees."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from service_server.cli import http_protocol
from service_server.cli.http_protocol import MAX_TARGET_BYTES, LimitedHttpProtocol
from tests.service_server.processes import RunningService
from tests.service_server.rest.conftest import ORIGIN
from tests.service_server.rest.test_wrong_requests import JSON, refusal

pytestmark = pytest.mark.slow

CALL = "/functions/sandbox-create-ticket"
MEBIBYTE = 1024 * 1024


def connected(running: RunningService, request: bytes) -> socket.socket:
    """A connection on which some bytes were sent."""
    address = urlsplit(running.url)
    connection = socket.create_connection((address.hostname, address.port), timeout=60)
    connection.sendall(request)
    return connection


def exchange(running: RunningService, request: bytes) -> tuple[bytes, bytes]:
    """Send bytes and read until the service hangs up; the head in lower case, and the body."""
    with connected(running, request) as connection:
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.lower(), body


@pytest.mark.parametrize("excess", [0, 1, 2, 100_000, 3_000_000])
def test_a_target_that_is_too_long_is_told_to_the_page_that_sent_it(rest_service: RunningService, excess: int) -> None:
    """The 414 has the envelope, and the allowed origin like every answer; the limit itself is read."""
    target = b"/apps?x=" + b"a" * (MAX_TARGET_BYTES - len("/apps?x=") + excess)
    headers = f" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: {ORIGIN}\r\n\r\n".encode()
    head, body = exchange(rest_service, b"GET " + target + headers)

    assert head.startswith(b"http/1.1 414 " if excess else b"http/1.1 401 ")
    assert f"access-control-allow-origin: {ORIGIN}".encode() in head
    assert (b'"target_too_long"' if excess else b'"unauthenticated"') in body


@pytest.mark.parametrize(
    "head", [b"GET /apps HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", b"\x16\x03\x01\x00\r\n\r\n"]
)
def test_what_is_no_request_gets_the_envelope(rest_service: RunningService, head: bytes) -> None:
    """A head that is too large, and bytes that are no HTTP, are a 400 in the one error body."""
    answered, body = exchange(rest_service, head)

    assert answered.startswith(b"http/1.1 400 ")
    assert b'"malformed_body"' in body
    assert b"request-id: " in answered


def test_a_body_in_pieces_has_the_same_limit(api: httpx.Client) -> None:
    """One whose length nobody tells before."""

    def pieces() -> Iterator[bytes]:
        for _ in range(17):
            yield b" " * (MEBIBYTE // 16)

    assert (413, "body_too_large", None) == refusal(api.post(CALL, content=pieces(), headers=JSON))


def begun(running: RunningService, length: int, body: str = "") -> socket.socket:
    """A connection on which a call was begun, with as much of its body."""
    headers = {"Host": "x", "Content-Length": str(length), **JSON, **running.headers("user-1")}
    head = [f"POST {CALL} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return connected(running, "\r\n".join([*head, "", body]).encode())


@pytest.mark.parametrize("length", [MEBIBYTE + 1, 10**18, int("9" * 60)])
def test_a_body_that_is_said_to_be_too_large_is_not_waited_for(rest_service: RunningService, length: int) -> None:
    """The answer comes while nothing of the body has."""
    with begun(rest_service, length) as connection:
        answer = connection.recv(65_536)

    assert answer.split(b" ")[1] in (b"413", b"400"), answer


def test_a_caller_who_leaves_in_the_middle_breaks_nothing(rest_service: RunningService, api: httpx.Client) -> None:
    """Nothing was called, and nothing is said of it in the log but that a request came."""
    before = rest_service.program.output().count("Traceback")
    for _ in range(5):
        begun(rest_service, 100, '{"title": ').close()

    assert (400, "not_connected", None) == refusal(api.post(CALL, json={"title": "A"}))
    assert before == rest_service.program.output().count("Traceback")


def test_another_spelling_of_the_path_is_no_call(api: httpx.Client) -> None:
    """What only the framework would take for the path of a call; it may end with a slash."""
    for path in (f"/{CALL}", CALL.replace("ns/", "ns//"), f"{CALL}//"):
        assert (404, "not_found", None) == refusal(api.post(httpx.URL(f"{api.base_url}{path}"), json={})), path
    assert (400, "not_connected", None) == refusal(api.post(f"{CALL}/", json={"title": "A"}))


@pytest.fixture
async def impatient_port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """The port of a server by our protocol that waits for next to nothing."""
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(http_protocol, "BODY_SECONDS", 0.05)
    config = uvicorn.Config(_reads_all, lifespan="off", ws="none", log_config=None)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: LimitedHttpProtocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _reads_all(scope: Any, receive: Any, send: Any) -> None:
    message: Any = {"type": "http.request", "more_body": scope["path"] != "/refused"}
    while message["more_body"] and (message := await receive())["type"] == "http.request":
        pass
    if message["type"] == "http.request":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"])
async def test_a_connection_that_lets_us_wait_is_closed(impatient_port: int, begun: bytes) -> None:
    """Nothing sent at all, half a head, half a body: each ends, so that nobody can hold every connection there is."""
    reader, writer = await asyncio.open_connection("127.0.0.1", impatient_port)
    writer.write(begun)

    async with asyncio.timeout(20):
        assert b"" == await reader.read()
    writer.close()


async def test_a_body_that_keeps_coming_has_its_time(impatient_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file over a slow network takes longer than the time that any body has."""
    monkeypatch.setattr(http_protocol, "SLOWEST_BODY", 20)
    reader, writer = await asyncio.open_connection("127.0.0.1", impatient_port)
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 80\r\n\r\n")
    for _ in range(8):
        writer.write(b"0123456789")
        await asyncio.sleep(0.05)

    async with asyncio.timeout(20):
        assert (await reader.read()).startswith(b"HTTP/1.1 204")
    writer.close()


async def test_a_body_that_nobody_reads_is_not_waited_for(impatient_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes of it after the answer earns it no time."""
    monkeypatch.setattr(http_protocol, "SLOWEST_BODY", 20)
    reader, writer = await asyncio.open_connection("127.0.0.1", impatient_port)
    writer.write(b"POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 204")
    reading = asyncio.create_task(reader.read())

    async with asyncio.timeout(20):
        while not reading.done():
            writer.write(b"0123456789")
            await asyncio.sleep(0.02)
    writer.close()
