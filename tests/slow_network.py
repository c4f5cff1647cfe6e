"""
A network between a browser and loopback: a forward proxy with one shared downlink and a round trip for everything.

Each connection waits a round trip for its handshake, each request one more; all answers share the downlink, piece by
piece in turn, heads included. What goes up takes no time but the round trip.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

from attrs import define, field, frozen

LOOPBACK_NAMES = ("127.0.0.1", "localhost")
PIECE_BYTES = 4096
LONGEST_HEAD = 1 << 16
_HOP_BY_HOP = ("proxy-connection:", "connection:", "keep-alive:")


@frozen
class Line:
    """What a network does: bits a second down, and seconds for a round trip."""

    name: str
    bits_per_second: float
    round_trip: float


LOOPBACK = Line("loopback", float("inf"), 0.0)


@define(slots=False)
class SlowNetwork:
    """
    A proxy at `port` for servers on loopback; `line` may be changed at any time.

    `received` counts the bytes that browsers got, heads included; `requested` are the paths they asked for, in order.
    Requests whose path has `withheld` in it wait as long as that is set.
    """

    port: int = 0
    line: Line = LOOPBACK
    withheld: str = ""
    received: int = 0
    requested: list[str] = field(factory=list)
    _free_at: float = 0.0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened = time.monotonic()
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._answer(reader, writer, opened):
                    pass
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, opened: float) -> bool:
        """Pass on one request and its answer; False where nothing more comes."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        line, *fields = head.decode("latin-1").rstrip().split("\r\n")
        method, url, version = line.split(" ")
        parts = urlsplit(url)
        if method == "CONNECT" or parts.hostname not in LOOPBACK_NAMES:
            return False  # what the browser asks of its maker
        target = parts._replace(scheme="", netloc="").geturl() or "/"
        kept = [field for field in fields if not field.lower().startswith(_HOP_BY_HOP)]
        length = next(
            (int(field.partition(":")[2]) for field in fields if field.lower().startswith("content-length:")), 0
        )
        body = await reader.readexactly(length)
        self.requested.append(parts.path)
        while self.withheld and self.withheld in parts.path:  # noqa: ASYNC110  what changes it is another thread
            await asyncio.sleep(0.02)
        asked = max(time.monotonic(), opened + self.line.round_trip)  # not before the handshake is over
        await _sleep_until(asked + self.line.round_trip)
        upstream_reader, upstream_writer = await asyncio.open_connection(parts.hostname, parts.port, limit=LONGEST_HEAD)
        try:
            passed_on = "\r\n".join([f"{method} {target} {version}", *kept, "Connection: close", "", ""])
            upstream_writer.write(passed_on.encode("latin-1") + body)
            await self._pass_answer(upstream_reader, writer, method)
        finally:
            upstream_writer.close()
        return True

    async def _pass_answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *fields = head.rstrip().split("\r\n")
        kept = [field for field in fields if not field.lower().startswith(_HOP_BY_HOP)]
        has_length = any(field.lower().startswith(("content-length:", "transfer-encoding:")) for field in kept)
        has_body = method != "HEAD" and status.split(" ")[1] not in ("204", "304")
        if has_body and not has_length:
            # It ends with its connection, which the browser's must outlive.
            content = await reader.read()
            kept.append(f"Content-Length: {len(content)}")
            await self._send(writer, "\r\n".join([status, *kept, "", ""]).encode("latin-1") + content)
            return
        await self._send(writer, "\r\n".join([status, *kept, "", ""]).encode("latin-1"))
        while has_body and (piece := await reader.read(PIECE_BYTES)):
            await self._send(writer, piece)

    async def _send(self, writer: asyncio.StreamWriter, content: bytes) -> None:
        for start in range(0, len(content), PIECE_BYTES):
            piece = content[start : start + PIECE_BYTES]
            self._free_at = max(self._free_at, time.monotonic()) + len(piece) * 8 / self.line.bits_per_second
            await _sleep_until(self._free_at)
            self.received += len(piece)
            writer.write(piece)
            await writer.drain()


async def _sleep_until(moment: float) -> None:
    # A timer is late by up to a millisecond, in which a fast line carries many pieces.
    if (seconds := moment - time.monotonic()) > 0.001:
        await asyncio.sleep(seconds)


@contextlib.contextmanager
def slow_network() -> Iterator[SlowNetwork]:
    """Run the proxy in a thread of its own while the block lasts."""
    network = SlowNetwork()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def start() -> asyncio.Server:
        return await asyncio.start_server(network._serve, "127.0.0.1", 0, limit=LONGEST_HEAD)

    server = asyncio.run_coroutine_threadsafe(start(), loop).result()
    network.port = server.sockets[0].getsockname()[1]
    try:
        yield network
    finally:
        asyncio.run_coroutine_threadsafe(_stop(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _stop(server: asyncio.Server) -> None:
    server.close()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
