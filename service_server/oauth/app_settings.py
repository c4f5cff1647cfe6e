"""What the operator set for an app, ready to be used: the OAuth2 client and the variables of the installation."""

import time
from collections.abc import Mapping

import structlog
from attrs import field, frozen

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.values import Connector, Variable
from service_server.store import AppConfiguration, AppConfigurations
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
    """`missing` names the operator variables that have neither a value nor a default."""

    client: OAuthClient | None
    variables: Mapping[str, str]
    missing: tuple[Variable, ...]

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


def seal_client_secret(vault: Vault, app_name: str, client_secret: str) -> str:
    """
    Seal a client secret for the app's configuration.

    Raises:
        ValueError: when it is empty or holds anything but printable ASCII, which no token endpoint would take.
    """
    if not client_secret or not client_secret.isascii() or not client_secret.isprintable():
        raise ValueError("a client secret is printable ASCII without line breaks")
    return vault.seal(client_secret, _PURPOSE, app_name)


class AppSettingsReader:
    """Reads and opens the operator's settings, and keeps them for a moment, since every call needs them."""

    def __init__(self, configurations: AppConfigurations, vault: Vault) -> None:
        self._configurations = configurations
        self._vault = vault
        self._kept: dict[str, tuple[float, Connector, AppSettings]] = {}
        self._damaged: set[str | None] = set()

    async def of(self, connector: Connector) -> AppSettings:
        """Return the settings of an app, at most two seconds old."""
        kept = self._kept.get(connector.name)
        moment = time.monotonic()
        if kept is not None and moment - kept[0] < _KEPT_SECONDS and kept[1] is connector:
            return kept[2]
        settings = await self._read(connector)
        self._kept[connector.name] = (moment, connector, settings)
        return settings

    async def _read(self, connector: Connector) -> AppSettings:
        configuration = await self._configurations.get(connector.name)
        client = self._client(connector.name, configuration)
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
        return AppSettings(client, variables, tuple(missing))

    def _client(self, app_name: str, configuration: AppConfiguration) -> OAuthClient | None:
        """The OAuth2 client; if its secret is damaged, it counts as not configured, and no other app is affected."""
        if not configuration.client_id:
            return None
        sealed = configuration.sealed_client_secret
        try:
            secret = "" if sealed is None else self._vault.open(sealed, _PURPOSE, app_name)
        except Unsealable:
            if sealed not in self._damaged:
                self._damaged.add(sealed)
                _LOG.error(
                    "app.client_secret_damaged",
                    message="it can't be opened; set it again with "
                    f"`service-server app configure {app_name} --client-secret-file FILE`",
                    app=app_name,
                )
            return None
        return OAuthClient(configuration.client_id, secret)
