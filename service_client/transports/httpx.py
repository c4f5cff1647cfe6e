"""Requests over HTTPX; proxies and certificates come from the environment, as HTTPX reads them."""

import asyncio
import platform
import time
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from service_client.errors import ClientClosedError, ServiceUnreachableError
from service_client.plans import HttpRequest, Response, Upload
from service_client.transports.deadlines import deadline, heed_deadlines
from service_client.transports.limits import check_size, origin, timed_out

_NOTHING_SENT = (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
_NOTHING_SENT_IN_TIME = (httpx.ConnectTimeout, httpx.PoolTimeout)


class HttpxTransport:
    """Blocking requests; pass an `httpx.Client` to set proxies or certificates, and close it yourself."""

    def __init__(self, client: httpx.Client | None = None) -> None:
        self._client = httpx.Client() if client is None else client
        self._owned = client is None
        self._user_agent = _user_agent(self._client.headers)
        heed_deadlines(self._client)

    def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer."""
        _check_open(self._client.is_closed)
        until = time.monotonic() + request.timeout
        with (
            _mapped_errors(request),
            deadline(until),
            self._client.stream(
                request.method,
                request.url,
                headers={**request.headers, **_framing(request), "User-Agent": self._user_agent},
                content=request.content.chunks() if isinstance(request.content, Upload) else request.content,
                timeout=request.timeout,
                follow_redirects=False,
            ) as answer,
        ):
            content = bytearray()
            for chunk in answer.iter_bytes():
                content += chunk
                check_size(len(content), answer.status_code)
                if time.monotonic() > until:  # a passed-in client's transport may not know deadlines
                    raise timed_out(request)
        return Response(answer.status_code, bytes(content), dict(answer.headers))

    def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        time.sleep(seconds)

    def now(self) -> float:
        """Return the time in seconds since some moment."""
        return time.monotonic()

    def close(self) -> None:
        """Close the connections, unless they were passed in."""
        if self._owned:
            self._client.close()


class AsyncHttpxTransport:
    """Awaited requests; pass an `httpx.AsyncClient` to set proxies or certificates, and close it yourself."""

    def __init__(self, client: httpx.AsyncClient | None = None) -> None:
        self._client = httpx.AsyncClient() if client is None else client
        self._owned = client is None
        self._user_agent = _user_agent(self._client.headers)

    async def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer."""
        _check_open(self._client.is_closed)
        progress = _Progress()
        try:
            async with asyncio.timeout(request.timeout):
                return await self._send(request, progress)
        except TimeoutError as error:
            raise timed_out(request, not progress.connecting) from error

    async def _send(self, request: HttpRequest, progress: "_Progress") -> Response:
        with _mapped_errors(request):
            async with self._client.stream(
                request.method,
                request.url,
                headers={**request.headers, **_framing(request), "User-Agent": self._user_agent},
                content=_awaited(request.content) if isinstance(request.content, Upload) else request.content,
                timeout=request.timeout,
                follow_redirects=False,
                extensions={"trace": progress},
            ) as answer:
                content = bytearray()
                async for chunk in answer.aiter_bytes():
                    content += chunk
                    check_size(len(content), answer.status_code)
        return Response(answer.status_code, bytes(content), dict(answer.headers))

    async def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        await asyncio.sleep(seconds)

    def now(self) -> float:
        """Return the time in seconds since some moment."""
        return time.monotonic()

    async def aclose(self) -> None:
        """Close the connections, unless they were passed in."""
        if self._owned:
            await self._client.aclose()


class _Progress:
    """Listens to HTTPX: while it connects, nothing of the request has been sent."""

    def __init__(self) -> None:
        self.connecting = False

    async def __call__(self, event: str, info: object) -> None:
        step, _, state = event.rpartition(".")
        if step in ("connection.connect_tcp", "connection.start_tls"):
            self.connecting = state != "complete"


def _framing(request: HttpRequest) -> dict[str, str]:
    """Return the header with the length of an upload, if that is known."""
    size = request.content.size if isinstance(request.content, Upload) else None
    return {} if size is None else {"Content-Length": str(size)}


async def _awaited(upload: Upload) -> AsyncIterator[bytes]:
    """Yield the chunks of an upload, read outside the event loop: the disk they come from may be slow."""
    chunks = upload.chunks()
    while chunk := await asyncio.to_thread(next, chunks, b""):
        yield chunk


def _user_agent(headers: httpx.Headers) -> str:
    """Return the versions in use, after what a passed-in client says about itself."""
    from service_client import __version__

    given = headers.get("User-Agent", "")
    told = "" if given.startswith("python-httpx/") else f"{given} "
    return f"{told}service-client/{__version__} python/{platform.python_version()} httpx/{httpx.__version__}".strip()


def _check_open(is_closed: bool) -> None:
    if is_closed:
        raise ClientClosedError("The connections of this client are closed: it needs an open http_client or transport.")


def _advice(request: HttpRequest, error: httpx.RequestError) -> str:
    """Say what to look at where nothing could be sent: also the proxy, which may be the one that can't be reached."""
    if isinstance(error, httpx.ProxyError):
        return "That is what the proxy says: check it, and base_url."
    address = urlsplit(request.url)
    if getproxies().get(address.scheme) and not proxy_bypass(address.hostname or ""):
        variable = f"{address.scheme.upper()}_PROXY"
        return f"Check base_url, that the service is running, and the proxy that the environment names ({variable})."
    return "Check base_url and that the service is running."


@contextmanager
def _mapped_errors(request: HttpRequest) -> Generator[None, None, None]:
    """Raise this client's errors in place of HTTPX's; nothing else knows those."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise timed_out(request, not isinstance(error, _NOTHING_SENT_IN_TIME)) from error
    except httpx.RequestError as error:
        if isinstance(error, _NOTHING_SENT):
            problem, advice = "cannot be reached", _advice(request, error)
        else:
            problem, advice = "broke the connection off", "A write may have taken effect; look before repeating it."
        raise ServiceUnreachableError(
            f"{origin(request)} {problem}: {str(error).rstrip('.') or type(error).__name__}. {advice}",
            not isinstance(error, _NOTHING_SENT),
        ) from error
    except httpx.InvalidURL as error:
        raise ServiceUnreachableError(f"{origin(request)} is not an address: {error}.", False) from error
