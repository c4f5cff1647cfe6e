"""The apps of the catalogue: what they can do, and what the operator sets for them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import frozen
from litestar import Request, Response, get, post
from litestar.params import FromPath

from service_server.administration.administration import operator_variables
from service_server.administration.app_setup import Tried
from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import Permission
from service_server.catalog.auth import AuthMethod
from service_server.catalog.parameters import walk_fields
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.console.app_settings import settings_form
from service_server.console.failures import not_found
from service_server.console.guard import needs
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Form, Visit, submitted, visit
from service_server.oauth.app_settings import AppSettings
from service_server.service import Service
from service_server.store import Application

PAGE_SIZE = 50
_NUMBER = re.compile(r"[0-9]{1,18}")


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


@get("/console/apps", include_in_schema=False, **needs(Permission.SEE))
async def list_apps(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A page of the apps, by name."""
    current = await visit(request)
    names, after = current.service.catalog.app_names, current.query.get("after", "")
    first = bisect_right(names, after)
    shown = names[first : first + PAGE_SIZE]
    following = urlencode({"after": shown[-1]}) if first + PAGE_SIZE < len(names) else None
    apps = await app_states(current.service, shown)
    return current.page("apps.html", apps=apps, is_first=first == 0, following=following)


@get("/console/apps/{app_name:str}", include_in_schema=False, **needs(Permission.SEE))
async def show_app(request: Request[Any, Any, Any], app_name: FromPath[str]) -> Response[bytes]:
    """One app, its settings (those of one application, if the address names it) and functions."""
    current = await visit(request)
    connector = _connector(current, app_name)
    return await _show(current, connector, await _application(current, current.query.get("application", "")))


@post(
    "/console/apps/{app_name:str}",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def configure_app(request: Request[Any, Any, Any], app_name: FromPath[str]) -> Response[bytes]:
    """Set the OAuth2 client and the variables of an app; a client secret left empty stays as it is."""
    current, form = await submitted(request)
    connector = _connector(current, app_name)
    application = await _application(current, form.get("application", ""))
    given = {name: form.get(f"variable.{name}") for name in operator_variables(connector)}
    secret = "" if "remove_client_secret" in form else form.get("client_secret") or None
    try:
        await current.service.administration.configure_app(
            current.actor,
            connector,
            client_id=form.get("client_id"),
            client_secret=secret,
            variables={name: value or None for name, value in given.items() if value is not None},
            application_id=None if application is None else application.id,
        )
    except AdministrationError as error:
        return await _show(current, connector, application, form=form, problems=error.problems)
    return see_other(_address(connector, application, "saved"))


@post(
    "/console/apps/{app_name:str}/share",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def share_app(request: Request[Any, Any, Any], app_name: FromPath[str]) -> Response[bytes]:
    """Take an application's own settings of an app away."""
    current, form = await submitted(request)
    connector = _connector(current, app_name)
    application = await _application(current, form.get("application", ""))
    if application is None:
        raise not_found("application")
    await current.service.administration.share_app(current.actor, connector, application.id)
    return see_other(_address(connector, application, "shared"))


@post(
    "/console/apps/{app_name:str}/try",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def try_app(request: Request[Any, Any, Any], app_name: FromPath[str]) -> Response[bytes]:
    """Try the sign-in settings with the app itself."""
    current, form = await submitted(request)
    connector = _connector(current, app_name)
    application = await _application(current, form.get("application", ""))
    number = None if application is None else application.id
    settings = await current.service.administration.app_settings(connector, number)
    try:
        tried = await current.service.app_setup.try_sign_in(current.actor, connector, settings)
    except AdministrationError as error:
        return await _show(current, connector, application, problem=str(error))
    return await _show(current, connector, application, tried=tried)


APP_ROUTES = [list_apps, show_app, configure_app, share_app, try_app]


def _connector(current: Visit, app_name: str) -> Connector:
    connector = current.service.catalog.connector(app_name)
    if connector is None:
        raise not_found("app")
    return connector


async def _application(current: Visit, number: str) -> Application | None:
    """The application that an address or a form names by its number; None for all of them."""
    if not number:
        return None
    application = await current.service.applications.get(int(number)) if _NUMBER.fullmatch(number) else None
    if application is None:
        raise not_found("application")
    return application


def _address(connector: Connector, application: Application | None, done: str) -> str:
    of_application = "" if application is None else f"application={application.id}&"
    return f"/console/apps/{connector.name}?{of_application}done={done}"


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
    current: Visit,
    connector: Connector,
    application: Application | None,
    *,
    form: Form | None = None,
    problems: Mapping[str, str] | None = None,
    problem: str = "",
    tried: Sequence[Tried] = (),
) -> Response[bytes]:
    service = current.service
    administration = service.administration
    shown = None if application is None else application.id
    settings = await administration.app_settings(connector, shown)
    configuration = await administration.configurations.get(connector.name, shown)
    applications = await service.applications.everyone()
    having_own = {each.application_id for each in await administration.configurations.own(connector.name)}
    wrong = problems or {}
    return current.page(
        "app.html",
        status=422 if wrong or problem else 200,
        problem=problem,
        tried=tried,
        state=_state(connector, settings),
        settings=settings_form(connector, configuration, form or {}, wrong),
        application=application,
        is_own=shown in having_own,
        applications=applications,
        having_own=[each for each in applications if each.id in having_own],
        functions=[(function, _parameters(function)) for function in connector.functions.values()],
    )


def _parameters(function: FunctionDefinition) -> list[ParameterRow]:
    required = set(function.parameters["required"])
    return [
        ParameterRow(path, _type(field), path in required, field.get("description", ""))
        for path, field in walk_fields(function.parameters)
    ]


def _type(field: Mapping[str, Any]) -> str:
    """The type as people read it: for an array, with the type of its items."""
    return f"array of {_type(field['items'])}" if field["type"] == "array" else str(field["type"])
