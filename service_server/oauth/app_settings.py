"""What the operator set for an app, ready to be used: the OAuth2 client and the variables of the installation."""

import time
from collections.abc import Mapping

import structlog
from attrs import field, frozen

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.format.connector import Variable
from service_server.catalog.values import Connector
from service_server.store import Account, AppConfiguration, AppConfigurations, NewAccount
from service_server.vault import Kept, Unsealable, Vault

# Calls read the settings again after this long, so that `app configure` takes effect without a restart.
_KEPT_SECONDS = 2.0
_PURPOSE = Kept.CLIENT_SECRET

_LOG = structlog.get_logger(__name__)


@frozen
class OAuthClient:
    """This service's registration with a provider."""

    client_id: str
    client_secret: str = field(default="", repr=False)


@frozen
class AppSettings:
    """
    What is set for an app; `own` tells that it is for one application alone.

    `missing` names the operator variables that have neither a value nor a default.
    """

    client: OAuthClient | None
    variables: Mapping[str, str]
    missing: tuple[Variable, ...]
    own: bool = False

    def lacks(self, connector: Connector, auth_id: str) -> tuple[str, ...]:
        """
        Tell what the operator still has to set before accounts can sign in this way.

        Given as options of `service-server app configure`.
        """
        options = {"client_id": "--client-id …", "client_secret": "--client-secret-file …"}
        return tuple(
            options.get(each) or f"--var {each.removeprefix('variable.')}=…"
            for each in self.missing_settings(connector, auth_id)
        )

    def missing_settings(self, connector: Connector, auth_id: str) -> tuple[str, ...]:
        """Name what is still to be set before accounts can sign in this way."""
        method = connector.auth_method(auth_id)
        missing = [f"variable.{variable.name}" for variable in self.missing if variable.is_for(auth_id)]
        if isinstance(method, OAuth2Code):
            if self.client is None:
                missing.append("client_id")
            if method.client_auth != "none" and (self.client is None or not self.client.client_secret):
                missing.append("client_secret")
        return tuple(missing)

    def context_variables(self, connector: Connector, of_account: Mapping[str, str]) -> dict[str, str]:
        """Join the operator's variables and the account's own; an account's never replace the operator's."""
        variables = dict(self.variables)
        for name, variable in connector.variables.items():
            if variable.set_by != "operator":
                value = of_account.get(name, variable.default)
                if value is not None:
                    variables[name] = value
        return variables


def seal_client_secret(vault: Vault, app_name: str, client_secret: str, application_id: int | None = None) -> str:
    """
    Seal a client secret for the app's configuration, that of one application or of all others.

    Raises:
        ValueError: when it is empty or holds anything but printable ASCII, which no token endpoint would take.
    """
    if not client_secret or not client_secret.isascii() or not client_secret.isprintable():
        raise ValueError("a client secret is printable ASCII without line breaks")
    return vault.seal(client_secret, _PURPOSE, *_owner(app_name, application_id))


def _owner(app_name: str, application_id: int | None) -> tuple[int | str, ...]:
    return (app_name,) if application_id is None else (application_id, app_name)


@frozen
class _Kept:
    """What was read for an app and an application, and when; without settings of its own, `own` is None."""

    read_at: float
    connector: Connector
    shared: AppSettings
    own: AppSettings | None


class AppSettingsReader:
    """
    Reads and opens the operator's settings, and keeps them for a moment, since every call needs them.

    What is set for one application takes the place of what is set for all of them, as a whole: an OAuth2 client goes
    with the addresses it is registered at.
    """

    def __init__(self, configurations: AppConfigurations, vault: Vault) -> None:
        self._configurations = configurations
        self._vault = vault
        self._kept: dict[tuple[str, int], _Kept] = {}
        self._damaged: set[str | None] = set()

    async def of(self, connector: Connector, application_id: int) -> AppSettings:
        """Return the settings that an application's accounts are connected with, at most two seconds old."""
        kept = await self._read(connector, application_id)
        return kept.shared if kept.own is None else kept.own

    async def of_account(self, connector: Connector, account: Account | NewAccount) -> AppSettings:
        """
        Return the settings that an account was connected with: no other client can renew its tokens.

        If they are gone, those that its application's accounts are connected with now; the app then says whether it
        has to be reconnected.
        """
        kept = await self._read(connector, account.application_id)
        if kept.own is None:
            return kept.shared
        gone = kept.shared.client is None and kept.own.client is not None
        return kept.own if account.own_settings or gone else kept.shared

    async def shared(self, connector: Connector) -> AppSettings:
        """Return the settings for all applications without their own, as they are now."""
        configuration = await self._configurations.get(connector.name)
        return self._settings(connector, configuration or AppConfiguration(app_name=connector.name))

    async def _read(self, connector: Connector, application_id: int) -> _Kept:
        kept = self._kept.get((connector.name, application_id))
        moment = time.monotonic()
        if kept is not None and moment - kept.read_at < _KEPT_SECONDS and kept.connector is connector:
            return kept
        shared, own = await self._configurations.both(connector.name, application_id)
        of_its_own = None if own is None else self._settings(connector, own)
        kept = _Kept(moment, connector, self._settings(connector, shared), of_its_own)
        self._kept[connector.name, application_id] = kept
        return kept

    def _settings(self, connector: Connector, configuration: AppConfiguration) -> AppSettings:
        variables: dict[str, str] = {}
        missing = []
        for name, variable in connector.variables.items():
            if variable.set_by != "operator":
                continue
            value = configuration.variables.get(name, variable.default)
            if value is None:
                missing.append(variable)
            else:
                variables[name] = value
        own = configuration.application_id is not None
        return AppSettings(self._client(configuration), variables, tuple(missing), own)

    def _client(self, configuration: AppConfiguration) -> OAuthClient | None:
        """The OAuth2 client; if its secret is damaged, it counts as not configured, and no other app is affected."""
        if not configuration.client_id:
            return None
        app_name, sealed = configuration.app_name, configuration.sealed_client_secret
        try:
            owner = _owner(app_name, configuration.application_id)
            secret = "" if sealed is None else self._vault.open(sealed, _PURPOSE, *owner)
        except Unsealable:
            if sealed not in self._damaged:
                self._damaged.add(sealed)
                _LOG.error(
                    "app.client_secret_damaged",
                    message="it can't be opened; set it again with "
                    f"`service-server app configure {app_name} --client-secret-file FILE"
                    f"{'' if configuration.application_id is None else ' --application NAME'}`",
                    app=app_name,
                    application=configuration.application_id,
                )
            return None
        return OAuthClient(configuration.client_id, secret)
