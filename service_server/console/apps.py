"""The apps of the catalogue: what they can do, and what the operator sets for them."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from attrs import frozen
from litestar import Request, Response, get, post
from litestar.params import FromPath

from service_server.administration.administration import operator_variables
from service_server.administration.failures import AdministrationError
from service_server.catalog.auth import AuthMethod, OAuth2Code
from service_server.catalog.parameters import walk_fields
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.console.failures import not_found
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Form, Visit, submitted, visit
from service_server.oauth.app_settings import AppSettings
from service_server.service import Service

PAGE_SIZE = 50


@frozen
class WayToSignIn:
    """One way to sign in to an app; `missing` says what the operator still has to set for it."""

    title: str
    missing: tuple[str, ...]


@frozen
class AppState:
    """How far an app is set up."""

    connector: Connector
    ways: tuple[WayToSignIn, ...]

    @property
    def usable(self) -> bool:
        """Whether accounts can be connected in at least one way."""
        return any(not way.missing for way in self.ways)

    @property
    def complete(self) -> bool:
        """Whether accounts can be connected in every way the app offers."""
        return all(not way.missing for way in self.ways)


@frozen(kw_only=True)
class SettingField:
    """One field of an app's settings."""

    name: str
    label: str
    help: str
    value: str = ""
    kind: str = "text"
    pattern: str | None = None
    default: str = ""
    example: str = ""
    problem: str | None = None


@frozen
class ParameterRow:
    """One parameter of a function, as the page lists it."""

    path: str
    type: str
    required: bool
    description: str


async def app_states(service: Service, names: Iterable[str]) -> list[AppState]:
    """How far these apps of the catalogue are set up, in the given order."""
    connectors = [found for name in names if (found := service.catalog.connector(name)) is not None]
    return [_state(each, await service.administration.app_settings(each)) for each in connectors]


@get("/console/apps", include_in_schema=False)
async def list_apps(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A page of the apps, by name."""
    current = await visit(request)
    names, after = current.service.catalog.app_names, current.query.get("after", "")
    first = bisect_right(names, after)
    shown = names[first : first + PAGE_SIZE]
    following = urlencode({"after": shown[-1]}) if first + PAGE_SIZE < len(names) else None
    apps = await app_states(current.service, shown)
    return current.page("apps.html", apps=apps, is_first=first == 0, following=following)


@get("/console/apps/{app_name:str}", include_in_schema=False)
async def show_app(request: Request[Any, Any, Any], app_name: FromPath[str]) -> Response[bytes]:
    """One app, its settings and functions."""
    current = await visit(request)
    return await _show(current, _connector(current, app_name))


@post("/console/apps/{app_name:str}", include_in_schema=False, request_max_body_size=LONGEST_FORM_BYTES)
async def configure_app(request: Request[Any, Any, Any], app_name: FromPath[str]) -> Response[bytes]:
    """Set the OAuth2 client and the variables of an app; a client secret left empty stays as it is."""
    current, form = await submitted(request)
    connector = _connector(current, app_name)
    given = {name: form.get(f"variable.{name}") for name in operator_variables(connector)}
    secret = "" if "remove_client_secret" in form else form.get("client_secret") or None
    try:
        await current.service.administration.configure_app(
            current.actor,
            connector,
            client_id=form.get("client_id"),
            client_secret=secret,
            variables={name: value or None for name, value in given.items() if value is not None},
        )
    except AdministrationError as error:
        return await _show(current, connector, form=form, problems=error.problems)
    return see_other(f"/console/apps/{connector.name}?done=saved")


APP_ROUTES = [list_apps, show_app, configure_app]


def _connector(current: Visit, app_name: str) -> Connector:
    connector = current.service.catalog.connector(app_name)
    if connector is None:
        raise not_found("app")
    return connector


def _state(connector: Connector, settings: AppSettings) -> AppState:
    return AppState(connector, tuple(_way(connector, method, settings) for method in connector.auth))


def _way(connector: Connector, method: AuthMethod, settings: AppSettings) -> WayToSignIn:
    names = {"client_id": "client id", "client_secret": "client secret"}
    missing = (
        names.get(each) or connector.variables[each.removeprefix("variable.")].title
        for each in settings.missing_settings(connector, method.id)
    )
    return WayToSignIn(method.title, tuple(missing))


async def _show(
    current: Visit, connector: Connector, *, form: Form | None = None, problems: Mapping[str, str] | None = None
) -> Response[bytes]:
    service = current.service
    settings = await service.administration.app_settings(connector)
    configuration = await service.administration.configurations.get(connector.name)
    given, wrong = form or {}, problems or {}
    oauth_methods = [each for each in connector.auth if isinstance(each, OAuth2Code)]
    return current.page(
        "app.html",
        status=422 if wrong else 200,
        state=_state(connector, settings),
        fields=_variable_fields(connector, configuration.variables, given, wrong),
        client_field=SettingField(
            name="client_id",
            label="Client id",
            help="From the registration of this service with the provider.",
            value=given.get("client_id", configuration.client_id or ""),
            problem=wrong.get("client_id"),
        ),
        takes_client=bool(oauth_methods),
        scopes=sorted({scope for method in oauth_methods for scope in method.default_scopes}),
        has_secret=configuration.sealed_client_secret is not None,
        secret_problem=wrong.get("client_secret"),
        functions=[(function, _parameters(function)) for function in connector.functions.values()],
    )


def _variable_fields(
    connector: Connector, kept: Mapping[str, str], given: Form, wrong: Mapping[str, str]
) -> list[SettingField]:
    fields = []
    for name in operator_variables(connector):
        variable = connector.variables[name]
        key = f"variable.{name}"
        fields.append(
            SettingField(
                name=key,
                label=variable.title,
                help=variable.description,
                value=given.get(key, kept.get(name, "")),
                kind="url" if variable.format == "uri" else "text",
                pattern=variable.pattern,
                default=variable.default or "",
                example=variable.example or "",
                problem=wrong.get(key),
            )
        )
    return fields


def _parameters(function: FunctionDefinition) -> list[ParameterRow]:
    required = set(function.parameters["required"])
    return [
        ParameterRow(path, _type(field), path in required, field.get("description", ""))
        for path, field in walk_fields(function.parameters)
    ]


def _type(field: Mapping[str, Any]) -> str:
    """The type as people read it: for an array, with the type of its items."""
    return f"array of {_type(field['items'])}" if field["type"] == "array" else str(field["type"])
