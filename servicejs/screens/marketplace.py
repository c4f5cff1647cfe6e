"""The list of apps: what can be connected, what is, and the buttons to change it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from service_client.errors import NotFoundError, ServiceClientError
from service_client.models import App, AppList, ConnectedAccount
from servicejs.accounts import Accounts
from servicejs.connect_attempt import ConnectAttempt
from servicejs.errors import SdkError, explain
from servicejs.language import gettext as _
from servicejs.screens.connect_panel import ConnectPanel
from servicejs.screens.countdown import count_down, wait_of
from servicejs.screens.listed_apps import ListedApps
from servicejs.screens.prompt_box import PromptBox
from servicejs.screens.screen import Gesture


class Marketplace:
    """
    Shows all apps, those with accounts first, or the apps named in their order.

    `close` takes the marketplace away; the user can do so if it is `closable` (not in a container of the host page).
    `spawn` starts what runs in the background. A `prompt_box` is shown above the apps.
    """

    def __init__(
        self,
        accounts: Accounts,
        names: tuple[str, ...],
        refresh: Callable[[], None],
        close: Callable[[], None],
        spawn: Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"],
        *,
        closable: bool,
        prompt_box: PromptBox | None = None,
    ) -> None:
        self._accounts = accounts
        self._listed = ListedApps(names, closable)
        self._refresh = refresh
        self._close = close
        self._spawn = spawn
        self._prompt_box = prompt_box
        self._counting: asyncio.Task[None] | None = None
        self._attempt: ConnectAttempt | None = None

    async def load(self, known: AppList | None = None) -> None:
        """
        Fetch the apps, or those after the `known` ones.

        When that fails the marketplace says so and offers to try again, and the error is raised.
        """
        self._listed.state, self._listed.problem = "loading", ""
        self._stop_counting()
        self._refresh()
        try:
            if known is None and self._listed.named:
                await self._load_named(self._listed.named)
            else:
                await self._load_all(known)
        except (ServiceClientError, SdkError) as error:
            self._listed.state, self._listed.problem = "failed", explain(error)
            if wait := wait_of(error):
                self._counting = self._spawn(count_down(wait, self._tell_wait))
            raise
        else:
            self._listed.state = "listed"
        finally:
            self._refresh()

    def leave(self) -> None:
        """Stop everything: the page has taken the marketplace away."""
        if self._attempt is not None:
            self._attempt.cancel()
        if self._prompt_box is not None:
            self._prompt_box.stop()
        self._stop_counting()
        self._close()

    def app_changed(self, app: App) -> None:
        """Show an app as it is now."""
        if app.name in self._listed.apps:
            self._listed.add([app])
            self._refresh()

    def render(self) -> str:
        """Return the list, or the panel of the account that is being connected."""
        if self._attempt is not None:
            return ConnectPanel(self._attempt).render()
        return self._listed.render(self._prompt_box)

    async def handle(self, gesture: Gesture) -> None:
        """Search, connect, reconnect, disconnect, try again or close."""
        if self._attempt is not None:
            await ConnectPanel(self._attempt).handle(gesture)
            return
        if self._prompt_box is not None and self._prompt_box.handle(gesture):
            self._refresh()
            return
        self._listed.notice = self._listed.returned_to = ""
        try:
            await self._act(gesture)
        except SdkError as error:
            self._listed.notice = str(error)
        self._refresh()

    async def _act(self, gesture: Gesture) -> None:
        match gesture.action:
            case "search" if isinstance(gesture.value, str):
                self._listed.search(gesture.value)
            case "pick-category" if isinstance(gesture.value, str):
                self._listed.pick_category(gesture.value)
            case "show-more":
                self._listed.show_more()
            case "connect":
                await self._connect(gesture.argument, None, gesture)
            case "reconnect":
                app, account = self._account(gesture.argument)
                await self._connect(app.name, account.id, gesture)
            case "ask-disconnect":
                self._listed.confirming = int(gesture.argument)
            case "keep":
                self._listed.confirming = None
            case "disconnect":
                await self._disconnect(*self._account(gesture.argument))
            case "retry" if not self._listed.wait:
                await self._retry()
            case "escape" if self._listed.confirming is not None:
                self._listed.confirming = None
            case "close" | "escape" if self._listed.closable:
                self._close()

    async def _load_named(self, names: tuple[str, ...]) -> None:
        found = await asyncio.gather(*map(self._accounts.app, names), return_exceptions=True)
        unknown = [name for name, app in zip(names, found, strict=True) if isinstance(app, NotFoundError)]
        if unknown:
            raise SdkError("unknown_app", f"There is no app named {', '.join(map(repr, unknown))}.")
        for app in found:
            if isinstance(app, BaseException):
                raise app
            self._listed.add([app])

    async def _load_all(self, known: AppList | None) -> None:
        if known is not None:
            self._listed.add(known.apps)
            if not known.cursor:
                return
        pages = self._accounts.client.apps.list(cursor=known.cursor if known else "").iter_pages()
        async for page in pages:
            self._listed.add(page.data)
            self._refresh()

    async def _retry(self) -> None:
        try:
            await self.load()
        except (ServiceClientError, SdkError):
            return  # load() shows the reason

    def _tell_wait(self, left: int) -> None:
        self._listed.wait = left
        self._refresh()

    def _stop_counting(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
        self._counting, self._listed.wait = None, 0

    async def _connect(self, name: str, account_id: int | None, pressed: Gesture) -> None:
        app = self._listed.apps[name]
        if self._prompt_box is not None:
            self._prompt_box.stop()  # its form would get in the way
        self._attempt = self._accounts.attempt(app, self._refresh, account_id)
        again = self._attempt.account_name
        self._refresh()
        try:
            await self._accounts.connect(self._attempt, pressed.popup, pressed.session)
            if again is None:
                self._listed.notice = _("%(app)s is connected.", app=app.title)
            else:
                self._listed.notice = _("%(account)s is connected again.", account=again)
        except (ServiceClientError, SdkError) as error:
            self._listed.notice = explain(error)
        finally:
            self._attempt, self._listed.returned_to = None, name
            self._refresh()

    async def _disconnect(self, app: App, account: ConnectedAccount) -> None:
        self._listed.confirming = None
        self._listed.busy.add(account.id)
        self._refresh()
        try:
            await self._accounts.disconnect(app.name, account.id)
            names = {"account": account.display_name, "app": app.title}
            self._listed.notice = _("%(account)s is disconnected from %(app)s.", **names)
        except ServiceClientError as error:
            self._listed.notice = explain(error)
        finally:
            self._listed.busy.discard(account.id)

    def _account(self, account_id: str) -> tuple[App, ConnectedAccount]:
        for app in self._listed.apps.values():
            for account in app.connected_accounts:
                if str(account.id) == account_id:
                    return app, account
        raise SdkError("account_not_found", _("This account is no longer connected."))
