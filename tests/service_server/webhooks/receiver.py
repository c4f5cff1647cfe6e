"""An application's backend that takes webhooks, or does what a test wants of it."""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from attrs import define, field, frozen

from service_client.models.event import webhook_signature
from tests.service_server.onward.scripted import Connection, ScriptedServer


@frozen
class Received:
    """One request: its headers by lower-case name, and its body."""

    headers: dict[str, str]
    raw: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """The event's id."""
        return self.headers["webhook-id"]

    @property
    def body(self) -> dict[str, Any]:
        """The event."""
        body: dict[str, Any] = json.loads(self.raw)
        return body

    @property
    def account(self) -> int:
        """The number of the account that it is about; 0 for none."""
        return int(self.body["data"].get("connected_account_id", 0))

    def is_signed_with(self, secret: str) -> bool:
        """Whether one of its signatures is by this secret."""
        signature = webhook_signature(secret, self.id, self.headers["webhook-timestamp"], self.raw)
        return signature in self.headers["webhook-signature"].split(" ")


Answering = Callable[[Connection, Received], Awaitable[None]]


async def accept(connection: Connection, _: Received) -> None:
    """Take the event."""
    await connection.answer("204 No Content", b"")


def answer(status: str, headers: str = "", body: bytes = b"no") -> Answering:
    """Answer with a status."""

    async def answering(connection: Connection, _: Received) -> None:
        await connection.answer(status, body, headers)

    return answering


async def stall(connection: Connection, _: Received) -> None:
    """Answer nothing."""
    await connection.until_closed()


@define
class Receiver:
    """A backend on this machine; `answering` decides what it does, `received` is what came, `accepted` what it took."""

    answering: Answering = accept
    received: list[Received] = field(factory=list)
    accepted: list[Received] = field(factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """Where it takes events."""
        return f"http://127.0.0.1:{self.port}/hook"

    def types_of_accounts(self) -> dict[int, list[str]]:
        """What was taken of each account, in its order."""
        types: dict[int, list[str]] = {}
        for each in self.accepted:
            types.setdefault(each.account, []).append(each.body["type"].removeprefix("account."))
        return types

    async def serve(self, connection: Connection) -> None:
        """Take what comes on a connection."""
        while True:
            head, _, body = (await connection.read_request()).partition(b"\r\n\r\n")
            lines = [line.decode().partition(":") for line in head.split(b"\r\n")[1:]]
            received = Received({name.lower(): value.strip() for name, _, value in lines}, body)
            self.received.append(received)
            answering = self.answering
            with contextlib.suppress(ConnectionError):
                await answering(connection, received)
            if answering is accept:
                self.accepted.append(received)


@contextlib.asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that takes everything, until a test says otherwise."""
    receiver = Receiver()
    server = await ScriptedServer(receiver.serve).start()
    receiver.port = server.port
    try:
        yield receiver
    finally:
        await server.stop()
