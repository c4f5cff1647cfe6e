"""The SDK's methods by their JavaScript names; each takes what the page passed and returns JSON values."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, cast, get_args

from service_client.errors import AuthenticationError, ServiceError
from service_client.models import CONVERTER, FunctionType
from service_client.resources.calling import CallInclude
from servicejs.call_arguments import CallArguments, prediction_in, refuse, refuse_value
from servicejs.exact_numbers import with_numbers
from servicejs.field_choices import list_choices
from servicejs.forms.drafts import Draft
from servicejs.forms.opening import Opening
from servicejs.handover import Handover, read_gesture
from servicejs.instance import Instance
from servicejs.method_options import check_options
from servicejs.prompting import carry_out_prompt
from servicejs.showing import connect_in_panel, fill_form, show_marketplace, tell_form

Method = Callable[[Instance, CallArguments], Coroutine[Any, Any, Any]]


async def show_apps(instance: Instance, arguments: CallArguments) -> None:
    """Show the marketplace in the surface that the page opened, `modal` or in a container."""
    names, handover = arguments.texts("apps"), _handover(arguments)
    surface = instance.open(arguments.text("surface"), handover.gestures)
    carry_out = None if arguments.values.get("promptBox") is False else carry_out_prompt
    closable = arguments.values.get("modal") is True
    await show_marketplace(instance, surface, names, closable=closable, carry_out=carry_out, known=handover.apps)


def _handover(arguments: CallArguments) -> Handover:
    return Handover.read(arguments.record("first"), arguments.text("surface"))


async def connect_app(instance: Instance, arguments: CallArguments) -> str:
    """Connect an account, or reconnect the one named, and return its id."""
    name, account, functions = arguments.text("appName"), arguments.account(), arguments.texts("functions")
    redirect_url = arguments.optional_text("redirectUrl") or instance.options.redirect_url
    if redirect_url is not None:
        session = await instance.client.connect_sessions.create(
            name,
            redirect_url=redirect_url,
            connected_account_id=account,
            functions=functions or None,
            **instance.look(),
        )
        instance.accounts.tell_started(name, account)
        instance.page.navigate(session.url)
        await asyncio.Future()  # the user is leaving the page; the result shows when they come back
    handover = _handover(arguments)
    surface = instance.open(arguments.text("surface"), handover.gestures)
    try:
        app = handover.app or await instance.accounts.app(name)
        popup, begun = arguments.optional_text("popup"), handover.session
        account_id, _ = await connect_in_panel(instance, surface, app, popup, account, functions, begun)
        return str(account_id)
    finally:
        instance.close(surface)


async def disconnect_app(instance: Instance, arguments: CallArguments) -> None:
    """Disconnect an account; if there are several, the call must say which one."""
    await instance.accounts.disconnect(arguments.text("appName"), arguments.account())


async def is_app_connected(instance: Instance, arguments: CallArguments) -> bool:
    """Tell whether the user has an account in an app, in whatever state."""
    return bool((await instance.accounts.app(arguments.text("appName"))).connected_accounts)


async def get_connected_accounts(instance: Instance, arguments: CallArguments) -> Any:
    """List the user's accounts in an app, newest first."""
    app = await instance.accounts.app(arguments.text("appName"))
    return CONVERTER.unstructure(app.connected_accounts)


async def get_apps(instance: Instance, arguments: CallArguments) -> Any:
    """List all apps."""
    return [CONVERTER.unstructure(app) async for app in instance.client.apps.list()]


async def show_function_ui(instance: Instance, arguments: CallArguments) -> Any:
    """Let the user fill in a function's arguments."""
    name, given, account = arguments.text("functionName"), arguments.record("params"), arguments.account()
    prediction, renderers = prediction_in(arguments.record("prediction")), arguments.texts("renderers")
    handover = _handover(arguments)
    surface = instance.open(arguments.text("surface"), handover.gestures)
    draft = Draft(arguments.optional_text("draft"), partial(instance.page.keep_draft, surface.name))
    try:
        function = handover.function or await instance.client.functions.get(name, include="meta")
        unknown = [path for path in renderers if re.split(r"[.\[]", path)[0] not in function.parameters.properties]
        if unknown:
            refuse(f"{name} has no parameter {unknown[0]!r} to be drawn by a renderer.")
        opening = Opening(function=function, arguments=given, prediction=prediction, renderers=frozenset(renderers))
        filling = fill_form(instance, surface, opening, account, draft, known_app=handover.app)
        return await tell_form(instance, function, filling)
    finally:
        instance.close(surface)


async def invoke_function(instance: Instance, arguments: CallArguments) -> Any:
    """Call a function; every answer of the service is a result, except a refusal of the credentials."""
    name, given, account = arguments.text("functionName"), arguments.record("params"), arguments.account()
    call = partial(instance.client.functions.call, name, connected_account_id=account, include=_call_include(arguments))
    try:
        try:
            called = await call(given)
        except ServiceError as error:
            numbers = with_numbers(given, error.details)
            if numbers is None:
                raise
            called = await call(numbers)  # the first time nothing was executed
        return CONVERTER.unstructure(called)
    except AuthenticationError:
        raise
    except ServiceError as error:
        return CONVERTER.unstructure(error.envelope)


async def get_functions(instance: Instance, arguments: CallArguments) -> Any:
    """List the functions of some apps, or of all if none are named, with what a page needs for its own form."""
    kind, connected_only = _function_type(arguments), arguments.values.get("connectedOnly") is True
    app = ",".join(arguments.texts("apps")) or None
    listed = instance.client.functions.list(app=app, type=kind, connected_only=connected_only, include="meta")
    return [CONVERTER.unstructure(function) async for function in listed]


async def get_function(instance: Instance, arguments: CallArguments) -> Any:
    """Return a function's signature, with what a page needs for its own form."""
    function = await instance.client.functions.get(arguments.text("functionName"), include="meta")
    return CONVERTER.unstructure(function)


async def get_choices(instance: Instance, arguments: CallArguments) -> Any:
    """List the choices of one field of a function."""
    function = await instance.client.functions.get(arguments.text("functionName"), include="meta")
    return await list_choices(
        instance.client,
        function,
        arguments.text("field"),
        arguments.record("params"),
        search=arguments.text("search") if arguments.values.get("search") else "",
        cursor=arguments.text("cursor") if arguments.values.get("cursor") else "",
        account_id=arguments.account(),
    )


async def predict(instance: Instance, arguments: CallArguments) -> Any:
    """
    Return the function that a prompt asks for, with the arguments that the prompt gives; None if there is none.

    With `functionName` it is that function, and only its arguments are predicted.
    """
    prompt, name, apps = arguments.text("prompt"), arguments.optional_text("functionName"), arguments.texts("apps")
    kind, connected_only = _function_type(arguments), arguments.values.get("connectedOnly") is True
    functions = instance.client.functions
    if name is not None:
        if apps or kind is not None or connected_only:
            refuse("functionName names the function; leave apps, type and connectedOnly out.")
        return CONVERTER.unstructure(await functions.get(name, predict_arguments=True, prompt=prompt))
    found = await functions.predict(
        prompt,
        arguments=True,
        app=",".join(apps) or None,
        type=kind,
        connected_only=connected_only,
    )
    return None if found is None else CONVERTER.unstructure(found)


def _call_include(arguments: CallArguments) -> CallInclude | None:
    include = arguments.optional_text("include")
    if include is not None and include not in get_args(CallInclude):
        refuse_value("include", " or ".join(get_args(CallInclude)), include)
    return cast(CallInclude | None, include)


def _function_type(arguments: CallArguments) -> FunctionType | None:
    kind = arguments.optional_text("type")
    if kind is not None and kind not in get_args(FunctionType):
        refuse_value("type", f"one of {', '.join(get_args(FunctionType))}", kind)
    return cast(FunctionType | None, kind)


async def gesture(instance: Instance, arguments: CallArguments) -> None:
    """Pass on what a user did; if its surface is gone by now, close the window that the click opened."""
    done = read_gesture(arguments.values)
    surface = instance.surfaces.get(done.surface)
    if surface is not None:
        await surface.handle(done)
    elif done.popup is not None:
        instance.page.close_popup(done.popup)


async def surface_gone(instance: Instance, arguments: CallArguments) -> None:
    """Give up what was shown on a surface that the page has taken away."""
    surface = instance.surfaces.get(arguments.text("surface"))
    if surface is not None:
        surface.leave()


METHODS: dict[str, Method] = {
    "showApps": show_apps,
    "connectApp": connect_app,
    "disconnectApp": disconnect_app,
    "isAppConnected": is_app_connected,
    "getConnectedAccounts": get_connected_accounts,
    "getApps": get_apps,
    "showFunctionUI": show_function_ui,
    "invokeFunction": invoke_function,
    "getFunctions": get_functions,
    "getFunction": get_function,
    "getChoices": get_choices,
    "predict": predict,
    "gesture": gesture,
    "surfaceGone": surface_gone,
}


async def carry_out(instance: Instance, name: str, values: dict[str, Any]) -> Any:
    """
    Carry out a method by its name.

    If the method fails before it takes charge of what the page opened for it, that is taken away.
    """
    option_names = values.pop("optionNames", None)
    arguments = CallArguments(values)
    if name not in METHODS:
        refuse(f"There is no method {name!r}.")
    try:
        check_options(name, option_names)
        return await instance.run(lambda: METHODS[name](instance, arguments))
    except BaseException:
        surface, popup = values.get("surface"), values.get("popup")
        if surface is not None and surface not in instance.surfaces:
            instance.page.close_surface(surface)
        if popup is not None:
            instance.page.close_popup(popup)
        raise
