"""The user's accounts: connecting and disconnecting them, and telling everyone who should know."""

from collections.abc import Callable
from typing import Any

from service_client import AsyncClient
from service_client.models import CONVERTER, App
from servicejs.bus import Bus
from servicejs.connect_attempt import ConnectAttempt
from servicejs.page.page import Page

Listener = Callable[[App], None]


class Accounts:
    """
    Connects and disconnects, whoever asks for it: a method of the SDK or a screen.

    Every change emits its event and is passed on to the screens that listen.
    """

    def __init__(self, client: AsyncClient, page: Page, bus: Bus) -> None:
        self.client = client
        self._page = page
        self._bus = bus
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every app whose accounts change; the returned function ends that."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    async def app(self, name: str) -> App:
        """Return an app with the accounts as they are now."""
        return await self.client.apps.get(name)

    def attempt(
        self,
        app: App,
        changed: Callable[[], None],
        account_id: int | None = None,
        functions: tuple[str, ...] = (),
    ) -> ConnectAttempt:
        """
        Return an attempt to connect an account of an app, not started yet; with `account_id`, to reconnect it.

        The user is asked for what `functions` need, beside the usual permissions.
        """
        return ConnectAttempt(self.client, self._page, app, changed, account_id, functions)

    async def connected(self, app_name: str, account_id: int) -> App:
        """Take note that an account was connected, and return its app as it is now."""
        app = await self.app(app_name)
        self._tell("app-connected", app, account_id)
        return app

    async def disconnect(self, app_name: str, account_id: int | None) -> App:
        """
        Disconnect an account and return its app as it is then.

        Without an id the user must have exactly one account; the service refuses anything else.
        """
        if account_id is None:
            before = await self.app(app_name)
            if len(before.connected_accounts) == 1:
                account_id = before.connected_accounts[0].id
        await self.client.connected_accounts.disconnect(app_name, account_id)
        app = await self.app(app_name)
        self._tell("app-disconnected", app, account_id)
        return app

    def _tell(self, event: str, app: App, account_id: int | None) -> None:
        for listener in list(self._listeners):
            listener(app)
        payload: dict[str, Any] = CONVERTER.unstructure(app)
        self._bus.emit(event, payload | {"connected_account_id": account_id})
