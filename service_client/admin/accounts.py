"""Connected accounts, whose ever they are."""

from service_client.admin.lists import pages
from service_client.models.administration import Account, Accounts
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "accounts")


class _Accounts:
    @listed
    def list(
        self,
        *,
        application: int | None = None,
        user: str | None = None,
        app: str | None = None,
        state: str | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[Account]]:
        """List accounts, those connected last first; `state` is active or reconnect_required."""
        query = {"application": application, "user": user, "app": app, "state": state, "limit": limit}
        return pages(("accounts",), Accounts, query, cursor, timeout)

    @operation
    def get(self, id: int, *, timeout: float | None = None) -> Plan[Account]:
        """Fetch one account."""
        response = yield Request("GET", (*_PATH, str(id)), timeout=timeout)
        return read(response, Account)

    @operation
    def disconnect(self, id: int, *, timeout: float | None = None) -> Plan[None]:
        """Revoke an account at the app where possible, and erase its credentials."""
        yield Request("DELETE", (*_PATH, str(id)), timeout=timeout)


class AdminAccounts(_Accounts, SyncResource):
    """Connected accounts of all users."""


class AsyncAdminAccounts(_Accounts, AsyncResource):
    """Connected accounts of all users."""
