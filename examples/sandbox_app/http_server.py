"""HTTP/1.1 over asyncio streams and h11: enough of a server to answer, and to break off where a fault says so."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import h11

from examples.sandbox_app.messages import Refusal, Request, Response, json_response

MAX_BODY_BYTES = 1024 * 1024
IDLE_SECONDS = 60
READ_BYTES = 64 * 1024

Handler = Callable[[Request], Response]


class HttpServer:
    """Answers the connections of one listening socket with `handler`."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._connections: set[asyncio.Task[None]] = set()

    async def run(self, listener: socket.socket, stop: asyncio.Event) -> None:
        """Serve until `stop` is set; open connections are then closed."""
        server = await asyncio.start_server(self._accept, sock=listener)
        await stop.wait()
        server.close()
        for connection in tuple(self._connections):
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        try:
            await _Connection(reader, writer, self._handler).serve()
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass  # the peer went away, was silent too long, or we stop: nobody is left to tell
        finally:
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()


class _Connection:
    """One connection: request after request until either side ends it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handler: Handler) -> None:
        self._reader = reader
        self._writer = writer
        self._handler = handler
        self._protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=32 * 1024)

    async def serve(self) -> None:
        while True:
            try:
                request = await self._receive()
            except h11.RemoteProtocolError as error:
                await self._refuse(error.error_status_hint, "bad_request", "The request is not valid HTTP.")
                return
            except Refusal as refusal:
                await self._refuse(refusal.status, refusal.code, refusal.message)
                return
            if request is None:
                return
            response = self._handler(request)
            if response.delay_seconds:
                await asyncio.sleep(response.delay_seconds)
            if not await self._deliver(request, response):
                return
            self._protocol.start_next_cycle()

    async def _receive(self) -> Request | None:
        """The next whole request, or None when the peer has ended the connection."""
        head: h11.Request | None = None
        body = bytearray()
        while True:
            event = await self._next_event()
            if isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
                if len(body) > MAX_BODY_BYTES:
                    raise Refusal(413, "body_too_large", "The body is over 1 MiB.")
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return _read_request(head, bytes(body))
            else:
                return None

    async def _next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while True:
            event = self._protocol.next_event()
            if event is not h11.NEED_DATA:
                return event
            if self._protocol.they_are_waiting_for_100_continue:
                self._send(h11.InformationalResponse(status_code=100, headers=[]))
            async with asyncio.timeout(IDLE_SECONDS):
                self._protocol.receive_data(await self._reader.read(READ_BYTES))

    async def _deliver(self, request: Request, response: Response) -> bool:
        """Send the answer as its delivery says; tell whether the connection can go on."""
        if response.delivery == "reset":
            self._reset()
            return False
        headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.headers]
        if response.status != 204:
            headers.append((b"content-length", str(len(response.body)).encode()))
        head = h11.Response(status_code=response.status, headers=headers)
        if response.delivery == "truncated":
            self._send(head, h11.Data(data=response.body[: len(response.body) // 2]))
            await self._writer.drain()
            return False
        body = [h11.Data(data=response.body)] if response.body and request.method != "HEAD" else []
        self._send(head, *body, h11.EndOfMessage())
        await self._writer.drain()
        return self._protocol.our_state is h11.DONE and self._protocol.their_state is h11.DONE

    async def _refuse(self, status: int, code: str, message: str) -> None:
        if self._protocol.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            return
        response = json_response({"error": {"code": code, "message": message, "fields": []}}, status)
        await self._deliver(Request("GET", "/"), response.with_headers(("connection", "close")))

    def _send(self, *events: h11.Event) -> None:
        # In one piece: the second of two small ones would wait for the first to be acknowledged, 40 ms on many systems.
        data = b"".join(self._protocol.send(event) or b"" for event in events)
        if data:
            self._writer.write(data)

    def _reset(self) -> None:
        """End the connection by RST instead of FIN, as a crashed or overloaded peer does."""
        connection = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


def _read_request(head: h11.Request, body: bytes) -> Request:
    """Turn h11's event into our value; raises `Refusal` 400 for a target that is not a path in UTF-8."""
    headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
    try:
        target = urlsplit(head.target.decode("ascii"))
        path = unquote(target.path, errors="strict")
    except ValueError:
        raise Refusal(400, "bad_request", "The request target is not valid.") from None
    if not path.startswith("/") or "\x00" in path:
        raise Refusal(400, "bad_request", "The request target is not valid.")
    return Request(head.method.decode("ascii"), path, target.query, headers, body)
