"""What an operator sets up, from the command line and in the console: applications, apps, operators."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from service_server.administration.origins import origin_of
from service_server.administration.passwords import hash_password
from service_server.catalog.values import Connector
from service_server.oauth.app_settings import AppSettings, AppSettingsReader, seal_client_secret
from service_server.store import AppConfiguration, AppConfigurations, Application, Applications, Operators
from service_server.vault import Kept, Vault

SECRET_PURPOSE = Kept.APPLICATION_SECRET
LONGEST_NAME = 200
_LONGEST_CLIENT_ID = 1024
_MOST_ORIGINS = 100


class AdministrationError(Exception):
    """
    What was asked for cannot be done; says why and what to do.

    `problems` says so by setting (`client_id`, `client_secret`, `variable.<name>`) where settings are wrong.
    """

    def __init__(self, message: str, problems: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.problems = dict(problems or {})


@frozen
class Administration:
    """Changes what operators set up; a running service picks up the changes within seconds."""

    vault: Vault
    applications: Applications
    configurations: AppConfigurations
    operators: Operators

    async def create_application(self, name: str, origins: Sequence[str]) -> tuple[Application, str]:
        """Add a host application; returns it with its secret, which is shown this once."""
        check_name(name)
        for origin in origins:
            check_origin(origin)
        app_key = f"app_{secrets.token_hex(12)}"
        secret, sealed = self._new_secret(app_key)
        return await self.applications.create(name, app_key, [sealed], list(dict.fromkeys(origins))), secret

    async def add_secret(self, application: Application) -> tuple[Application, str]:
        """Give an application a second live secret beside the one it has; returns it, shown this once."""
        secret, sealed = self._new_secret(application.app_key)

        def add(current: Application) -> Application:
            if len(current.sealed_secrets) > 1:
                raise AdministrationError("There are two live secrets already. Retire the old one first.")
            return evolve(current, sealed_secrets=(sealed, *current.sealed_secrets))

        return await self.applications.change(application.id, add), secret

    async def retire_secret(self, application: Application, fingerprint: str) -> Application:
        """End the older of two live secrets; the fingerprint must name it, so that a newer one is never ended."""

        def retire(current: Application) -> Application:
            if len(current.sealed_secrets) < 2 or secret_fingerprint(current.sealed_secrets[-1]) != fingerprint:
                raise AdministrationError("The secrets have changed in the meantime. Look at them again.")
            return evolve(current, sealed_secrets=current.sealed_secrets[:1])

        return await self.applications.change(application.id, retire)

    async def allow_origin(self, application: Application, origin: str) -> Application:
        """Let pages of an origin call for an application."""
        check_origin(origin)

        def allow(current: Application) -> Application:
            if len(current.allowed_origins) >= _MOST_ORIGINS:
                raise AdministrationError(f"An application has at most {_MOST_ORIGINS} origins.")
            return evolve(current, allowed_origins=tuple(dict.fromkeys((*current.allowed_origins, origin))))

        return await self.applications.change(application.id, allow)

    async def disallow_origin(self, application: Application, origin: str) -> Application:
        """Remove an origin from an application."""
        return await self.applications.change(
            application.id,
            lambda current: evolve(
                current, allowed_origins=tuple(each for each in current.allowed_origins if each != origin)
            ),
        )

    async def configure_app(
        self,
        connector: Connector,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        variables: Mapping[str, str | None] | None = None,
    ) -> None:
        """
        Set the OAuth2 client and the operator's variables of an app; what is not given stays as it is.

        An empty client id or secret is removed; a variable that is None falls back to its default.
        """
        given = dict(variables or {})
        problems = _variable_problems(connector, given)
        if client_id is not None and not _can_be_client_id(client_id):
            problems["client_id"] = f"A client id is at most {_LONGEST_CLIENT_ID} printable ASCII characters"
        changes: dict[str, Any] = {} if client_id is None else {"client_id": client_id or None}
        if client_secret is not None:
            try:
                changes["sealed_client_secret"] = self._sealed_client_secret(connector.name, client_secret)
            except ValueError as error:
                problems["client_secret"] = f"{error}"[:1].upper() + f"{error}"[1:]
        if problems:
            raise AdministrationError("\n".join(f"{problem}." for problem in problems.values()), problems)

        def take_over(current: AppConfiguration) -> AppConfiguration:
            merged = {**current.variables, **given}
            kept = {name: value for name, value in merged.items() if value is not None}
            return evolve(current, **changes, variables=kept)

        await self.configurations.change(connector.name, take_over)

    async def app_settings(self, connector: Connector) -> AppSettings:
        """The operator's settings of an app as they are now."""
        return await AppSettingsReader(self.configurations, self.vault).of(connector)

    async def create_operator(self, name: str, password: str) -> None:
        """Add someone who may sign in to the console, or give them a new password."""
        check_name(name)
        if not password:
            raise AdministrationError("The password is empty.")
        await self.operators.put(name, hash_password(password))

    def _new_secret(self, app_key: str) -> tuple[str, str]:
        secret = secrets.token_urlsafe(32)
        return secret, self.vault.seal(secret, SECRET_PURPOSE, app_key)

    def _sealed_client_secret(self, app_name: str, client_secret: str) -> str | None:
        return seal_client_secret(self.vault, app_name, client_secret) if client_secret else None


def secret_fingerprint(sealed_secret: str) -> str:
    """Name a live secret without revealing anything about it."""
    return hashlib.sha256(sealed_secret.encode()).hexdigest()[:16]


def operator_variables(connector: Connector) -> tuple[str, ...]:
    """The names of the variables that the operator sets."""
    return tuple(name for name, each in connector.variables.items() if each.set_by == "operator")


def check_name(name: str) -> None:
    """Refuse a name that can't be told from others or shown on one line."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise AdministrationError(f"A name is 1 to {LONGEST_NAME} printable characters.")


def check_origin(origin: str) -> None:
    """Refuse anything but an origin as browsers write it: `scheme://host[:port]` without a path, or `null`."""
    if origin == "null":
        return
    written = origin_of(origin)
    if written is None:
        raise AdministrationError(f"{origin} is not an origin such as https://app.example.com (no path).")
    if written != origin:
        raise AdministrationError(f"{origin} is not an origin as browsers send it; write {written}.")


def _variable_problems(connector: Connector, given: Mapping[str, str | None]) -> dict[str, str]:
    known = operator_variables(connector)
    problems = {}
    for name, value in given.items():
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            problems[f"variable.{name}"] = f"{connector.name} has no operator's variable {name}; it has: {names}"
        elif value is not None and (problem := connector.variables[name].problem(value)):
            problems[f"variable.{name}"] = problem
    return problems


def _can_be_client_id(text: str) -> bool:
    return len(text) <= _LONGEST_CLIENT_ID and text.isascii() and text.isprintable()
