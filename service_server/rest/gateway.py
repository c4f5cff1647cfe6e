"""
The outermost layer of every request: its id, its headers, its limits, and which browser origins may read the answer.

Plain ASGI, because it must also cover what the framework answers by itself.
"""

import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from litestar.status_codes import HTTP_405_METHOD_NOT_ALLOWED

from service_client.models import Code
from service_server.errors import failure
from service_server.html_pages.addresses import path_of, reached_below
from service_server.rest.authentication import Authenticator
from service_server.rest.methods import Methods, has_head
from service_server.rest.wire import Send, send_failure
from service_server.settings import Settings

SERVICE_VERSION = "2026-11-21"
# The last four belong to the Model Context Protocol.
ALLOW_HEADERS = (
    "App-Key, Hash, User-ID, Authorization, Content-Type, Idempotency-Key, "
    "Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id"
)
EXPOSE_HEADERS = (
    "Request-Id, Retry-After, Server-Timing, Service-Version, Idempotency-Replayed, Mcp-Session-Id, WWW-Authenticate"
)
ALLOW_METHODS = "GET, POST, DELETE"
PREFLIGHT_SECONDS = 600
TARGET_LIMIT_MESSAGE = "The path and query are longer than {} bytes."
OPERATORS_ELSEWHERE = "operators_elsewhere"  # key in the scope's state: this address knows nothing of operators
_SLASHES = re.compile("/+")
TARGET_TOO_LONG = "target_too_long"  # key in the scope's state: the server found the target too long and cut it
_PASSTHROUGH = re.compile(r"/([a-z][a-z0-9_]*-passthrough-request)/?")
# Whoever opens a connect page's address first can use it, so it is not logged.
_ONE_TIME = re.compile(r"^(/connect/|/connect_sessions/)[^/]+")
LONGEST_LOGGED_PATH = 300
LONGEST_ADDRESS = 64
ADMIN = "/admin/"
# What has an address of its own if operators have set one, and what else is answered there: the pages' styles and
# icons, the description, and whether the service is well.
_OF_OPERATORS = ("/console", ADMIN)
_BESIDE = ("/assets/", "/icons/", "/openapi.json", "/health", "/ready")
NOTHING_HERE = "There is nothing at this path. /openapi.json lists what there is."
_NOT_API = ("/console", "/connect/", "/oauth/", "/assets/", "/servicejs/", "/icons/", "/pyodide/")

_LOG = structlog.get_logger(__name__)

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Application = Callable[[Any, Any, Any], Awaitable[None]]


class Gateway:
    """Wraps the application; `close` has what is under way answered when the service goes down."""

    def __init__(
        self,
        application: Application,
        authenticator: Authenticator,
        methods: Methods,
        settings: Settings,
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self.close = close
        self._users_below = path_of(settings.public_url)
        self._operators_below = path_of(settings.console_url)
        self._application = application
        self._authenticator = authenticator
        self._methods = methods
        self._max_target_bytes = settings.max_target_bytes
        self._leaving = False

    async def for_users(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer where users are, who find nothing of what is for operators."""
        scope.setdefault("state", {})[OPERATORS_ELSEWHERE] = True
        reached_below(self._users_below)
        await self.answer(scope, receive, send, lambda path: not path.startswith(_OF_OPERATORS))

    async def for_operators(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer where operators are, who find only what is for them."""
        reached_below(self._operators_below)
        await self.answer(scope, receive, send, lambda path: path.startswith((*_OF_OPERATORS, *_BESIDE)))

    def leave(self) -> None:
        """From now on tell each connection to close once it is answered: others have taken over."""
        self._leaving = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        reached_below(self._users_below)
        await self.answer(scope, receive, send, lambda path: True)

    async def answer(self, scope: Scope, receive: Receive, send: Send, is_here: Callable[[str], bool]) -> None:
        """Answer one request at an address at which only some paths are there; every request comes through here."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        identifier = secrets.token_hex(12)
        scope.setdefault("state", {})["request_id"] = identifier
        structlog.contextvars.bind_contextvars(request_id=identifier)  # for every line of the log about this request
        headers = [(b"request-id", identifier.encode()), (b"service-version", SERVICE_VERSION.encode())]
        if self._leaving:
            headers.append((b"connection", b"close"))
        if not is_here(_SLASHES.sub("/", scope["path"])):
            nothing = failure(404, Code.NOT_FOUND, NOTHING_HERE)
            began = time.perf_counter()
            await send_failure(_adding(headers, scope, self._methods, began, send), nothing, identifier)
            return
        if not scope["path"].startswith(_NOT_API):
            # The answer belongs to one user, and a cache on the way could not tell users apart by the address.
            headers += [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
        if not scope["path"].startswith((*_NOT_API, ADMIN)):  # no page, whatever its origin, may use the admin API
            headers.append((b"vary", b"Origin"))
            origin = next((value for name, value in scope["headers"] if name == b"origin"), None)
            if origin is not None and await self._authenticator.allows_origin(origin.decode("latin-1")):
                headers.append((b"access-control-allow-origin", origin))
                headers.append((b"access-control-expose-headers", EXPOSE_HEADERS.encode()))
            if _is_preflight(scope):
                await _answer_preflight(send, headers)
                return
            # The spec's second path of the passthrough function is the same call.
            if match := _PASSTHROUGH.fullmatch(scope["path"]):
                scope["path"] = f"/functions/{match[1]}"
                scope["raw_path"] = scope["path"].encode()
        began = time.perf_counter()
        _shorten_client(scope)
        target_bytes = len(scope.get("raw_path") or b"") + len(scope["query_string"])
        if scope["state"].get(TARGET_TOO_LONG) or target_bytes > self._max_target_bytes:
            refusal = failure(414, Code.TARGET_TOO_LONG, TARGET_LIMIT_MESSAGE.format(self._max_target_bytes))
            await send_failure(_adding(headers, scope, self._methods, began, send), refusal, identifier)
            return
        send = _adding(headers, scope, self._methods, began, send)
        if scope["method"] == "OPTIONS" and (allow := self._methods.of(scope["path"])) is not None:
            await _answer_options(send, allow)
        elif scope["method"] == "HEAD" and has_head(scope["path"]):
            await self._application({**scope, "method": "GET"}, receive, _without_body(send))
        else:
            await self._application(scope, receive, send)


def logged_path(path: str) -> str:
    """A path as it may stand in a log."""
    return _ONE_TIME.sub(r"\1…", path[:LONGEST_LOGGED_PATH])


def _shorten_client(scope: Scope) -> None:
    """What a proxy says of a client may be anything; no address is longer than this."""
    client = scope.get("client")
    if client is not None and len(client[0]) > LONGEST_ADDRESS:
        scope["client"] = (client[0][:LONGEST_ADDRESS], client[1])


def _adding(headers: list[tuple[bytes, bytes]], scope: Scope, methods: Methods, began: float, send: Send) -> Send:
    """Add the headers to the answer, and note it in the access log: never the query, where prompts travel."""

    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            given = message.get("headers", ())
            if message["status"] == HTTP_405_METHOD_NOT_ALLOWED and (allow := methods.of(scope["path"])) is not None:
                given = [*(each for each in given if each[0].lower() != b"allow"), (b"allow", allow.encode())]
            message["headers"] = [*given, *headers]
            _LOG.info(
                "request.answered",
                method=scope["method"],
                path=logged_path(scope["path"]),
                status=message["status"],
                client=scope["client"][0] if scope.get("client") else None,
                ms=round((time.perf_counter() - began) * 1000, 2),
            )
        await send(message)

    return send_with_headers


def _without_body(send: Send) -> Send:
    """Pass on an answer without its body, whose length the headers still tell."""

    async def send_without_body(message: Any) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_without_body


async def _answer_options(send: Send, allow: str) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": [(b"allow", allow.encode())]})
    await send({"type": "http.response.body", "body": b""})


def _is_preflight(scope: Scope) -> bool:
    names = {name for name, _ in scope["headers"]}
    return scope["method"] == "OPTIONS" and {b"origin", b"access-control-request-method"} <= names


async def _answer_preflight(send: Send, headers: list[tuple[bytes, bytes]]) -> None:
    headers = [
        *headers,
        (b"access-control-allow-methods", ALLOW_METHODS.encode()),
        (b"access-control-allow-headers", ALLOW_HEADERS.encode()),
        (b"access-control-max-age", str(PREFLIGHT_SECONDS).encode()),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
