"""
Requests over the browser's `fetch`, for Python in Pyodide.

`js` and `pyodide` are imported when they are used, so that the module can be imported and tested on CPython and a
memory snapshot of the interpreter holds no JavaScript objects. They carry no types, hence `import_module` and `Any`.
"""

import asyncio
import time
from collections.abc import Coroutine
from importlib import import_module
from typing import Any, TypeVar

from service_client.errors import ServiceUnreachableError, UnsupportedEnvironmentError
from service_client.plans import HttpRequest, Response, Upload
from service_client.transports.limits import check_size, origin, timed_out

T = TypeVar("T")

# Browsers set these themselves and warn about, or refuse, requests that try to.
_FORBIDDEN_HEADERS = frozenset(
    ["accept-encoding", "connection", "content-length", "cookie", "host", "origin", "referer", "user-agent"]
)


class AsyncFetchTransport:
    """Awaited requests."""

    async def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer; it is aborted when it takes too long or nobody waits for it."""
        controller: Any = import_module("js").AbortController.new()
        try:
            async with asyncio.timeout(request.timeout):
                return await _fetch(request, controller.signal)
        except TimeoutError as error:
            raise timed_out(request) from error
        finally:
            # This has no effect on a complete request.
            controller.abort()

    async def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        await asyncio.sleep(seconds)

    def now(self) -> float:
        """Return the time in seconds since some moment."""
        return time.monotonic()

    async def aclose(self) -> None:
        """Do nothing: the browser owns the connections."""


class FetchTransport:
    """Blocking requests where WebAssembly can be suspended; elsewhere each raises `UnsupportedEnvironmentError`."""

    def __init__(self) -> None:
        self._transport = AsyncFetchTransport()

    def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer."""
        return _run_blocking(self._transport.send(request))

    def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        _run_blocking(asyncio.sleep(seconds))

    def now(self) -> float:
        """Return the time in seconds since some moment."""
        return time.monotonic()

    def close(self) -> None:
        """Do nothing: the browser owns the connections."""


async def _fetch(request: HttpRequest, signal: Any) -> Response:
    js: Any = import_module("js")
    ffi: Any = import_module("pyodide.ffi")
    headers = {name: value for name, value in request.headers.items() if name.lower() not in _FORBIDDEN_HEADERS}
    options: dict[str, Any] = {
        "method": request.method,
        "headers": headers,
        "signal": signal,
        "redirect": "manual",
        "credentials": "omit",
        "cache": "no-store",
        "referrerPolicy": "no-referrer",
    }
    if request.content is not None:
        options["body"] = _body(request.content)
    try:
        answer: Any = await js.fetch(request.url, ffi.to_js(options, dict_converter=js.Object.fromEntries))
        content = await _read(answer)
    except ffi.JsException as error:
        # A browser tells scripts no more than this, so that they can't explore the user's network.
        raise ServiceUnreachableError(
            f"{origin(request)} cannot be reached, or does not allow requests from this page. Check base_url, "
            "the application's allowed origins and the page's Content-Security-Policy (connect-src)."
        ) from error
    return Response(int(answer.status), content, dict(js.Object.fromEntries(answer.headers).to_py()))


def _body(content: bytes | Upload) -> Any:
    """Return what `fetch` sends; the browser's Blob or File is passed as an object and never read into our memory."""
    if isinstance(content, bytes):
        return content
    blob = getattr(content, "blob", None)
    return b"".join(content.chunks()) if blob is None else blob


async def _read(answer: Any) -> bytes:
    if not answer.body:  # JavaScript's null, which newer Pyodides do not turn into None
        return b""
    content = bytearray()
    reader = answer.body.getReader()
    while not (chunk := await reader.read()).done:
        content += chunk.value.to_bytes()
        check_size(len(content), int(answer.status))
    return bytes(content)


def _run_blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    ffi: Any = import_module("pyodide.ffi")
    if not ffi.can_run_sync():
        coroutine.close()
        raise UnsupportedEnvironmentError(
            "This browser cannot block on a request here (it lacks WebAssembly stack switching, or Python was not "
            "started by an asynchronous call). Use AsyncClient."
        )
    result: T = ffi.run_sync(coroutine)
    return result
