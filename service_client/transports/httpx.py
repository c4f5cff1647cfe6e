"""Requests over HTTPX; proxies and certificates come from the environment, as HTTPX reads them."""

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager

import httpx

from service_client.errors import ServiceUnreachable
from service_client.plans import HttpRequest, Response
from service_client.transports.limits import check_size, origin, timed_out

_NOTHING_SENT = (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
_NOTHING_SENT_IN_TIME = (httpx.ConnectTimeout, httpx.PoolTimeout)


class HttpxTransport:
    """Blocking requests; pass an `httpx.Client` to set proxies or certificates, and close it yourself."""

    def __init__(self, client: httpx.Client | None = None) -> None:
        self._client = client or httpx.Client()
        self._owned = client is None

    def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer."""
        # HTTPX limits every single read; this limits them all together, for answers that trickle in.
        deadline = time.monotonic() + request.timeout
        with (
            _mapped_errors(request),
            self._client.stream(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
                timeout=request.timeout,
                follow_redirects=False,
            ) as answer,
        ):
            content = bytearray()
            for chunk in answer.iter_bytes():
                content += chunk
                check_size(len(content), answer.status_code)
                if time.monotonic() > deadline:
                    raise timed_out(request)
        return Response(answer.status_code, bytes(content), dict(answer.headers))

    def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        time.sleep(seconds)

    def close(self) -> None:
        """Close the connections, unless they were passed in."""
        if self._owned:
            self._client.close()


class AsyncHttpxTransport:
    """Awaited requests; pass an `httpx.AsyncClient` to set proxies or certificates, and close it yourself."""

    def __init__(self, client: httpx.AsyncClient | None = None) -> None:
        self._client = client or httpx.AsyncClient()
        self._owned = client is None

    async def send(self, request: HttpRequest, /) -> Response:
        """Send a request and return the whole answer."""
        try:
            async with asyncio.timeout(request.timeout):
                return await self._send(request)
        except TimeoutError as error:
            raise timed_out(request) from error

    async def _send(self, request: HttpRequest) -> Response:
        with _mapped_errors(request):
            async with self._client.stream(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
                timeout=request.timeout,
                follow_redirects=False,
            ) as answer:
                content = bytearray()
                async for chunk in answer.aiter_bytes():
                    content += chunk
                    check_size(len(content), answer.status_code)
        return Response(answer.status_code, bytes(content), dict(answer.headers))

    async def sleep(self, seconds: float, /) -> None:
        """Let some seconds pass."""
        await asyncio.sleep(seconds)

    async def aclose(self) -> None:
        """Close the connections, unless they were passed in."""
        if self._owned:
            await self._client.aclose()


@contextmanager
def _mapped_errors(request: HttpRequest) -> Generator[None, None, None]:
    """Raise this client's errors in place of HTTPX's; the only place that knows those."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise timed_out(request, not isinstance(error, _NOTHING_SENT_IN_TIME)) from error
    except httpx.RequestError as error:
        if isinstance(error, _NOTHING_SENT):
            problem, advice = "cannot be reached", "Check base_url and that the service is running."
        else:
            problem, advice = "broke the connection off", "A write may have taken effect; look before repeating it."
        raise ServiceUnreachable(
            f"{origin(request)} {problem}: {str(error) or type(error).__name__}. {advice}",
            not isinstance(error, _NOTHING_SENT),
        ) from error
    except httpx.InvalidURL as error:
        raise ServiceUnreachable(f"{origin(request)} is not an address: {error}.", False) from error
