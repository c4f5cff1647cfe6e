"""The accounts a user has connected."""

from service_client.models import App, ConnectedAccount
from service_client.plans import AsyncResource, Plan, Request, SyncResource, operation, read


class _ConnectedAccounts:
    @operation
    def list(self, app: str, *, timeout: float | None = None) -> Plan[tuple[ConnectedAccount, ...]]:
        """List the user's accounts in an app, newest first."""
        response = yield Request("GET", ("apps", app), timeout=timeout)
        return read(response, App).connected_accounts

    @operation
    def disconnect(
        self, app: str, connected_account_id: int | str | None = None, *, timeout: float | None = None
    ) -> Plan[None]:
        """
        Disconnect an account: its credentials are erased.

        Without an id the user must have exactly one account in the app; else `BadRequestError` is raised with the code
        `account_required` or `not_connected`.
        """
        account = () if connected_account_id is None else (str(connected_account_id),)
        yield Request("DELETE", ("apps", app, "connected_accounts", *account), timeout=timeout)


class ConnectedAccounts(_ConnectedAccounts, SyncResource):
    """The accounts a user has connected."""


class AsyncConnectedAccounts(_ConnectedAccounts, AsyncResource):
    """The accounts a user has connected."""
