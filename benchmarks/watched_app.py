"""
The sandbox app inside the benchmark's own process, which remembers everything it carried out, and spoils on order.

What the service says of calls is held against this record. The sandbox as a program of its own keeps only its latest
thousand requests.
"""

import asyncio
import contextlib
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from attrs import Factory, define, evolve, frozen

from examples.sandbox_app.application import Application
from examples.sandbox_app.http_server import HttpServer
from examples.sandbox_app.messages import Request, Response, json_response
from examples.sandbox_app.settings import Settings
from examples.sandbox_app.users import USERS, seeded_key
from tests.examples.processes import CLIENT_ID, CLIENT_SECRET

TICKETS = "/api/v1/tickets"
MEBIBYTE = 1024 * 1024
FLOOD_BYTES = 9 * MEBIBYTE

Spoil: TypeAlias = Callable[[Request, Callable[[Request], Response]], Response]
"""Answers a request about tickets in the app's place; is given what would carry the request out."""


@define
class WatchedApp:
    """The app, at a URL and known as some address, and the titles of the tickets that it made, each with how often."""

    url: str
    address: str
    application: Application
    spoil: Spoil | None = None
    made: Counter[str] = Factory(Counter)

    @property
    def api_keys(self) -> dict[str, str]:
        """The key of each person who has an account in the app."""
        return {user.username: seeded_key(user) for user in USERS}

    def answer(self, request: Request) -> Response:
        """Carry a request out, or what is ordered instead."""
        if self.spoil is None or not request.path.startswith(TICKETS):
            return self._carry_out(request)
        return self.spoil(request, self._carry_out)

    def _carry_out(self, request: Request) -> Response:
        response = self.application.handle(request)
        if (request.method, request.path, response.status) == ("POST", TICKETS, 201):
            self.made[json.loads(response.body)["title"]] += 1
        return response


@contextlib.contextmanager
def watched_app(redirect_uri: str, host: str) -> Iterator[WatchedApp]:
    """Serve the app from a thread of its own, with one registered redirect URI; it takes itself to be at this host."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        settings = Settings(f"http://{host}:{port}", CLIENT_ID, CLIENT_SECRET, (redirect_uri,))
        app = WatchedApp(f"http://127.0.0.1:{port}", f"{host}:{port}", Application(settings))
        loop, stop = asyncio.new_event_loop(), asyncio.Event()
        serving = HttpServer(app.answer).run(listener, stop)
        thread = threading.Thread(target=loop.run_until_complete, args=(serving,))
        thread.start()
        try:
            yield app
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join()
            loop.close()


@frozen
class InTurn:
    """Spoils each request in another way than the one before."""

    ways: tuple[Spoil, ...]
    _number: list[int] = Factory(lambda: [0])

    def __call__(self, request: Request, carry_out: Callable[[Request], Response]) -> Response:
        """Take the next way."""
        self._number[0] += 1
        return self.ways[self._number[0] % len(self.ways)](request, carry_out)


def carried_out_but(**changes: Any) -> Spoil:
    """A request is carried out, and its answer is late, broken off or never sent."""
    return lambda request, carry_out: evolve(carry_out(request), **changes)


def instead(response: Response) -> Spoil:
    """A request isn't carried out, and this is the answer."""
    return lambda request, carry_out: response


def _lie(status: int, content_type: str, body: bytes, *headers: tuple[str, str]) -> Spoil:
    return instead(Response(status, (("content-type", content_type), *headers), body))


LIES = InTurn(
    (
        _lie(200, "application/json", b'{"id": 10'),
        _lie(200, "text/html", b"<html><p>Please sign in</p></html>"),
        _lie(200, "application/json", b"\xff\xfe\x00"),
        _lie(302, "text/html", b"", ("location", "http://169.254.169.254/latest/meta-data/")),
        _lie(307, "text/html", b"", ("location", "https://elsewhere.example/")),
        _lie(201, "application/json", b"[" * 100_000),
        _lie(999, "application/json", b"{}"),
        instead(json_response({"error": {"code": "server_error", "message": "Something broke.", "fields": []}}, 500)),
    )
)
FLOODS = InTurn(
    (
        _lie(200, "application/json", b'{"title": "' + b"x" * FLOOD_BYTES + b'"}'),
        _lie(200, "application/json", b"[" + b"[]," * (FLOOD_BYTES // 3) + b"[]]"),
        _lie(200, "application/octet-stream", bytes(FLOOD_BYTES)),
        _lie(200, "application/json", b'"' + b"x" * (FLOOD_BYTES + 3 * MEBIBYTE) + b'"'),  # more than the service takes
    )
)
