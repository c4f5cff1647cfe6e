"""The user's accounts: connecting and disconnecting them, and telling everyone who should know."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from attrs import evolve

from service_client import AsyncClient
from service_client.errors import ServiceClientError
from service_client.models import CONVERTER, App, ConnectedAccount, ConnectSession
from servicejs.connect_attempt import ConnectAttempt
from servicejs.errors import SdkError, describe_error
from servicejs.look import Look
from servicejs.page.page import Emit, Page

Listener = Callable[[App], None]


class Accounts:
    """
    Connects and disconnects accounts, for the SDK's methods and for its screens.

    Every change emits its event and is passed on to the screens that listen.
    """

    def __init__(
        self,
        client: AsyncClient,
        page: Page,
        emit: Emit,
        look: Callable[[], Look],
        redirect_url: str | None = None,
    ) -> None:
        self.client = client
        self._redirect_url = redirect_url
        self._look = look
        self._page = page
        self._emit = emit
        self._listeners: list[Listener] = []
        self._seen: dict[str, App] = {}

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` about every app whose accounts change; the returned function stops that."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    async def app(self, name: str) -> App:
        """Return an app with the accounts as they are now."""
        app = self._seen[name] = await self.client.apps.get(name)
        return app

    async def app_or_as_seen(self, name: str) -> App:
        """Return an app with the accounts as they are now, or were when last seen, if the service doesn't say."""
        try:
            return await self.app(name)
        except (SdkError, ServiceClientError):
            if name not in self._seen:
                raise
            return self._seen[name]

    def attempt(
        self,
        app: App,
        changed: Callable[[], None],
        account_id: int | None = None,
        functions: tuple[str, ...] = (),
    ) -> ConnectAttempt:
        """
        Return an attempt, not started yet, to connect an account of an app, or to reconnect `account_id`.

        The user is asked for the permissions that `functions` need, in addition to the usual ones.
        """
        look, back = self._look(), self._redirect_url
        return ConnectAttempt(self.client, self._page, app, changed, account_id, functions, look, back)

    async def connect(
        self, attempt: ConnectAttempt, popup: str | None, begun: ConnectSession | None = None
    ) -> tuple[int, App]:
        """
        Carry out an attempt in the window that the click opened; return the account's id, and the app with it.

        If `begun` is given, that session is continued. Events report the progress.
        """
        self.tell_started(attempt.app.name, attempt.account_id)
        about = {"app": attempt.app.name, "connected_account_id": attempt.account_id}
        try:
            account_id = await attempt.run(popup, begun)
        except (SdkError, ServiceClientError) as error:
            described = describe_error(error)
            if described["code"] == "cancelled":
                self._emit("connect-cancelled", about)
            else:
                self._emit("connect-failed", about | {"error": described})
            raise
        return account_id, await self.connected(attempt.app.name, account_id)

    def tell_started(self, app_name: str, account_id: int | None) -> None:
        """Announce that the user has started to connect an account, or to reconnect the one named."""
        self._emit("connect-started", {"app": app_name, "connected_account_id": account_id})

    async def connected(self, app_name: str, account_id: int) -> App:
        """Take note that an account was connected, and return its app as it is now, as far as the service can say."""
        try:
            app = await self.app(app_name)
        except ServiceClientError:
            app = self._without(app_name, account_id)
            new = ConnectedAccount(id=account_id, display_name=app.title, modified_at=datetime.now(UTC))
            app = evolve(app, connected_accounts=(new, *app.connected_accounts))
        self._tell("app-connected", app, account_id)
        return app

    async def disconnect(self, app_name: str, account_id: int | None) -> App:
        """
        Disconnect an account and return its app as it is afterwards.

        Without an id the user must have exactly one account; the service refuses anything else.
        """
        if account_id is None:
            before = await self.app(app_name)
            if len(before.connected_accounts) == 1:
                account_id = before.connected_accounts[0].id
        await self.client.connected_accounts.disconnect(app_name, account_id)
        try:
            app = await self.app(app_name)
        except ServiceClientError:
            app = self._without(app_name, account_id)
        self._tell("app-disconnected", app, account_id)
        return app

    def _without(self, app_name: str, account_id: int | None) -> App:
        """
        Return an app as it was last seen, without the given account.

        The change itself succeeded: if the service can't return the app afterwards, that must not look like a failure.
        """
        known = self._seen.get(app_name) or App(id=0, name=app_name, title=app_name, icon_url="")
        return evolve(known, connected_accounts=tuple(a for a in known.connected_accounts if a.id != account_id))

    def _tell(self, event: str, app: App, account_id: int | None) -> None:
        self._seen[app.name] = app
        for listener in list(self._listeners):
            listener(app)
        payload: dict[str, Any] = CONVERTER.unstructure(app)
        self._emit(event, payload | {"connected_account_id": account_id})
