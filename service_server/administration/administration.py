"""What an operator sets up, from the command line, in the console and by the admin API: applications and apps."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError, check_name
from service_server.administration.live_secrets import adding, retiring
from service_server.administration.origins import origin_of
from service_server.catalog.values import Connector
from service_server.oauth.app_settings import AppSettings, AppSettingsReader, seal_client_secret
from service_server.store import AppConfiguration, AppConfigurations, Application, Applications
from service_server.vault import Kept, Vault

SECRET_PURPOSE = Kept.APPLICATION_SECRET
_LONGEST_CLIENT_ID = 1024
_MOST_ORIGINS = 100


@frozen
class Administration:
    """
    Changes what operators set up; a running service picks up the changes within seconds.

    Who does it is asked for first: it goes into the audit trail in the transaction of the change. What their role does
    not allow, or can't be done, raises AdministrationError.
    """

    vault: Vault
    applications: Applications
    configurations: AppConfigurations

    async def create_application(self, actor: Actor, name: str, origins: Sequence[str]) -> tuple[Application, str]:
        """Add a host application; returns it with its secret, which is shown this once."""
        check_name(name)
        if len(origins) > _MOST_ORIGINS:
            raise AdministrationError(f"An application has at most {_MOST_ORIGINS} origins.")
        for origin in origins:
            check_origin(origin)
        app_key = f"app_{secrets.token_hex(12)}"
        secret, sealed = self._new_secret(app_key)
        allowed = list(dict.fromkeys(origins))
        act = actor.does("application.created", name=name, allowed_origins=allowed)
        return await self.applications.create(name, app_key, [sealed], allowed, act), secret

    async def rename_application(self, actor: Actor, application: Application, name: str) -> Application:
        """Give an application another name, by which operators know it; users see its brand."""
        check_name(name)
        act = actor.does("application.renamed", application.id)
        return await self.applications.change(application.id, lambda current: evolve(current, name=name), act)

    async def add_secret(self, actor: Actor, application: Application) -> tuple[Application, str]:
        """Give an application a second live secret beside the one it has; returns it, shown this once."""
        secret, sealed = self._new_secret(application.app_key)
        act = actor.does("application.secret_added", application.id)
        return await self.applications.change(application.id, adding(sealed), act), secret

    async def retire_secret(self, actor: Actor, application: Application, fingerprint: str) -> Application:
        """End the older of two live secrets; the fingerprint must name it, so that a newer one is never ended."""
        act = actor.does("application.secret_retired", application.id)
        return await self.applications.change(application.id, retiring(fingerprint), act)

    async def allow_origin(self, actor: Actor, application: Application, origin: str) -> Application:
        """Let pages of an origin call for an application."""
        check_origin(origin)

        def allow(current: Application) -> Application:
            if len(current.allowed_origins) >= _MOST_ORIGINS:
                raise AdministrationError(f"An application has at most {_MOST_ORIGINS} origins.")
            return evolve(current, allowed_origins=tuple(dict.fromkeys((*current.allowed_origins, origin))))

        act = actor.does("application.origin_allowed", application.id)
        return await self.applications.change(application.id, allow, act)

    async def disallow_origin(self, actor: Actor, application: Application, origin: str) -> Application:
        """Remove an origin from an application."""
        act = actor.does("application.origin_disallowed", application.id)
        return await self.applications.change(
            application.id,
            lambda current: evolve(
                current, allowed_origins=tuple(each for each in current.allowed_origins if each != origin)
            ),
            act,
        )

    async def configure_app(
        self,
        actor: Actor,
        connector: Connector,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        variables: Mapping[str, str | None] | None = None,
        application_id: int | None = None,
    ) -> None:
        """
        Set the OAuth2 client and the operator's variables of an app; what is not given stays as it is.

        An empty client id or secret is removed; a variable that is None falls back to its default. With an application
        its own are set, which take the place of all that is set for the others.
        """
        given = dict(variables or {})
        problems = _variable_problems(connector, given)
        if client_id is not None and not _can_be_client_id(client_id):
            problems["client_id"] = f"A client id is at most {_LONGEST_CLIENT_ID} printable ASCII characters"
        changes: dict[str, Any] = {} if client_id is None else {"client_id": client_id or None}
        if client_secret is not None:
            try:
                changes["sealed_client_secret"] = self._sealed_client_secret(
                    connector.name, client_secret, application_id
                )
            except ValueError as error:
                problems["client_secret"] = f"{error}"[:1].upper() + f"{error}"[1:]
        if problems:
            raise AdministrationError("\n".join(f"{problem}." for problem in problems.values()), problems)

        def take_over(current: AppConfiguration) -> AppConfiguration:
            merged = {**current.variables, **given}
            kept = {name: value for name, value in merged.items() if value is not None}
            return evolve(current, **changes, variables=kept)

        of_application = {} if application_id is None else {"application": application_id}
        act = actor.does("app.configured", connector.name, **of_application)
        await self.configurations.change(connector.name, take_over, application_id, act=act)

    async def share_app(self, actor: Actor, connector: Connector, application_id: int) -> bool:
        """
        Take an application's own settings of an app away: it does with those of the others again.

        False if it has none.
        """
        act = actor.does("app.shared", connector.name, application=application_id)
        return await self.configurations.remove(connector.name, application_id, act)

    async def app_settings(self, connector: Connector, application_id: int | None = None) -> AppSettings:
        """The operator's settings of an app as they are now; with an application, those that are in force for it."""
        reader = AppSettingsReader(self.configurations, self.vault)
        return await (reader.shared(connector) if application_id is None else reader.of(connector, application_id))

    def _new_secret(self, app_key: str) -> tuple[str, str]:
        secret = secrets.token_urlsafe(32)
        return secret, self.vault.seal(secret, SECRET_PURPOSE, app_key)

    def _sealed_client_secret(self, app_name: str, client_secret: str, application_id: int | None) -> str | None:
        return seal_client_secret(self.vault, app_name, client_secret, application_id) if client_secret else None


def operator_variables(connector: Connector) -> tuple[str, ...]:
    """The names of the variables that the operator sets."""
    return tuple(name for name, each in connector.variables.items() if each.set_by == "operator")


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
