"""
Draws first screens with those of the browser SDK; imported a moment after the start, since that takes a while.

This is the only file of the server that knows the SDK's Python.
"""

import asyncio
import json
from typing import Any

from service_client.models import App, AppList, ConnectSession
from service_server.connect.sessions.sessions import HostPage
from service_server.html_pages.language import known_locale
from service_server.rest.apps import known_app, page_of_apps, public_app
from service_server.rest.caller import Caller
from service_server.rest.function_texts import public_function
from service_server.service import Service
from servicejs import first_screens
from servicejs.first_screens import Call, FirstScreen, NoFirstScreen

MOST_NAMED_APPS = 50
# All that are shipped: until Python is there, a search finds only what was drawn.
MOST_APPS = 100

Drawn = tuple[FirstScreen, ConnectSession | None]


async def draw(service: Service, caller: Caller, fields: dict[str, Any]) -> Drawn | None:
    """
    Draw what a call begins with, or what it shows once a button that connects was pressed (`action`).

    None where only the browser can draw what is asked for. A connect session is begun where the screen is its panel.
    """
    try:
        call = Call.read(fields["method"], json.loads(fields["arguments"]), fields.get("locale", ""))
        return await _draw(service, caller, call, fields)
    except (NoFirstScreen, ValueError, RecursionError):
        return None


async def _draw(service: Service, caller: Caller, call: Call, fields: dict[str, Any]) -> Drawn:
    """Draw in a thread: what templates and translations take when they are first used is more than a moment."""
    action, argument = fields.get("action"), fields.get("argument", "")
    if action is not None or call.method == "connectApp":
        app, account_id = await _to_connect(service, caller, call, action, argument)
        caller.require_app(app.name)
        session = await service.connect.create(
            caller.application,
            caller.user_id,
            app.name,
            redirect_url=call.redirect_url,
            connected_account_id=account_id,
            functions=call.functions,
            page=_host_page(call, fields),
        )
        return await asyncio.to_thread(first_screens.connecting, call, app, account_id, session), session
    if call.method == "showApps":
        apps = await _apps(service, caller, call.app_names)
        return await asyncio.to_thread(first_screens.marketplace, call, apps), None
    function = public_function(service, call.function_name, include_meta=True)
    app = await _app(service, caller, function.app_name)
    return await asyncio.to_thread(first_screens.function_form, call, function, app), None


def _host_page(call: Call, fields: dict[str, Any]) -> HostPage:
    """Read how the page looks; what isn't as it should be is left out, so that nothing else fails for it."""
    theme = fields.get("theme")
    return HostPage(
        locale=known_locale(call.locale),
        theme=theme if theme in ("light", "dark") else None,
        accent=call.accent,
    )


async def _to_connect(
    service: Service, caller: Caller, call: Call, action: str | None, argument: str
) -> tuple[App, int | None]:
    """Return the app to connect, and the account if one is to be reconnected."""
    if action is None:
        return await _app(service, caller, call.app_names[0]), call.account_id
    if action == "connect":
        return await _app(service, caller, argument or call.function_name.partition("-")[0]), None
    for account in await caller.accounts(service.accounts):
        if str(account.id) == argument:
            return await _app(service, caller, account.app_name), account.id
    raise NoFirstScreen


async def _apps(service: Service, caller: Caller, names: tuple[str, ...]) -> AppList:
    if not names:
        return await page_of_apps(service, caller, size=MOST_APPS)
    if len(names) > MOST_NAMED_APPS:
        raise NoFirstScreen
    accounts = await caller.accounts(service.accounts)
    return AppList(apps=tuple(public_app(service, known_app(service, name), accounts) for name in names))


async def _app(service: Service, caller: Caller, name: str) -> App:
    connector = known_app(service, name)
    return public_app(service, connector, await caller.accounts(service.accounts, name))
