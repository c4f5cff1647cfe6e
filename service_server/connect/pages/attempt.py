"""One attempt to connect: a pending session in its browser, with what is known about the app it is for."""

from collections.abc import Mapping

from attrs import field, frozen

from service_server.catalog.auth import AuthMethod, OAuth2Code
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.connect.pages.appearance import Appearance
from service_server.connect.signing_in.fields import form_fields, variable_name
from service_server.connect.signing_in.setback import About, Setback
from service_server.html_pages.language import gettext as _
from service_server.oauth.app_settings import AppSettings
from service_server.store import Account, Application, ConnectSessionRow


@frozen(kw_only=True)
class Attempt:
    """A pending session in the browser it is bound to."""

    session: ConnectSessionRow
    cookie: str = field(repr=False)
    appearance: Appearance
    connector: Connector
    settings: AppSettings
    methods: tuple[AuthMethod, ...]
    reconnecting: Account | None

    @property
    def functions(self) -> tuple[FunctionDefinition, ...]:
        """The functions that the account is connected for; the permissions they need are asked for."""
        known = self.connector.functions
        return tuple(known[name] for name in self.session.functions or () if name in known)

    def method(self, wanted: str | None) -> AuthMethod:
        """The way to sign in that was asked for, or the one to offer first."""
        if wanted is None and self.reconnecting is not None:
            wanted = self.reconnecting.auth_id
        return next((method for method in self.methods if method.id == wanted), self.methods[0])

    @property
    def variables(self) -> Mapping[str, str]:
        """The variables of the account to reconnect."""
        return {} if self.reconnecting is None else self.reconnecting.variables

    def known(self) -> dict[str, str]:
        """Return what to prefill in a form for the account to reconnect: where it is, never its credentials."""
        kept = {} if self.reconnecting is None else self.reconnecting.variables
        return {
            variable_name(variable): kept[name] for name, variable in self.connector.variables.items() if name in kept
        }


_PREFIXES: Mapping[About, tuple[str, ...]] = {
    "credentials": ("field.",),
    "address": ("variable.",),
    "everything": ("field.", "variable."),
}


def at_field(attempt: Attempt, method: AuthMethod, setback: Setback) -> dict[str, str]:
    """Put a setback at the field that it is about; if it could be several fields, it stands above them."""
    if setback.about is None:
        return {}
    fields = form_fields(attempt.connector, (method,), {}, {})
    concerned = [field.name for field in fields if field.name.startswith(_PREFIXES[setback.about])]
    return {concerned[0]: " ".join((setback.text, *setback.steps))} if len(concerned) == 1 else {}


def not_set_up(connector: Connector, settings: AppSettings, callback_url: str, application: Application) -> Setback:
    """The end of an attempt for an app that the operator has not set up, with what they have to do."""
    lacking = dict.fromkeys(option for method in connector.auth for option in settings.lacks(connector, method.id))
    if settings.own:
        lacking = {f"--application {application.app_key}": None, **lacking}
    steps = [_("Its operator has to run"), f"service-server app configure {connector.name} {' '.join(lacking)}"]
    if settings.client is None and any(isinstance(method, OAuth2Code) for method in connector.auth):
        register = _(
            "Its operator has to register this service with %(app)s under this callback URL:", app=connector.title
        )
        steps = [register, callback_url, _("Then they run"), steps[-1]]
    return Setback(_("%(app)s is not set up on this service yet.", app=connector.title), *steps, final=True)
