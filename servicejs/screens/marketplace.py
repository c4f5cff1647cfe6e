"""The list of apps: what can be connected, what is, and the buttons to change it."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Literal

from service_client.errors import NotFoundError, ServiceClientError
from service_client.models import App, ConnectedAccount
from servicejs.accounts import Accounts
from servicejs.connect_attempt import ConnectAttempt
from servicejs.errors import SdkError, explain
from servicejs.language import gettext as _
from servicejs.screens.connect_panel import ConnectPanel
from servicejs.screens.countdown import count_down, wait_of
from servicejs.screens.prompt_box import PromptBox
from servicejs.screens.screen import Gesture
from servicejs.templates import render

LARGE_LIST = 6  # from here on a search box helps more than it distracts

SHOWN_AT_ONCE = 60
"""Apps listed before "Show more": more would be felt in every painting, and nobody scrolls that far."""

State = Literal["loading", "failed", "listed"]

CATEGORIES: Mapping[str, Callable[[], str]] = {
    "commerce": lambda: _("Payments and shops"),
    "communication": lambda: _("Messages and calls"),
    "development": lambda: _("Software development"),
    "files": lambda: _("Files and documents"),
    "marketing": lambda: _("Marketing and websites"),
    "productivity": lambda: _("Calendars and notes"),
    "projects": lambda: _("Projects and tasks"),
    "sales": lambda: _("Sales and contacts"),
    "support": lambda: _("Customer support"),
}
"""What the catalogue's categories are called."""


class Marketplace:
    """
    Shows all apps, those with accounts first, or the apps named in their order.

    `close` takes the marketplace away, which its user can do where it is `closable` (not in a container of the host
    page). `spawn` starts what goes on by itself. A `prompt_box` stands above the apps.
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
        self._names = names
        self._refresh = refresh
        self._close = close
        self._spawn = spawn
        self._closable = closable
        self._prompt_box = prompt_box
        self._apps: dict[str, App] = {}
        self._state: State = "loading"
        self._problem = ""
        self._wait = 0
        self._counting: asyncio.Task[None] | None = None
        self._notice = ""
        self._search = ""
        self._category = ""
        self._most_shown = SHOWN_AT_ONCE
        self._confirming: int | None = None
        self._busy: set[int] = set()
        self._attempt: ConnectAttempt | None = None

    async def load(self) -> None:
        """Fetch the apps; when that fails the marketplace says so and offers to try again, and the error is raised."""
        self._state, self._problem = "loading", ""
        self._stop_counting()
        self._refresh()
        try:
            await (self._load_named() if self._names else self._load_all())
        except (ServiceClientError, SdkError) as error:
            self._state, self._problem = "failed", explain(error)
            if wait := wait_of(error):
                self._counting = self._spawn(count_down(wait, self._tell_wait))
            raise
        else:
            self._state = "listed"
        finally:
            self._refresh()

    def leave(self) -> None:
        """End what goes on: the page has taken the marketplace away."""
        if self._attempt is not None:
            self._attempt.cancel()
        if self._prompt_box is not None:
            self._prompt_box.stop()
        self._stop_counting()
        self._close()

    def app_changed(self, app: App) -> None:
        """Show an app as it is now."""
        if app.name in self._apps:
            self._apps[app.name] = app
            self._refresh()

    def render(self) -> str:
        """Return the list, or the panel of the account that is being connected."""
        if self._attempt is not None:
            return ConnectPanel(self._attempt).render()
        matching = [app for app in self._sorted() if self._matches(app)]
        return render(
            "servicejs/marketplace.html",
            apps=matching[: self._most_shown],
            hidden=max(0, len(matching) - self._most_shown),
            category=self._category,
            categories=self._categories(),
            state=self._state,
            problem=self._problem,
            wait=self._wait,
            notice=self._notice,
            search=self._search,
            searchable=len(self._apps) >= LARGE_LIST or bool(self._search),
            confirming=self._confirming,
            busy=self._busy,
            closable=self._closable,
            prompt_box=self._prompt_box if self._apps else None,
        )

    async def handle(self, gesture: Gesture) -> None:
        """Search, connect, reconnect, disconnect, try again or close."""
        if self._attempt is not None:
            await ConnectPanel(self._attempt).handle(gesture)
            return
        if self._prompt_box is not None and self._prompt_box.handle(gesture):
            self._refresh()
            return
        try:
            await self._act(gesture)
        except SdkError as error:
            self._notice = str(error)
        self._refresh()

    async def _act(self, gesture: Gesture) -> None:
        match gesture.action:
            case "search" if isinstance(gesture.value, str):
                self._search = gesture.value
                self._most_shown = SHOWN_AT_ONCE
            case "pick-category" if isinstance(gesture.value, str):
                self._category = gesture.value
                self._most_shown = SHOWN_AT_ONCE
            case "show-more":
                self._most_shown += SHOWN_AT_ONCE
            case "connect":
                await self._connect(gesture.argument, None, gesture.popup)
            case "reconnect":
                app, account = self._account(gesture.argument)
                await self._connect(app.name, account.id, gesture.popup)
            case "ask-disconnect":
                self._confirming = int(gesture.argument)
            case "keep":
                self._confirming = None
            case "disconnect":
                await self._disconnect(*self._account(gesture.argument))
            case "retry" if not self._wait:
                await self._retry()
            case "escape" if self._confirming is not None:
                self._confirming = None
            case "close" | "escape" if self._closable:
                self._close()

    async def _load_named(self) -> None:
        found = await asyncio.gather(*map(self._accounts.app, self._names), return_exceptions=True)
        unknown = [name for name, app in zip(self._names, found, strict=True) if isinstance(app, NotFoundError)]
        if unknown:
            raise SdkError("unknown_app", f"There is no app named {', '.join(map(repr, unknown))}.")
        for app in found:
            if isinstance(app, BaseException):
                raise app
            self._apps[app.name] = app

    async def _load_all(self) -> None:
        async for page in self._accounts.client.apps.list().iter_pages():
            self._apps.update({app.name: app for app in page.data})
            self._refresh()

    async def _retry(self) -> None:
        try:
            await self.load()
        except (ServiceClientError, SdkError):
            return  # load() shows the reason

    def _tell_wait(self, left: int) -> None:
        self._wait = left
        self._refresh()

    def _stop_counting(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
        self._counting, self._wait = None, 0

    async def _connect(self, name: str, account_id: int | None, popup: str | None) -> None:
        app = self._apps[name]
        self._notice = ""
        if self._prompt_box is not None:
            self._prompt_box.stop()  # its form would come in between
        self._attempt = self._accounts.attempt(app, self._refresh, account_id)
        again = self._attempt.account_name
        self._refresh()
        try:
            account = await self._attempt.run(popup)
            await self._accounts.connected(name, account)
            if again is None:
                self._notice = _("%(app)s is connected.", app=app.title)
            else:
                self._notice = _("%(account)s is connected again.", account=again)
        except (ServiceClientError, SdkError) as error:
            self._notice = explain(error)
        finally:
            self._attempt = None
            self._refresh()

    async def _disconnect(self, app: App, account: ConnectedAccount) -> None:
        self._confirming = None
        self._busy.add(account.id)
        self._refresh()
        try:
            await self._accounts.disconnect(app.name, account.id)
            names = {"account": account.display_name, "app": app.title}
            self._notice = _("%(account)s is disconnected from %(app)s.", **names)
        except ServiceClientError as error:
            self._notice = explain(error)
        finally:
            self._busy.discard(account.id)

    def _account(self, account_id: str) -> tuple[App, ConnectedAccount]:
        for app in self._apps.values():
            for account in app.connected_accounts:
                if str(account.id) == account_id:
                    return app, account
        raise SdkError("account_not_found", _("This account is no longer connected."))

    def _sorted(self) -> list[App]:
        apps = list(self._apps.values())
        return apps if self._names else sorted(apps, key=lambda app: not app.connected_accounts)

    def _categories(self) -> list[tuple[str, str]]:
        """The categories to choose from with their names; none where they would tell nothing apart."""
        found = {category for app in self._apps.values() for category in app.categories}
        names = [(key, name()) for key, name in CATEGORIES.items() if key in found]
        return sorted(names, key=lambda pair: pair[1].casefold()) if len(names) > 1 else []

    def _matches(self, app: App) -> bool:
        if self._category and self._category not in app.categories:
            return False
        words = self._search.casefold().split()
        text = f"{app.title} {app.name}".casefold()
        return all(word in text for word in words)
