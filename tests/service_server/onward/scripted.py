"""Servers on loopback that do exactly what a test scripts, down to the byte and the reset."""

import asyncio
import contextlib
import re
import socket
import struct
from collections.abc import Awaitable, Callable, Container, Iterable
from ssl import SSLContext
from typing import Any

from service_server.onward.lookup import Answer, Lookup
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse


class Connection:
    """One connection of a scripted server: read a request, answer in raw bytes, hang up politely or not."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, requests: list[bytes]) -> None:
        self._reader, self._writer, self._requests = reader, writer, requests

    async def read_request(self) -> bytes:
        """Read one request with its body, and return it as it came."""
        request = await self._reader.readuntil(b"\r\n\r\n")
        if length := re.search(rb"\r\ncontent-length: *([0-9]+)", request, re.IGNORECASE):
            request += await self._reader.readexactly(int(length[1]))
        self._requests.append(request)
        return request

    async def write(self, data: bytes) -> None:
        """Send raw bytes."""
        self._writer.write(data)
        await self._writer.drain()

    async def answer(self, status: str = "200 OK", body: bytes = b"ok", headers: str = "") -> None:
        """Send a whole, well-formed answer; `headers` are lines that end in CRLF."""
        await self.write(f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def reset(self) -> None:
        """Hang up with a TCP reset instead of an orderly end."""
        linger = struct.pack("ii", 1, 0)
        self._writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._writer.transport.abort()

    async def until_closed(self) -> None:
        """Wait until the other side hangs up."""
        await self._reader.read()


Script = Callable[[Connection], Awaitable[None]]


class ScriptedServer:
    """A server whose every connection follows the script; it keeps the requests it read."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.connections = 0
        self.requests: list[bytes] = []
        self.port = 0

    async def start(self, ssl: SSLContext | None = None) -> "ScriptedServer":
        """Listen on a free port of 127.0.0.1."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=ssl)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        """Stop listening and drop what is open."""
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # the loop lets go of what was open before it is closed itself

    def listen_no_more(self) -> None:
        """Refuse new connections; those that are open stay."""
        self._server.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.append(writer)
        task = asyncio.get_running_loop().create_task(self._follow_script(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow_script(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._script(Connection(reader, writer, self.requests))
        finally:
            writer.close()

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        """The URL of a path on this server."""
        return f"{scheme}://{host}:{self.port}{path}"


async def answer_always(connection: Connection) -> None:
    """Answer every request of a connection with 200."""
    while True:
        await connection.read_request()
        await connection.answer()


def writing(*answers: bytes) -> Script:
    """Read a request, and write these bytes."""

    async def script(connection: Connection) -> None:
        await connection.read_request()
        for answer in answers:
            await connection.write(answer)

    return script


class Fetch:
    """Sends requests to loopback servers as if they were apps, all with the same settings by one sender."""

    def __init__(self, stack: contextlib.AsyncExitStack) -> None:
        self._stack = stack
        self._senders: dict[str, Sender] = {}

    async def sender(self, *, lookup: Lookup | None = None, **settings: Any) -> Sender:
        """A sender that may reach 127.0.0.1 and *.app.test unless `allow_hosts` says otherwise."""
        key = repr((lookup, settings))
        if key not in self._senders:
            chosen = {"allow_hosts": ("127.0.0.1", "app.test", "*.app.test"), **settings}
            opening = Sender(OnwardSettings(**chosen), lookup=lookup)
            self._senders[key] = await self._stack.enter_async_context(opening)
        return self._senders[key]

    async def __call__(
        self,
        server: ScriptedServer,
        method: str = "GET",
        path: str = "/",
        *,
        headers: tuple[tuple[str, str], ...] = (),
        body: bytes = b"",
        host: str = "127.0.0.1",
        scheme: str = "http",
        rules: Iterable[str] = (),
        secret_headers: Container[str] = (),
        changing: bool = False,
        **settings: Any,
    ) -> OnwardResponse:
        """Send one request to a server, whose host and port are the app's only allowed ones, or those of the rules."""
        sender = await self.sender(**settings)
        request = OnwardRequest(method, server.url(path, host, scheme), headers, body, changing=changing)
        allowed = HostRules(tuple(rules) or (f"{host}:{server.port}",))
        return await sender.fetch(request, allowed, secret_headers=secret_headers)


def always(*addresses: str) -> Lookup:
    """Look every name up as these addresses."""

    async def lookup(_host: str) -> Answer:
        return Answer(addresses)

    return lookup


Serve = Callable[..., Awaitable[ScriptedServer]]
