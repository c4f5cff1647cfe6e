"""Opens the credentials of accounts for the step that sends, refreshing them first when that is due."""

from typing import Any

from attrs import field, frozen

from service_server.catalog.values import AuthMethod, Catalog, Connector
from service_server.onward.sender import Sender
from service_server.store import Account, Accounts, AppConfigurations
from service_server.vault import Vault


@frozen(kw_only=True)
class Opened:
    """
    An account ready to be used in one call.

    `context` holds the roots `creds`, `token` and `vars` of the connector's expressions; add `args` and build.
    """

    account: Account
    connector: Connector
    auth: AuthMethod
    context: dict[str, Any] = field(repr=False)


class Credentials:
    """The way from a kept account to credentials that can be sent; one per process."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        vault: Vault,
        accounts: Accounts,
        configurations: AppConfigurations,
        sender: Sender,
    ) -> None:
        raise NotImplementedError

    async def usable(self, account: Account) -> Opened:
        """
        Open the credentials of an account, refreshed when they are about to expire.

        Raises:
            ServiceError: `reconnect_required` when the app refuses them for good, `app_unreachable` when they must be
                refreshed and the token endpoint can't be reached.
        """
        raise NotImplementedError

    async def refresh_after_401(self, opened: Opened) -> Opened | None:
        """Refresh credentials that the app has just refused; None when there is nothing to refresh. Raises as `usable`."""
        raise NotImplementedError

    async def require_reconnect(self, opened: Opened, reason: str) -> None:
        """Mark an account whose credentials the app still refuses after a refresh, or that can't be refreshed."""
        raise NotImplementedError

    async def revoke(self, account: Account) -> None:
        """Revoke an account's tokens at the provider as far as it can; a failure is logged, never raised."""
        raise NotImplementedError

    async def drain(self) -> None:
        """Wait for the refreshes under way, so that no rotated token is lost when the process ends."""
        raise NotImplementedError
