"""The methods that show something: which screen follows which on a surface, and when it goes away."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from service_client.errors import AuthenticationError, ServiceClientError
from service_client.models import (
    App,
    AppList,
    CallResult,
    ConnectedAccount,
    ConnectSession,
    ErrorDetail,
    File,
    Function,
)
from servicejs.errors import SdkError, explain
from servicejs.forms.chosen_file import ChosenFile
from servicejs.forms.drafts import Draft
from servicejs.forms.opening import Opening
from servicejs.instance import Instance
from servicejs.language import gettext as _
from servicejs.screens.connect_panel import ConnectFirst, ConnectPanel, connect_label
from servicejs.screens.function_form import FunctionFormScreen
from servicejs.screens.marketplace import Marketplace
from servicejs.screens.prompt_box import PromptBox
from servicejs.screens.screen import Gesture, Screen
from servicejs.surface import Surface

CarryOut = Callable[[Instance, Surface, str, tuple[str, ...]], Awaitable[bool]]
"""Does on a surface what a prompt asks for in one of the apps (any, if none are given); False if nothing fits."""


async def show_marketplace(
    instance: Instance,
    surface: Surface,
    names: tuple[str, ...],
    *,
    closable: bool,
    carry_out: CarryOut | None,
    known: AppList | None = None,
) -> None:
    """
    Show the marketplace and return once its apps are listed; with `carry_out` it has a box for prompts.

    Apps that are `known` are shown at once, and the ones after them are fetched.

    If the service refuses the credentials, the marketplace is closed. After other failures it stays open with its offer
    to try again. The error is raised in any case.
    """

    def close() -> None:
        stop_listening()
        instance.close(surface)

    async def carry_out_here(carry_out: CarryOut, prompt: str) -> bool:
        try:
            return await carry_out(instance, surface, prompt, names)
        finally:
            surface.show(marketplace, _("Apps"))

    box = None if carry_out is None else PromptBox(partial(carry_out_here, carry_out), surface.refresh, instance.spawn)
    marketplace = Marketplace(
        instance.accounts, names, surface.refresh, close, instance.spawn, closable=closable, prompt_box=box
    )
    stop_listening = instance.accounts.listen(marketplace.app_changed)
    surface.show(marketplace, _("Apps"))
    try:
        await marketplace.load(known)
    except (SdkError, AuthenticationError):
        close()
        raise


async def connect_in_panel(
    instance: Instance,
    surface: Surface,
    app: App,
    popup: str | None,
    account_id: int | None = None,
    functions: tuple[str, ...] = (),
    begun: ConnectSession | None = None,
) -> tuple[int, App]:
    """
    Connect an account while a panel says what is going on; return its id, and the app with it.

    With `account_id`, that one is reconnected. The permissions that `functions` need are asked for too. If `begun` is
    given, that session is continued.
    """
    attempt = instance.accounts.attempt(app, surface.refresh, account_id, functions)
    surface.show(ConnectPanel(attempt), connect_label(app, account_id))
    return await instance.accounts.connect(attempt, popup, begun)


async def tell_form(instance: Instance, function: Function, filling: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """Report by events how filling in a function's form goes, and return its result."""
    about = {"function": function.name}
    instance.emit("form-opened", about)
    try:
        filled = await filling
    except BaseException:
        instance.emit("form-cancelled", about)
        raise
    account = filled["connectedAccountId"]
    submitted = {"arguments": filled["arguments"], "connected_account_id": None if account is None else int(account)}
    instance.emit("form-submitted", about | submitted)
    return filled


@frozen
class Refusal:
    """Why the service did not carry out what a form was filled in for, and the account that was chosen in it."""

    details: Sequence[ErrorDetail]
    error: str
    account: str | None

    @property
    def account_id(self) -> int | None:
        """The account as the API has it."""
        return None if self.account is None else int(self.account)


async def fill_form(
    instance: Instance,
    surface: Surface,
    opening: Opening,
    account_id: int | None,
    draft: Draft,
    *,
    frame: Callable[[Screen], Screen] = lambda screen: screen,
    refusal: Refusal | None = None,
    known_app: App | None = None,
) -> dict[str, Any]:
    """
    Let the user fill in a function's arguments, and connect its app first if need be.

    What the user sees is put in a `frame`, for example one that offers other functions; a `refusal` is shown at the
    fields.

    Returns `{arguments, connectedAccountId}`: what was filled in, and the account it was filled in for, if any was
    chosen.
    """
    if refusal is not None:  # what was filled in must not be lost to a service that is away
        app = await instance.accounts.app_or_as_seen(opening.function.app_name)
    else:
        app = known_app or await instance.accounts.app(opening.function.app_name)
    if not app.connected_accounts:
        app = await _connect_first(instance, surface, app, frame)
    host = _Filling(instance, surface, app, opening.function, frame)
    screen = FunctionFormScreen(opening, app.connected_accounts, account_id, host, draft)
    if refusal is not None:
        screen.show_details(refusal.details, refusal.error)
    host.show(screen)
    loading = instance.spawn(screen.start())
    try:
        return await host.done
    finally:
        loading.cancel()
        screen.stop()


class _Filling:
    """A form that is being filled in on a surface; `done` is its result."""

    def __init__(
        self, instance: Instance, surface: Surface, app: App, function: Function, frame: Callable[[Screen], Screen]
    ) -> None:
        self.done: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._instance = instance
        self._surface = surface
        self._app = app
        self._title = function.meta.title if function.meta else function.name
        self._frame = frame
        self._shown: Screen | None = None

    def show(self, screen: Screen) -> None:
        """Show the form's screen."""
        self._shown = self._frame(screen)
        self._surface.show(self._shown, self._title)

    def refresh(self) -> None:
        """Paint the form again soon."""
        self._surface.refresh()

    async def call(self, name: str, arguments: dict[str, Any], account_id: int | None) -> CallResult:
        """Call a source function."""
        return await self._instance.client.functions.call(name, arguments, connected_account_id=account_id)

    async def upload(self, chosen: ChosenFile) -> File:
        """Upload a file that the page keeps."""
        content = await self._instance.page.fetch_file(chosen.key)
        return await self._instance.client.files.upload(content, name=chosen.name)

    async def connect(
        self, account_id: int | None, functions: tuple[str, ...], popup: str | None
    ) -> tuple[int, tuple[ConnectedAccount, ...]]:
        """Connect in a panel, after which the form comes back."""
        try:
            connected, now = await connect_in_panel(
                self._instance, self._surface, self._app, popup, account_id, functions
            )
            return connected, now.connected_accounts
        finally:
            if self._shown is not None:
                self._surface.show(self._shown, self._title)

    async def look_up_accounts(self) -> tuple[ConnectedAccount, ...]:
        """Ask which accounts there are now."""
        return (await self._instance.accounts.app(self._app.name)).connected_accounts

    def finish(self, arguments: dict[str, Any], account_id: int | None) -> None:
        """Hand over what was filled in."""
        if not self.done.done():
            self.done.set_result(
                {"arguments": arguments, "connectedAccountId": None if account_id is None else str(account_id)}
            )

    def cancel(self) -> None:
        """End the form as cancelled."""
        if not self.done.done():
            self.done.set_exception(SdkError("cancelled", _("The form was cancelled.")))


async def _connect_first(instance: Instance, surface: Surface, app: App, frame: Callable[[Screen], Screen]) -> App:
    """Offer to connect an account until there is one or the user gives up; return the app with it."""
    problem = ""
    while True:
        pressed = await _offer_to_connect(surface, app, problem, frame)
        try:
            _, connected = await connect_in_panel(instance, surface, app, pressed.popup, begun=pressed.session)
        except (SdkError, ServiceClientError) as error:
            problem = explain(error)
        else:
            return connected


async def _offer_to_connect(surface: Surface, app: App, problem: str, frame: Callable[[Screen], Screen]) -> Gesture:
    answer: asyncio.Future[Gesture] = asyncio.get_running_loop().create_future()

    def connect(pressed: Gesture) -> None:
        if not answer.done():
            answer.set_result(pressed)

    def cancel() -> None:
        if not answer.done():
            answer.set_exception(SdkError("cancelled", _("The form was cancelled.")))

    screen = ConnectFirst(app.title, problem, connect, cancel)
    surface.show(frame(screen), _("Connect %(app)s", app=app.title))
    return await answer
