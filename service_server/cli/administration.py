"""What an operator sets up: applications, apps, operators; done on the database directly, beside a running service."""

import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence

from attrs import evolve, frozen

from service_server.catalog.load import SHIPPED, load_catalog
from service_server.console.passwords import hash_password
from service_server.oauth.app_settings import seal_client_secret
from service_server.rest.authentication import SECRET_PURPOSE
from service_server.settings import Settings
from service_server.store import AppConfigurations, Application, Applications, Database, Operators, VaultKeys
from service_server.store.migrations import upgrade
from service_server.vault import Vault, open_vault


class AdministrationError(Exception):
    """What was asked for cannot be done; says why and what to do."""


@frozen
class Administration:
    """An open database and vault, for commands."""

    settings: Settings
    database: Database
    vault: Vault

    async def create_application(self, name: str, origins: Sequence[str]) -> tuple[Application, str]:
        """Add a host application; returns it with its secret, which is shown this once."""
        for origin in origins:
            check_origin(origin)
        app_key, secret = f"app_{secrets.token_hex(12)}", secrets.token_urlsafe(32)
        sealed = self.vault.seal(secret, SECRET_PURPOSE, app_key)
        return await Applications(self.database).create(name, app_key, [sealed], origins), secret

    async def configure_app(
        self,
        app_name: str,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Set the OAuth2 client and the operator's variables of an app; what is not given stays as it is."""
        connector = load_catalog([SHIPPED, *self.settings.connector_directories]).connector(app_name)
        if connector is None:
            raise AdministrationError(f"There is no app named {app_name}; `connector list` shows the apps.")
        asked = {name: each for name, each in connector.variables.items() if each.set_by == "operator"}
        for name, value in (variables or {}).items():
            if name not in asked:
                known = ", ".join(sorted(asked)) or "none"
                raise AdministrationError(f"{app_name} has no operator's variable {name}; it has: {known}.")
            if problem := asked[name].problem(value):
                raise AdministrationError(f"{problem}.")
        configurations = AppConfigurations(self.database)
        configuration = await configurations.get(app_name)
        if client_id is not None:
            configuration = evolve(configuration, client_id=client_id)
        if client_secret is not None:
            sealed = seal_client_secret(self.vault, app_name, client_secret)
            configuration = evolve(configuration, sealed_client_secret=sealed)
        await configurations.put(evolve(configuration, variables={**configuration.variables, **(variables or {})}))

    async def create_operator(self, name: str, password: str) -> None:
        """Add someone who may sign in to the console, or give them a new password."""
        await Operators(self.database).put(name, hash_password(password))


def check_origin(origin: str) -> None:
    """Refuse what is no browser origin: `scheme://host[:port]` without a path, or `null`."""
    scheme, separator, rest = origin.partition("://")
    if origin != "null" and (scheme not in ("http", "https") or not separator or not rest or "/" in rest):
        raise AdministrationError(f"{origin} is not an origin such as https://app.example.com (no path).")


@contextlib.asynccontextmanager
async def administration(settings: Settings) -> AsyncIterator[Administration]:
    """Open the (already upgraded) database and the vault for a command."""
    database = Database(settings.database_url)
    await database.open()
    try:
        vault = await open_vault(VaultKeys(database), settings.vault_key_file, settings.vault_key)
        yield Administration(settings, database, vault)
    finally:
        await database.close()


def upgrade_database(settings: Settings) -> None:
    """Bring the schema up to date; before any event loop runs."""
    upgrade(settings.database_url)
