"""One attempt to connect: a pending session in its browser, with what is known about the app it is for."""

from attrs import field, frozen

from service_server.catalog.values import AuthMethod, Connector, FunctionDefinition
from service_server.connect.fields import form_fields, variable_name
from service_server.connect.setback import Setback
from service_server.oauth.app_settings import AppSettings
from service_server.store import Account, ConnectSessionRow


@frozen(kw_only=True)
class Attempt:
    """A pending session in the browser it is bound to."""

    session: ConnectSessionRow
    cookie: str = field(repr=False)
    application_name: str
    connector: Connector
    settings: AppSettings
    methods: tuple[AuthMethod, ...]
    reconnecting: Account | None

    @property
    def functions(self) -> tuple[FunctionDefinition, ...]:
        """The functions that the account is connected for; what they need is asked for."""
        known = self.connector.functions
        return tuple(known[name] for name in self.session.functions or () if name in known)

    def method(self, wanted: str | None) -> AuthMethod:
        """The way to sign in that was asked for, or the one to offer first."""
        if wanted is None and self.reconnecting is not None:
            wanted = self.reconnecting.auth_id
        return next((method for method in self.methods if method.id == wanted), self.methods[0])

    def known(self) -> dict[str, str]:
        """What a form for the account to reconnect is filled in with: where it is, and never its credentials."""
        kept = {} if self.reconnecting is None else self.reconnecting.variables
        return {
            variable_name(variable): kept[name] for name, variable in self.connector.variables.items() if name in kept
        }


def at_field(attempt: Attempt, method: AuthMethod, setback: Setback) -> dict[str, str]:
    """Put a refusal to the one credential it can only be about; with several it stands above them."""
    credentials = [
        field for field in form_fields(attempt.connector, (method,), {}, {}) if field.name.startswith("field.")
    ]
    return {credentials[0].name: setback.text} if setback.refused and len(credentials) == 1 else {}


def not_set_up(connector: Connector, settings: AppSettings) -> Setback:
    """The end of an attempt for an app that the operator has not set up, with the command that does it."""
    lacking = dict.fromkeys(option for method in connector.auth for option in settings.lacks(connector, method.id))
    return Setback(
        f"{connector.title} is not set up on this service yet.",
        "Its operator has to run",
        f"service-server app configure {connector.name} {' '.join(lacking)}",
        final=True,
    )
