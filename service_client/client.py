"""The two clients: `Client` blocks, `AsyncClient` is awaited; they are otherwise the same."""

from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from attrs import evolve

from service_client.errors import InvalidArgumentError
from service_client.plans import AsyncSession, AsyncTransport, Credentials, Lifetime, Session, Settings, Transport
from service_client.plans.exchange import checked_timeout
from service_client.resources import (
    Apps,
    AsyncApps,
    AsyncConnectedAccounts,
    AsyncConnectSessions,
    AsyncFiles,
    AsyncFunctions,
    AsyncSessionTokens,
    ConnectedAccounts,
    ConnectSessions,
    Files,
    Functions,
    SessionTokens,
)
from service_client.tokens import AsyncTokenKeeper, AsyncTokenSource, TokenKeeper, TokenSource
from service_client.transports import default_async_transport, default_transport

if TYPE_CHECKING:  # there is no HTTPX in Pyodide
    import httpx

DEFAULT_TIMEOUT = 60.0
"""Seconds; above the 30 that the service gives the third-party app by default."""

DEFAULT_RETRIES = 2


class Client:
    """
    Calls the service for one user of an application, blocking.

    Give exactly one of `hash` (as `sign` returns it), `secret` (only in a backend) and `token` (a session token, or a
    function that returns one and is called again once a token is rejected). With a token, `app_key` and `user_id` may
    be left out. With the secret, `user_id` may be left out if every request goes through a client made by `for_user`.

    `timeout` is in seconds and covers one attempt of a request, from looking up the name to the last byte of the
    answer; every method accepts its own. `retries` is how often a failed request is repeated, where that is safe: see
    docs/python-client.md.

    The client owns its connections, unless an `http_client` (for proxies, certificates, limits) or a `transport` is
    passed in. Closing the client does not close these.
    """

    apps: Apps
    functions: Functions
    files: Files
    connected_accounts: ConnectedAccounts
    connect_sessions: ConnectSessions
    session_tokens: SessionTokens

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
        http_client: "httpx.Client | None" = None,
        transport: Transport | None = None,
    ) -> None:
        credentials = Credentials.given(
            app_key=app_key, user_id=user_id, hash=hash, secret=secret, has_token=token is not None
        )
        settings = _settings(base_url, credentials, timeout, retries)
        _check_one_way(http_client, transport)
        self._owned_transport: Transport | None = None
        if http_client is not None:
            from service_client.transports.httpx import HttpxTransport

            transport = HttpxTransport(http_client)
        elif transport is None:
            transport = self._owned_transport = default_transport()
        self._open(Session(settings, transport, TokenKeeper(token or ""), Lifetime()))

    def _open(self, session: Session) -> None:
        self._session = session
        self.apps = Apps(session)
        self.functions = Functions(session)
        self.files = Files(session)
        self.connected_accounts = ConnectedAccounts(session)
        self.connect_sessions = ConnectSessions(session)
        self.session_tokens = SessionTokens(session)

    def for_user(self, user_id: str, *, hash: str | None = None, token: TokenSource | None = None) -> Self:
        """
        Return a client for another user of the application, which shares this client's connections and settings.

        It costs next to nothing, so make one wherever you need one. If this client was not given the secret, pass the
        user's hash or token. The new client need not be closed; closing this one closes it, too.
        """
        session = self._session
        credentials = session.settings.credentials.for_user(user_id, hash=hash, has_token=token is not None)
        client = object.__new__(type(self))
        client._owned_transport = None
        client._open(
            Session(
                evolve(session.settings, credentials=credentials),
                session.transport,
                TokenKeeper(token or ""),
                Lifetime(session.lifetime),
            )
        )
        return client

    def __repr__(self) -> str:
        return _repr(self, self._session.settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the client, those made by `for_user`, and the connections unless they were passed in."""
        self._session.lifetime.end()
        if self._owned_transport is not None:
            self._owned_transport.close()


class AsyncClient:
    """
    Calls the service for one user of an application; every method is awaited.

    Give exactly one of `hash` (as `sign` returns it), `secret` (only in a backend) and `token` (a session token, or a
    function, also a coroutine function, that returns one and is called again once a token is rejected). With a token,
    `app_key` and `user_id` may be left out. With the secret, `user_id` may be left out if every request goes through a
    client made by `for_user`.

    `timeout` is in seconds and covers one attempt of a request, from looking up the name to the last byte of the
    answer; every method accepts its own. `retries` is how often a failed request is repeated, where that is safe: see
    docs/python-client.md.

    The client owns its connections, unless an `http_client` (for proxies, certificates, limits) or a `transport` is
    passed in. Closing the client does not close these.
    """

    apps: AsyncApps
    functions: AsyncFunctions
    files: AsyncFiles
    connected_accounts: AsyncConnectedAccounts
    connect_sessions: AsyncConnectSessions
    session_tokens: AsyncSessionTokens

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
        http_client: "httpx.AsyncClient | None" = None,
        transport: AsyncTransport | None = None,
    ) -> None:
        credentials = Credentials.given(
            app_key=app_key, user_id=user_id, hash=hash, secret=secret, has_token=token is not None
        )
        settings = _settings(base_url, credentials, timeout, retries)
        _check_one_way(http_client, transport)
        self._owned_transport: AsyncTransport | None = None
        if http_client is not None:
            from service_client.transports.httpx import AsyncHttpxTransport

            transport = AsyncHttpxTransport(http_client)
        elif transport is None:
            transport = self._owned_transport = default_async_transport()
        self._open(AsyncSession(settings, transport, AsyncTokenKeeper(token or ""), Lifetime()))

    def _open(self, session: AsyncSession) -> None:
        self._session = session
        self.apps = AsyncApps(session)
        self.functions = AsyncFunctions(session)
        self.files = AsyncFiles(session)
        self.connected_accounts = AsyncConnectedAccounts(session)
        self.connect_sessions = AsyncConnectSessions(session)
        self.session_tokens = AsyncSessionTokens(session)

    def for_user(self, user_id: str, *, hash: str | None = None, token: AsyncTokenSource | None = None) -> Self:
        """
        Return a client for another user of the application, which shares this client's connections and settings.

        It costs next to nothing, so make one wherever you need one. If this client was not given the secret, pass the
        user's hash or token. The new client need not be closed; closing this one closes it, too.
        """
        session = self._session
        credentials = session.settings.credentials.for_user(user_id, hash=hash, has_token=token is not None)
        client = object.__new__(type(self))
        client._owned_transport = None
        client._open(
            AsyncSession(
                evolve(session.settings, credentials=credentials),
                session.transport,
                AsyncTokenKeeper(token or ""),
                Lifetime(session.lifetime),
            )
        )
        return client

    def __repr__(self) -> str:
        return _repr(self, self._session.settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the client, those made by `for_user`, and the connections unless they were passed in."""
        self._session.lifetime.end()
        if self._owned_transport is not None:
            await self._owned_transport.aclose()


def _check_one_way(http_client: object, transport: object) -> None:
    if http_client is not None and transport is not None:
        raise InvalidArgumentError("Give http_client or transport, not both.")


def _settings(base_url: str, credentials: Credentials, timeout: float, retries: int) -> Settings:
    if retries < 0:
        raise InvalidArgumentError("retries must not be below 0.")
    return Settings(
        base_url=_checked_base_url(base_url),
        credentials=credentials,
        timeout=checked_timeout(timeout),
        retries=retries,
    )


def _checked_base_url(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
        plain = parts.username is None and parts.password is None and not parts.query and not parts.fragment
    except ValueError:
        usable = plain = False
    if not usable or not plain or any(character.isspace() for character in base_url):
        raise InvalidArgumentError(
            "base_url must be the service's http or https address, without user, query or fragment, "
            "for example https://functions.example.com"
        )
    return base_url.rstrip("/")


def _repr(client: Client | AsyncClient, settings: Settings) -> str:
    user_id = settings.credentials.user_id
    return f"<{type(client).__name__} {settings.base_url} user_id={user_id!r}>"
