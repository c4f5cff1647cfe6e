"""The two clients: `Client` blocks, `AsyncClient` is awaited; they are otherwise the same."""

from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from service_client.errors import InvalidArgument
from service_client.models import sign
from service_client.plans import AsyncSession, AsyncTransport, Credentials, Session, Settings, Transport
from service_client.plans.credentials import check_user_id
from service_client.resources import (
    Apps,
    AsyncApps,
    AsyncConnectedAccounts,
    AsyncConnectSessions,
    AsyncFunctions,
    AsyncSessionTokens,
    ConnectedAccounts,
    ConnectSessions,
    Functions,
    SessionTokens,
)
from service_client.tokens import AsyncTokenKeeper, AsyncTokenSource, TokenKeeper, TokenSource
from service_client.transports import default_async_transport, default_transport

DEFAULT_TIMEOUT = 60.0
"""Seconds; above the 30 that the service gives the third-party app by default."""

DEFAULT_RETRIES = 2


class Client:
    """
    Calls the service for one user of an application, blocking.

    Give exactly one of `hash` (as `sign` returns it), `secret` (only in a backend) and `token` (a session token, or a
    function that returns one and is called again once a token is rejected). With a token, `app_key` and `user_id` may
    be left out. `timeout` is in seconds and covers one request; `retries` is how often a read that failed is repeated.
    A `transport` that is passed in, say one `service_client.transports.httpx.HttpxTransport` that the clients of many
    users share, is not closed with the client.
    """

    def __init__(
        self,
        base_url: str,
        *,
        app_key: str | None = None,
        user_id: str | None = None,
        hash: str | None = None,
        secret: str | None = None,
        token: TokenSource | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        transport: Transport | None = None,
    ) -> None:
        credentials = _credentials(app_key, user_id, hash, secret, token is not None)
        self._settings = _settings(base_url, credentials, timeout, retries)
        self._transport = default_transport() if transport is None else transport
        self._owns_transport = transport is None
        session = Session(self._settings, self._transport, TokenKeeper(token or ""))
        self.apps = Apps(session)
        self.functions = Functions(session)
        self.connected_accounts = ConnectedAccounts(session)
        self.connect_sessions = ConnectSessions(session)
        self.session_tokens = SessionTokens(session)

    def __repr__(self) -> str:
        return _repr(self, self._settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, unless a transport was passed in."""
        if self._owns_transport:
            self._transport.close()


class AsyncClient:
    """
    Calls the service for one user of an application; every method is awaited.

    Give exactly one of `hash` (as `sign` returns it), `secret` (only in a backend) and `token` (a session token, or a
    function, also a coroutine function, that returns one and is called again once a token is rejected). With a token,
    `app_key` and `user_id` may be left out. `timeout` is in seconds and covers one request; `retries` is how often a
    read that failed is repeated. A `transport` that is passed in, say one
    `service_client.transports.httpx.AsyncHttpxTransport` that the clients of many users share, is not closed with the
    client.
    """

    def __init__(
        self,
        base_url: str,
        *,
        app_key: str | None = None,
        user_id: str | None = None,
        hash: str | None = None,
        secret: str | None = None,
        token: AsyncTokenSource | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        transport: AsyncTransport | None = None,
    ) -> None:
        credentials = _credentials(app_key, user_id, hash, secret, token is not None)
        self._settings = _settings(base_url, credentials, timeout, retries)
        self._transport = default_async_transport() if transport is None else transport
        self._owns_transport = transport is None
        session = AsyncSession(self._settings, self._transport, AsyncTokenKeeper(token or ""))
        self.apps = AsyncApps(session)
        self.functions = AsyncFunctions(session)
        self.connected_accounts = AsyncConnectedAccounts(session)
        self.connect_sessions = AsyncConnectSessions(session)
        self.session_tokens = AsyncSessionTokens(session)

    def __repr__(self) -> str:
        return _repr(self, self._settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections, unless a transport was passed in."""
        if self._owns_transport:
            await self._transport.aclose()


def _credentials(
    app_key: str | None, user_id: str | None, hash: str | None, secret: str | None, has_token: bool
) -> Credentials:
    if (hash is not None) + (secret is not None) + has_token != 1:
        raise InvalidArgument("Give exactly one of hash, secret and token.")
    if not has_token and (app_key is None or user_id is None):
        raise InvalidArgument("app_key and user_id are needed, except with a token.")
    if secret is not None and user_id is not None:
        if not secret:
            raise InvalidArgument("secret must not be empty.")
        check_user_id(user_id)
        hash = sign(user_id, secret)
    return Credentials(app_key=app_key, user_id=user_id, hash=hash)


def _settings(base_url: str, credentials: Credentials, timeout: float, retries: int) -> Settings:
    if not timeout > 0 or retries < 0:
        raise InvalidArgument("timeout must be above 0 seconds, and retries not below 0.")
    return Settings(base_url=_checked_base_url(base_url), credentials=credentials, timeout=timeout, retries=retries)


def _checked_base_url(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
        plain = parts.username is None and parts.password is None and not parts.query and not parts.fragment
    except ValueError:
        usable = plain = False
    if not usable or not plain or any(character.isspace() for character in base_url):
        raise InvalidArgument(
            "base_url must be the service's http or https address, without user, query or fragment, "
            "for example https://functions.example.com"
        )
    return base_url.rstrip("/")


def _repr(client: Client | AsyncClient, settings: Settings) -> str:
    user_id = settings.credentials.user_id
    return f"<{type(client).__name__} {settings.base_url} user_id={user_id!r}>"
