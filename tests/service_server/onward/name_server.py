"""A name server on loopback that answers some names at once, some late and some never."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from typing import Any, Literal

_QUERY_TYPES = {1: "A", 28: "AAAA"}


class NameServer(asyncio.DatagramProtocol):
    """
    Answers for names by their first label.

    `slow…` gets no answer before `let_go`; `gone…` does not exist; all others have one `address` (and no IPv6 address),
    which holds for `ttl` seconds. `asked` holds the names in the order of their first queries. In the state `silent`
    nothing is answered, in the state `nothing` no name exists.
    """

    def __init__(self) -> None:
        self.ttl = 60
        self.address = "192.0.2.1"
        self.state: Literal["answers", "silent", "nothing"] = "answers"
        self.asked: list[str] = []
        self._noticed = asyncio.Event()
        self._held: list[tuple[bytes, tuple[str, int]]] = []
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Listening begins."""
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """A query."""
        if self.state == "silent":
            return
        name, _ = _question(data)
        if name not in self.asked:
            self.asked.append(name)
            self._noticed.set()
        if name.startswith("slow"):
            self._held.append((data, addr))
        else:
            self._answer(data, addr)

    async def asked_for(self, name: str) -> None:
        """Wait until somebody has asked for a name."""
        async with asyncio.timeout(30):
            while name not in self.asked:
                self._noticed.clear()
                await self._noticed.wait()

    def let_go(self) -> None:
        """Answer what was held back."""
        held, self._held = self._held, []
        for data, addr in held:
            self._answer(data, addr)

    def _answer(self, query: bytes, addr: tuple[str, int]) -> None:
        name, end = _question(query)
        (kind,) = struct.unpack("!H", query[end : end + 2])
        exists = self.state == "answers" and not name.startswith("gone")
        has_address = exists and _QUERY_TYPES.get(kind) == "A"
        flags = 0x8180 if exists else 0x8183
        head = query[:2] + struct.pack("!HHHHH", flags, 1, int(has_address), 0, 0)
        record = struct.pack("!HHHIH", 0xC00C, 1, 1, self.ttl, 4) + socket.inet_aton(self.address)
        answer = record if has_address else b""
        self._transport.sendto(head + query[12 : end + 4] + answer, addr)


def _question(query: bytes) -> tuple[str, int]:
    """The name that a query asks for, in lower case, and where it ends."""
    labels, position = [], 12
    while length := query[position]:
        labels.append(query[position + 1 : position + 1 + length].decode().lower())
        position += 1 + length
    return ".".join(labels), position + 1


@contextlib.asynccontextmanager
async def name_server() -> AsyncIterator[tuple[NameServer, str]]:
    """Run a name server; it, and its address."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(NameServer, local_addr=("127.0.0.1", 0))
    try:
        yield server, f"127.0.0.1:{transport.get_extra_info('sockname')[1]}"
    finally:
        transport.close()
