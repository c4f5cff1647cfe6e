"""
A limit on a whole blocking request, which HTTPX does not have: it limits every single read, write and connect.

A server that sends a byte a second never meets such a limit. So every read and write gets only the time left until the
deadline of its request. Connecting happens in a thread of its own, since looking up a name cannot be given a limit at
all, and trying several addresses takes the limit several times.
"""

import time
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from ssl import SSLContext
from threading import Thread
from typing import Any

import httpcore

_DEADLINE: ContextVar[float | None] = ContextVar("_DEADLINE", default=None)
# A receiver that takes little at a time must not get a new limit for every bit.
_PORTION = 65536


@contextmanager
def deadline(moment: float) -> Generator[None, None, None]:
    """Stop every request that is sent inside at a moment of `time.monotonic()`."""
    token = _DEADLINE.set(moment)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def heed_deadlines(client: Any) -> None:
    """
    Make an `httpx.Client` keep to `deadline`; elsewhere it works as before.

    HTTPX offers no way to give its pools our own network and still take proxies from the environment. A transport
    without such a pool is left as it is.
    """
    for transport in (client._transport, *client._mounts.values()):
        pool = getattr(transport, "_pool", None)
        backend = getattr(pool, "_network_backend", None)
        if isinstance(backend, httpcore.NetworkBackend) and not isinstance(backend, _Network):
            setattr(pool, "_network_backend", _Network(backend))  # noqa: B010  HTTPX does not declare it


class _Network(httpcore.NetworkBackend):
    """Wraps a network so that its connections keep to the deadline of the request they are used for."""

    def __init__(self, network: httpcore.NetworkBackend) -> None:
        self._network = network

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect, or give up at the deadline."""
        limit = _left(timeout, httpcore.ConnectTimeout)
        outcome: Future[httpcore.NetworkStream] = Future()

        def connect() -> None:
            try:
                outcome.set_result(self._network.connect_tcp(host, port, limit, local_address, socket_options))
            except Exception as error:
                outcome.set_exception(error)

        Thread(target=connect, name="service_client connecting", daemon=True).start()
        try:
            return _Stream(outcome.result(limit))
        except BaseException as error:
            outcome.add_done_callback(_close_unused)
            if isinstance(error, TimeoutError):
                raise httpcore.ConnectTimeout("no connection in the time for the request") from error
            raise

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        """Connect, or give up at the deadline."""
        limit = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._network.connect_unix_socket(path, limit, socket_options))

    def sleep(self, seconds: float) -> None:
        """Let some seconds pass."""
        self._network.sleep(seconds)


class _Stream(httpcore.NetworkStream):
    """A connection in which every step gets only the time left until the deadline."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what is there, or wait for it."""
        return self._stream.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of it."""
        for start in range(0, len(buffer), _PORTION):
            self._stream.write(buffer[start : start + _PORTION], _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Switch to TLS."""
        limit = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, limit))

    def get_extra_info(self, info: str) -> Any:
        """Return what the connection itself says."""
        return self._stream.get_extra_info(info)


def _close_unused(outcome: Future[httpcore.NetworkStream]) -> None:
    if outcome.exception() is None:
        outcome.result().close()


def _left(timeout: float | None, too_late: type[Exception]) -> float | None:
    """Return the seconds for one step: its own limit, or those left until the deadline if they are fewer."""
    until = _DEADLINE.get()
    if until is None:
        return timeout
    left = until - time.monotonic()
    if left <= 0:
        raise too_late("the time for the request is over")
    return left if timeout is None else min(timeout, left)
