"""A real HTTP server on loopback that answers from a script and notes what it was asked."""

import json
import socket
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import field, frozen


@frozen
class Asked:
    """A request as it arrived; the names of `headers` are in lower case, `connection` is the asker's port."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


Step = Callable[["Handler"], None]


class ScriptedServer(ThreadingHTTPServer):
    """Plays one step of `script` a request, the last one again and again."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Step] = []
        self.asked: list[Asked] = []
        self.first_asked = threading.Event()
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        """The address to give to a client."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients go away in the middle on purpose here."""


class Handler(BaseHTTPRequestHandler):
    """Hands each request to the next step."""

    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def _play(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append(
            Asked(self.command, self.path, headers, self.rfile.read(length), self.client_address[1])
        )
        self.server.first_asked.set()
        script = self.server.script
        step = script.pop(0) if len(script) > 1 else script[0]
        step(self)

    do_GET = do_POST = do_DELETE = do_CONNECT = _play  # noqa: N815  the names are http.server's

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the tests' output quiet."""


@frozen
class Reply:
    """A complete answer; a `body` that is not bytes is sent as JSON."""

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(factory=dict)

    def __call__(self, handler: Handler) -> None:
        """Send it."""
        content = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        handler.send_response(self.status)
        if self.status != 204:
            handler.send_header("Content-Length", str(len(content)))
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)


def reset(handler: Handler) -> None:
    """Break the connection off with a TCP reset, without an answer."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    """Close the connection without an answer."""
    handler.close_connection = True


def truncate(handler: Handler) -> None:
    """Announce more than is sent."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"apps": [')
    handler.close_connection = True


def hang(handler: Handler) -> None:
    """Never answer."""
    handler.server.closing.wait()
    handler.close_connection = True


def endless(head: bytes, piece: bytes, pause: float = 0.0) -> Step:
    """Answer with a piece after the other without end."""

    def answer(handler: Handler) -> None:
        handler.wfile.write(head)
        while not handler.server.closing.wait(pause):
            handler.wfile.write(piece)
        handler.close_connection = True

    return answer


_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
# Quickly enough for any limit on a single read.
trickle = endless(_CHUNKED, b"1\r\n \r\n", 0.02)
trickle_head = endless(b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x", 0.02)
flood = endless(_CHUNKED, b"100000\r\n" + b" " * 0x100000 + b"\r\n")
