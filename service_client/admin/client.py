"""The two clients of the admin API: `AdminClient` blocks, `AsyncAdminClient` is awaited."""

from types import TracebackType
from typing import TYPE_CHECKING, Self

from service_client.admin.accounts import AdminAccounts, AsyncAdminAccounts
from service_client.admin.applications import AdminApplications, AsyncAdminApplications
from service_client.admin.apps import AdminApps, AsyncAdminApps
from service_client.admin.audit import AdminAudit, AsyncAdminAudit
from service_client.admin.calls import AdminCalls, AsyncAdminCalls
from service_client.admin.keys import AdminKeys, AsyncAdminKeys
from service_client.admin.operators import AdminOperators, AsyncAdminOperators
from service_client.admin.users import AdminUsers, AsyncAdminUsers
from service_client.admin.webhooks import AdminWebhooks, AsyncAdminWebhooks
from service_client.client import DEFAULT_RETRIES, DEFAULT_TIMEOUT, AsyncClient, Client
from service_client.plans import AsyncTransport, Transport

if TYPE_CHECKING:
    import httpx


class AdminClient:
    """
    Administers a service with a key of the admin API, blocking.

    What the key's role doesn't allow raises PermissionDeniedError. The other parameters are those of
    `Client`.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        http_client: "httpx.Client | None" = None,
        transport: Transport | None = None,
    ) -> None:
        self._client = Client(
            base_url, token=key, timeout=timeout, retries=retries, http_client=http_client, transport=transport
        )
        session = self._client._session  # pyright: ignore[reportPrivateUsage]  a key is sent as a token is
        self.applications = AdminApplications(session)
        self.apps = AdminApps(session)
        self.accounts = AdminAccounts(session)
        self.users = AdminUsers(session)
        self.calls = AdminCalls(session)
        self.webhooks = AdminWebhooks(session)
        self.operators = AdminOperators(session)
        self.keys = AdminKeys(session)
        self.audit = AdminAudit(session)

    def __repr__(self) -> str:
        return f"<AdminClient {self._client._session.settings.base_url}>"  # pyright: ignore[reportPrivateUsage]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the client, and the connections unless they were passed in."""
        self._client.close()


class AsyncAdminClient:
    """
    Administers a service with a key of the admin API; every method is awaited.

    What the key's role doesn't allow raises PermissionDeniedError. The other parameters are those of
    `AsyncClient`.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        http_client: "httpx.AsyncClient | None" = None,
        transport: AsyncTransport | None = None,
    ) -> None:
        self._client = AsyncClient(
            base_url, token=key, timeout=timeout, retries=retries, http_client=http_client, transport=transport
        )
        session = self._client._session  # pyright: ignore[reportPrivateUsage]  a key is sent as a token is
        self.applications = AsyncAdminApplications(session)
        self.apps = AsyncAdminApps(session)
        self.accounts = AsyncAdminAccounts(session)
        self.users = AsyncAdminUsers(session)
        self.calls = AsyncAdminCalls(session)
        self.webhooks = AsyncAdminWebhooks(session)
        self.operators = AsyncAdminOperators(session)
        self.keys = AsyncAdminKeys(session)
        self.audit = AsyncAdminAudit(session)

    def __repr__(self) -> str:
        return f"<AsyncAdminClient {self._client._session.settings.base_url}>"  # pyright: ignore[reportPrivateUsage]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the client, and the connections unless they were passed in."""
        await self._client.aclose()
