"""Opens the credentials of accounts for the step that sends, and refreshes them first if that is due."""

from typing import Any

import structlog
from attrs import field, frozen

from service_server.catalog.auth import AuthMethod, TokenMethod
from service_server.catalog.catalog import Catalog
from service_server.catalog.values import Connector
from service_server.events import tell
from service_server.oauth.app_settings import AppSettingsReader
from service_server.oauth.grants import is_renewable
from service_server.oauth.refresh import Refresher, Subject, about_account
from service_server.oauth.refusals import reconnect_required
from service_server.oauth.revocation import revoke
from service_server.oauth.secrets_of_account import OpenedSecrets, Secrets
from service_server.onward.sender import Sender
from service_server.store import Account, Accounts, Act, AppConfigurations, NewAccount
from service_server.store.clock import now
from service_server.vault import Unsealable, Vault

_LONGEST_LEEWAY_SECONDS = 60.0
_LEEWAY_SHARE = 0.1
_ROUNDS = 3  # no further tries for tokens that have ended by the time they arrive

_LOG = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Unsealed:
    """
    Credentials in the clear, with what is needed to use them.

    `context` holds the roots `creds`, `token` and `vars` of the connector's expressions; add `args` and build.
    """

    connector: Connector
    auth: AuthMethod
    context: dict[str, Any] = field(repr=False)
    secrets: Secrets = field(repr=False)


@frozen(kw_only=True)
class Opened(Unsealed):
    """An account ready to be used in one call."""

    account: Account


class _NotOpened(Exception):
    """Kept credentials that can't be used."""

    def __init__(self, title: str, reason: str) -> None:
        super().__init__(reason)
        self.title = title
        self.reason = reason


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
        self._catalog = catalog
        self._vault = vault
        self._opened_secrets = OpenedSecrets(vault)
        self._accounts = accounts
        self._sender = sender
        self._settings = AppSettingsReader(configurations, vault)
        self._refresher = Refresher(vault, accounts, self._settings, sender)

    @property
    def settings(self) -> AppSettingsReader:
        """The operator's settings of the apps, as calls see them."""
        return self._settings

    async def usable(self, account: Account) -> Opened:
        """
        Open the credentials of an account, refreshed when they are about to expire.

        Raises:
            ServiceError: `reconnect_required` when the app refuses them for good, `app_unreachable` when they must be
                refreshed and the token endpoint can't be reached.
        """
        for _ in range(_ROUNDS):
            opened = await self._open(account)
            if not _due(opened):
                break
            account = await self._refresher.renewed(_subject(opened))
        else:
            opened = await self._open(account)
        return opened

    async def refresh_after_401(self, opened: Opened) -> Opened | None:
        """
        Refresh credentials that the app has just refused; None when there is nothing to refresh.

        Raises as `usable`.
        """
        if not isinstance(opened.auth, TokenMethod) or not is_renewable(opened.auth, opened.secrets):
            return None
        return await self._open(await self._refresher.renewed(_subject(opened)))

    async def opened(self, account: Account) -> Opened:
        """Open the credentials of an account as they are; raises as `usable`."""
        return await self._open(account)

    async def renewed(self, opened: Opened) -> Opened:
        """Refresh credentials that have not ended yet; raises as `usable`."""
        return await self._open(await self._refresher.renewed(_subject(opened)))

    async def revoke(self, account: Account | NewAccount) -> bool:
        """Revoke an account's tokens at the provider as far as possible; a failure is logged and told, never raised."""
        account_id = account.id if isinstance(account, Account) else None
        try:
            opened = await self._unsealed(account)
        except _NotOpened as failure:
            _LOG.warning("account.revocation_failed", account=account_id, app=account.app_name, reason=failure.reason)
            return False
        if not isinstance(opened.auth, TokenMethod):
            return True
        client = (await self._settings.of_account(opened.connector, account)).client
        sender = self._sender.on_behalf_of(account.app_name, account.application_id, account.user_id)
        return await revoke(sender, opened.connector, opened.auth, opened.context, client, account_id)

    async def disconnect(self, account: Account, act: Act | None = None) -> bool:
        """Revoke and erase an account, an operator by an `act`; False if its app could not be told."""
        current: Account | None = account
        revoked = True
        while current is not None:
            try:
                revoked = await self.revoke(current)
            finally:
                erased = await self._accounts.disconnect(current, act)
            # A refresh that came in between has brought other tokens, which have to be revoked as well.
            current = None if erased else await self._accounts.get(account.id)
        tell("account.disconnected", **about_account(self._vault, account))
        return revoked

    async def drain(self) -> None:
        """Wait for the refreshes under way, so that no rotated token is lost when the process ends."""
        await self._refresher.drain()

    async def _open(self, account: Account) -> Opened:
        try:
            opened = await self._opened(account)
        except _NotOpened as failure:
            _LOG.error("account.not_opened", account=account.id, app=account.app_name, reason=failure.reason)
            raise reconnect_required(failure.title, account) from None
        if account.state != "active":
            raise reconnect_required(opened.connector.title, account)
        return opened

    async def _opened(self, account: Account) -> Opened:
        unsealed = await self._unsealed(account)
        return Opened(
            account=account,
            connector=unsealed.connector,
            auth=unsealed.auth,
            context=unsealed.context,
            secrets=unsealed.secrets,
        )

    async def _unsealed(self, account: Account | NewAccount) -> Unsealed:
        connector = self._catalog.connector(account.app_name)
        if connector is None:
            raise _NotOpened(account.app_name, "the connector has been removed")
        auth = connector.auth_method(account.auth_id)
        if auth is None:
            raise _NotOpened(connector.title, "the connector no longer has this way of signing in")
        try:
            secrets = self._opened_secrets.open(
                account.sealed_credentials, account.application_id, account.user_id, account.app_name
            )
        except Unsealable:
            raise _NotOpened(connector.title, "its credentials can't be unsealed") from None
        settings = await self._settings.of_account(connector, account)
        context = {
            "auth_id": auth.id,
            "creds": dict(secrets.creds),
            "token": dict(secrets.token),
            "vars": settings.context_variables(connector, account.variables),
        }
        return Unsealed(connector=connector, auth=auth, context=context, secrets=secrets)


def _subject(opened: Opened) -> Subject:
    assert isinstance(opened.auth, TokenMethod)  # noqa: S101  nothing else is renewed
    return Subject(opened.account, opened.connector, opened.auth)


def _due(opened: Opened) -> bool:
    """Whether the access token ends so soon that it should be renewed before it is used."""
    secrets = opened.secrets
    if not isinstance(opened.auth, TokenMethod) or secrets.expires_at is None:
        return False
    if not is_renewable(opened.auth, secrets):
        return secrets.expires_at <= now()  # used until it ends, since no token can follow it
    lifetime = max(0.0, secrets.expires_at - (secrets.obtained_at or 0.0))
    leeway = opened.auth.refresh.leeway_seconds
    if leeway is None:
        leeway = min(_LONGEST_LEEWAY_SECONDS, lifetime * _LEEWAY_SHARE)
    # A leeway longer than the token lives would renew it at every call.
    return secrets.expires_at - min(leeway, lifetime / 2) <= now()
