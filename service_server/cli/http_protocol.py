"""uvicorn's HTTP protocol with limits on what comes before the application sees a request, answered in our words."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service_client.models import Code
from service_server.errors import failure
from service_server.rest.gateway import TARGET_TOO_LONG
from service_server.rest.wire import encode_failure

MAX_TARGET_BYTES = 64 * 1024 - 1  # the parser counts its parts in 16 bits
MAX_HEADER_BYTES = 64 * 1024
HEAD_SECONDS = 30.0
BODY_SECONDS = 60.0
SLOWEST_BODY = 64 * 1024
"""Bytes a second; a body gets the extra time that what has come of it would take at this speed, as from our client."""


class _TooLarge(Exception):
    """The head of a request is over a limit."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """Refuses an overlong head, cuts an overlong target short, and closes connections that let us wait too long."""

    _head_bytes = 0
    _body_bytes = 0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A connection opens: its first request has to arrive in time."""
        super().connection_made(transport)
        self._start_clock(HEAD_SECONDS)

    def on_message_begin(self) -> None:
        """A request begins: its head has to arrive in time."""
        super().on_message_begin()
        self._head_bytes = 0
        self._start_clock(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """A part of the target; the gateway refuses one that is too long, since it also knows the Origin to answer."""
        if len(self.url) + len(url) > MAX_TARGET_BYTES:
            self.scope["state"][TARGET_TOO_LONG] = True
            self.url = self.url or b"/"
        else:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > MAX_HEADER_BYTES:
            raise _TooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there; the body has to arrive in time as well."""
        self._body_bytes = 0
        self._start_clock(BODY_SECONDS, self._body_late)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body; it earns time only as long as somebody may read it."""
        super().on_body(body)
        if not self.cycle.response_complete:
            self._body_bytes += len(body)

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._stop_clock()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._stop_clock()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request we can take, in the one error body, and close."""
        identifier = secrets.token_hex(12)
        body = encode_failure(failure(400, Code.MALFORMED_BODY, "This is not a valid HTTP request."), identifier)
        head: list[Any] = [
            b"HTTP/1.1 400 Bad Request\r\n",
            b"content-type: application/json\r\nconnection: close\r\n",
            b"content-length: %d\r\nrequest-id: %s\r\n\r\n" % (len(body), identifier.encode()),
        ]
        self.transport.write(b"".join([*head, body]))
        self.transport.close()

    def _body_late(self) -> None:
        """Give what has come since the clock was started its time, or close."""
        seconds, self._body_bytes = self._body_bytes / SLOWEST_BODY, 0
        if seconds:
            self._start_clock(seconds, self._body_late)
        else:
            self.transport.close()

    def _start_clock(self, seconds: float, late: Callable[[], None] | None = None) -> None:
        self._stop_clock()
        self._deadline = self.loop.call_later(seconds, late or self.transport.close)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
