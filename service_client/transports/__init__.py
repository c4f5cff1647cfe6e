"""How requests travel: HTTPX on CPython, `fetch` in Pyodide, a handler of your own in tests."""

import sys

from service_client.plans import AsyncTransport, Transport

# A variable, because type checkers take `sys.platform` to be that of the machine they run on.
_PLATFORM: str = sys.platform


def default_transport() -> Transport:
    """Return the blocking transport of this Python."""
    if _PLATFORM == "emscripten":
        from service_client.transports.fetch import FetchTransport

        return FetchTransport()
    from service_client.transports.httpx import HttpxTransport

    return HttpxTransport()


def default_async_transport() -> AsyncTransport:
    """Return the awaiting transport of this Python."""
    if _PLATFORM == "emscripten":
        from service_client.transports.fetch import AsyncFetchTransport

        return AsyncFetchTransport()
    from service_client.transports.httpx import AsyncHttpxTransport

    return AsyncHttpxTransport()
