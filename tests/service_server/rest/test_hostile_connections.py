"""Requests that are no honest HTTP: too long, too slow, or none at all."""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from uvicorn.server import ServerState

from service_server.cli import http_protocol
from service_server.cli.http_protocol import MAX_TARGET_BYTES, LimitedHttpProtocol
from tests.service_server.processes import RunningService
from tests.service_server.rest.conftest import ORIGIN


def _exchange(running_service: RunningService, request: bytes) -> tuple[bytes, bytes]:
    """Send bytes and read until the service hangs up; the head in lower case, and the body."""
    address = urlsplit(running_service.url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.lower(), body


@pytest.mark.parametrize("excess", [0, 1, 100_000, 3_000_000])
def test_a_target_that_is_too_long_is_told_to_the_page_that_sent_it(rest_service: RunningService, excess: int) -> None:
    """The 414 has the envelope, and the allowed origin like every answer, however long the target is."""
    target = b"/apps?x=" + b"a" * (MAX_TARGET_BYTES - len("/apps?x=") + 1 + excess)
    head, body = _exchange(
        rest_service,
        b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: " + ORIGIN.encode() + b"\r\n\r\n",
    )

    assert head.startswith(b"http/1.1 414 ")
    assert f"access-control-allow-origin: {ORIGIN}".encode() in head
    assert b'"target_too_long"' in body


def test_a_target_of_the_greatest_length_is_read(rest_service: RunningService) -> None:
    """The limit itself is allowed: what is asked for is answered, here that credentials are missing."""
    target = b"/apps?x=" + b"a" * (MAX_TARGET_BYTES - len("/apps?x="))
    head, _ = _exchange(rest_service, b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")

    assert head.startswith(b"http/1.1 401 ")


@pytest.mark.parametrize(
    "head", [b"GET /apps HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", b"\x16\x03\x01\x00\r\n\r\n"]
)
def test_what_is_no_request_gets_the_envelope(rest_service: RunningService, head: bytes) -> None:
    """A head that is too large, and bytes that are no HTTP, are a 400 in the one error body."""
    answered, body = _exchange(rest_service, head)

    assert answered.startswith(b"http/1.1 400 ")
    assert b'"malformed_body"' in body
    assert b"request-id: " in answered


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
    while (message := await receive())["type"] == "http.request" and message["more_body"]:
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
