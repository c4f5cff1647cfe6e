"""One request to one address and its answer. The only file that knows the HTTP client."""

from collections.abc import AsyncIterator, Iterable
from datetime import timedelta

from attrs import evolve
from pyreqwest.client import Client, ClientBuilder
from pyreqwest.exceptions import BuilderError, DetailedPyreqwestError, PyreqwestError, RequestTimeoutError
from pyreqwest.http import Url
from pyreqwest.request import RequestBuilder
from pyreqwest.response import Response

from service_server.onward.clients import Clients, Place
from service_server.onward.settings import OnwardSettings
from service_server.onward.target import Target
from service_server.onward.values import (
    HostNotAllowed,
    Interrupted,
    InvalidRequest,
    NotSent,
    OnwardRequest,
    OnwardResponse,
    Pour,
)

_IDLE_CONNECTIONS_PER_HOST = 64
_IDLE_SECONDS = 60
_CHUNK_BYTES = 64 * 1024
# What the client says of a body that it can't read; of a short one it reads the beginning before it gives the answer.
_IN_THE_BODY = "error decoding response body"
_METHODS_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class NoAnswer(Interrupted):
    """The connection broke after the request may have been sent, and before more than a little of an answer came."""

    def __init__(self, reason: str) -> None:
        super().__init__("broken_off", reason)


class Exchanger:
    """Sends over HTTP clients that connect to checked addresses only, and keep their idle connections."""

    def __init__(self, settings: OnwardSettings) -> None:
        self._settings = settings
        self._clients = Clients(lambda places: _build_client(settings, places))

    async def exchange(
        self, request: OnwardRequest, target: Target, address: str, timeout_seconds: float, pour: Pour | None = None
    ) -> OnwardResponse:
        """
        Send a request to an address of its target and read the whole answer, or `pour` its body if it is a 2xx.

        Where `pours_every_answer` is set, it is poured whatever its status is.

        Raises:
            NotSent: if no connection could be made.
            NoAnswer, Interrupted: if the request was, or may have been, sent, and no whole answer came.
        """
        prepared = self._prepare(request, target, address).timeout(timedelta(seconds=timeout_seconds))
        pours_every = self._settings.pours_every_answer
        if pour is not None and pours_every:
            prepared = prepared.streamed_read_buffer_limit(0)  # the head counts, even if nothing of the body follows
        response = None
        try:
            async with prepared.build_streamed() as response:
                if pour is not None and (pours_every or 200 <= response.status < 300):
                    head = OnwardResponse(response.status, _read_headers(response), b"", request.url)
                    return evolve(head, poured=await pour(head, _chunks(response)))
                body = await _read_body(response, self._settings.max_response_bytes)
                return OnwardResponse(response.status, _read_headers(response), body, request.url)
        except PyreqwestError as error:
            # "from None": the client's own message holds the URL, and its query may hold a credential.
            raise _failure(error, answering=response is not None) from None

    async def close(self) -> None:
        """Close every connection; requests under way are broken off."""
        for client in self._clients.let_go():
            await client.close()

    def _prepare(self, request: OnwardRequest, target: Target, address: str) -> RequestBuilder:
        try:
            url = Url(request.url)
            if (url.host_str or "").strip("[]") != target.host or url.port_or_known_default != target.port:
                raise HostNotAllowed("the URL's host can be read in two ways")
            prepared = self._clients.to(target.host, address).request(request.method, url)
            for name, value in request.headers:
                prepared = prepared.header(name, value, is_sensitive=True)
        except (BuilderError, ValueError):
            raise InvalidRequest("the request's URL or one of its headers is not valid") from None
        if request.streamed is not None:
            # With its length, since many apps take no body without one; it is then sent like any other.
            length = str(request.streamed.length)
            return prepared.header("content-length", length).body_stream(request.streamed.chunks())
        if request.body:
            return prepared.body_bytes(request.body)
        # Servers that want to know the length of every body refuse these methods without it (411).
        return prepared.header("content-length", "0") if request.method in _METHODS_WITH_BODY else prepared


def _build_client(settings: OnwardSettings, places: Iterable[Place]) -> Client:
    builder = (
        ClientBuilder()
        .no_proxy()  # a proxy would look the name up again, and see requests in the clear
        .follow_redirects(False)
        .referer(False)
        .user_agent(settings.user_agent)
        .connect_timeout(timedelta(seconds=settings.connect_timeout_seconds))
        .pool_max_idle_per_host(_IDLE_CONNECTIONS_PER_HOST)
        .pool_idle_timeout(timedelta(seconds=_IDLE_SECONDS))
    )
    for host, address in places:
        builder = builder.resolve(host, address, 0)
    if settings.extra_ca_pem:
        builder = builder.add_root_certificate_pem(settings.extra_ca_pem)
    return builder.build()


async def _chunks(response: Response) -> AsyncIterator[bytes]:
    try:
        while (chunk := await response.body_reader.read(_CHUNK_BYTES)) is not None:
            yield bytes(chunk)
    except PyreqwestError as error:  # for what is poured into, which doesn't know the HTTP client
        raise _failure(error, answering=True) from None


async def _read_body(response: Response, max_bytes: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    # The end is always read, since a connection is used again only after that.
    while (chunk := await response.body_reader.read(max_bytes + 1 - size)) is not None:
        size += len(chunk)
        if size > max_bytes:
            raise Interrupted("too_large", f"the app's answer is larger than {max_bytes} bytes")
        chunks.append(bytes(chunk))
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _read_headers(response: Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name in dict.fromkeys(response.headers):
        try:
            headers[name] = ", ".join(response.headers.getall(name))
        except ValueError:
            continue  # not ASCII, as every header that we act on must be
    return headers


def _failure(error: PyreqwestError, *, answering: bool) -> NotSent | Interrupted:
    causes = _causes(error)
    # The client's exception classes mix up connecting and sending; among the causes hyper names the phase. Any wording
    # that we don't know counts as sent: it is safer to assume that.
    connecting = "client error (Connect)" in causes
    if connecting and isinstance(error, RequestTimeoutError):
        return NotSent("the app did not accept a connection in time")
    if connecting:
        return NotSent(f"no connection to the app came about{_detail(causes)}")
    if isinstance(error, RequestTimeoutError):
        return Interrupted("timed_out", "the app did not answer in time")
    broke_off = f"the app's answer broke off{_detail(causes)}"
    if answering:
        return Interrupted("broken_off", broke_off)
    if _IN_THE_BODY in causes:
        return NoAnswer(broke_off)
    return NoAnswer(f"the connection broke before the app answered{_detail(causes)}")


def _causes(error: PyreqwestError) -> list[str]:
    details = error.details if isinstance(error, DetailedPyreqwestError) else None
    return [cause["message"] for cause in (details and details["causes"]) or ()]


def _detail(causes: list[str]) -> str:
    # The first cause holds the URL, and its query may hold a credential; the last one is what went wrong.
    return f" ({causes[-1]})" if len(causes) > 1 and "://" not in causes[-1] else ""
