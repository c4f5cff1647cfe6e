"""uvicorn's HTTP protocol with limits on what comes before the application sees a request, answered in our words."""

import asyncio
import secrets
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service_client.models import CONVERTER, Code, ErrorDetail, ErrorEnvelope
from service_server.rest.gateway import TARGET_LIMIT_MESSAGE
from service_server.rest.wire import encode

MAX_TARGET_BYTES = 64 * 1024
MAX_HEADER_BYTES = 64 * 1024
HEAD_SECONDS = 30.0
_REASONS = {400: b"Bad Request", 414: b"URI Too Long"}


class _TooLarge(Exception):
    """The head of a request is over a limit."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """Refuses an overlong target or head, and closes connections whose head does not arrive in time."""

    _head_bytes = 0
    _deadline: asyncio.TimerHandle | None = None

    def on_message_begin(self) -> None:
        """A request begins: its head has to arrive in time."""
        super().on_message_begin()
        self._head_bytes = 0
        self._stop_clock()
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def on_url(self, url: bytes) -> None:
        """A part of the target."""
        super().on_url(url)
        if len(self.url) > MAX_TARGET_BYTES:
            raise _TooLarge

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > MAX_HEADER_BYTES:
            raise _TooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._stop_clock()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._stop_clock()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request we can take, in the one error body, and close."""
        too_long = len(getattr(self, "url", b"")) > MAX_TARGET_BYTES
        status = 414 if too_long else 400
        code = Code.TARGET_TOO_LONG if too_long else Code.MALFORMED_BODY
        message = TARGET_LIMIT_MESSAGE.format(MAX_TARGET_BYTES) if too_long else "This is not a valid HTTP request."
        identifier = secrets.token_hex(12)
        detail = ErrorDetail(code=code, message=message)
        envelope = ErrorEnvelope(error=message, error_details=(detail,), request_id=identifier)
        body = encode(CONVERTER.unstructure(envelope))
        head: list[Any] = [
            b"HTTP/1.1 %d %s\r\n" % (status, _REASONS[status]),
            b"content-type: application/json\r\nconnection: close\r\n",
            b"content-length: %d\r\nrequest-id: %s\r\n\r\n" % (len(body), identifier.encode()),
        ]
        self.transport.write(b"".join([*head, body]))
        self.transport.close()

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
