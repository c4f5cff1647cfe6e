"""A user's attempt to connect an account: open a connect session, send a popup to it, wait for it to end."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeVar

from service_client import AsyncClient
from service_client.errors import InternalServerError, RateLimitError, ServiceClientError, ServiceUnreachableError
from service_client.models import App, ConnectSession, ConnectSessionState
from servicejs.errors import SdkError
from servicejs.language import gettext as _
from servicejs.look import Look
from servicejs.page.page import Page

LONG_POLL_SECONDS = 25
PAUSE_SECONDS = 2.0  # after a poll that got no answer: the network or the service is down
GIVE_UP_SECONDS = 5.0
SESSION_SECONDS = 11 * 60  # no connect session lives longer than ten minutes

T = TypeVar("T")

Phase = Literal["opening", "blocked", "waiting", "closed", "leaving", "ended"]


class ConnectAttempt:
    """
    Connects one account of an app, or reconnects `account_id` in place.

    `phase` says how far it is: `opening` while the session is made, `blocked` when no window could be opened for it,
    `waiting` while the user is connecting, `closed` if the window seems to be closed meanwhile. With a `redirect_url`
    the user leaves this page instead of using a window, and the phase is `leaving` until the end. The user is asked for
    the permissions that `functions` need, in addition to the usual ones. Credentials are only ever typed into the
    window, which shows the service's page in the `look` of this one.
    """

    def __init__(
        self,
        client: AsyncClient,
        page: Page,
        app: App,
        changed: Callable[[], None],
        account_id: int | None = None,
        functions: tuple[str, ...] = (),
        look: Look | None = None,
        redirect_url: str | None = None,
    ) -> None:
        self.app = app
        self._look = look or Look()
        self.account_id = account_id
        self._functions = functions
        self._redirect_url = redirect_url
        self.phase: Phase = "opening" if redirect_url is None else "leaving"
        self._client = client
        self._page = page
        self._changed = changed
        self._session: ConnectSession | None = None
        self._popup: str | None = None
        self._watching: asyncio.Task[None] | None = None
        self._cancelled = asyncio.Event()

    @property
    def account_name(self) -> str | None:
        """The name of the account to reconnect; None for a new one."""
        return name_of_account(self.app, self.account_id)

    @property
    def url(self) -> str:
        """The service's connect page; empty as long as there is none."""
        return "" if self._session is None else self._session.url

    async def run(self, popup: str | None, begun: ConnectSession | None = None) -> int:
        """
        Return the id of the connected account; anything else that ends the attempt is an error.

        If `begun` is given, that session is continued instead of a new one, and the user is not sent there again.
        """
        self._popup = popup
        try:
            session = begun if begun is not None else await self._until_cancelled(self._create())
            self._session = session
            if self._redirect_url is None:
                self.open(popup)
            elif begun is None:
                self._page.navigate(session.url)
            self._changed()
            return self._account(await self._until_cancelled(self._end_of(session.id)))
        finally:
            self.phase = "ended"
            self._stop_watching()
            if self._popup is not None:
                self._page.close_popup(self._popup)
            await self._give_up()

    def open(self, popup: str | None) -> None:
        """Send a newly opened window to the connect page; None means that the browser opened none."""
        if self._popup is not None and popup is not None and popup != self._popup:
            self._page.close_popup(self._popup)
        self._popup = popup or self._popup
        if self._session is None:
            return
        if popup is not None:
            self._page.navigate_popup(popup, self._session.url)
            self._stop_watching()
            self._watching = asyncio.ensure_future(self._watch(popup))
        self.phase = "waiting" if self._popup is not None else "blocked"
        self._changed()

    def opened(self) -> None:
        """Note that the user followed the link shown in place of a blocked window."""
        self.phase = "waiting"
        self._changed()

    def cancel(self) -> None:
        """End the attempt; `run` then raises the error `cancelled`."""
        self._cancelled.set()

    async def _watch(self, popup: str) -> None:
        """Note that the user has closed the window: its last page can't tell, unless it is one of the service's."""
        if await self._page.popup_closed(popup) and self.phase == "waiting":
            self.phase = "closed"
            self._changed()

    def _stop_watching(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def _create(self) -> ConnectSession:
        return await self._client.connect_sessions.create(
            self.app.name,
            redirect_url=self._redirect_url,
            connected_account_id=self.account_id,
            functions=self._functions or None,
            **self._look,
        )

    async def _end_of(self, session_id: str) -> ConnectSessionState:
        """Wait until the session is no longer pending; a network that comes and goes does not end the wait."""
        started = time.monotonic()
        while True:
            asked = time.monotonic()
            try:
                state = await self._client.connect_sessions.get(session_id, wait=LONG_POLL_SECONDS)
            except (ServiceUnreachableError, InternalServerError, RateLimitError):
                if asked - started > SESSION_SECONDS:
                    raise
            else:
                if state.status != "pending":
                    self._session = None  # it has ended by itself, so there is nothing to give up
                    return state
            if time.monotonic() - asked < 1:  # no long poll, or no answer: do not ask without a pause
                await asyncio.sleep(PAUSE_SECONDS)

    def _account(self, state: ConnectSessionState) -> int:
        title = self.app.title
        match state:
            case ConnectSessionState(status="connected", connected_account_id=int(account_id)):
                return account_id
            case ConnectSessionState(status="cancelled"):
                raise _cancelled(title)
            case ConnectSessionState(status="expired"):
                raise SdkError("expired", _("Connecting %(app)s took too long. Please start again.", app=title))
            case _:
                if state.error:
                    words = _("%(app)s could not be connected: %(reason)s", app=title, reason=state.error)
                else:
                    words = _("%(app)s could not be connected.", app=title)
                raise SdkError("connect_failed", words)

    async def _until_cancelled(self, work: Coroutine[Any, Any, T]) -> T:
        if self._cancelled.is_set():  # before anything was asked of the service
            work.close()
            raise _cancelled(self.app.title)
        task = asyncio.ensure_future(work)
        stop = asyncio.ensure_future(self._cancelled.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise _cancelled(self.app.title)
        finally:
            task.cancel()
            stop.cancel()

    async def _give_up(self) -> None:
        """Tell the service that nobody is waiting for the session any more; if that fails, it expires by itself."""
        if self._session is not None:
            with contextlib.suppress(ServiceClientError, TimeoutError):
                async with asyncio.timeout(GIVE_UP_SECONDS):
                    await self._client.connect_sessions.cancel(self._session.id)


def name_of_account(app: App, account_id: int | None) -> str | None:
    """Return the name of an app's account; None if the app has none with that id."""
    return next((account.display_name for account in app.connected_accounts if account.id == account_id), None)


def _cancelled(title: str) -> SdkError:
    return SdkError("cancelled", _("Connecting %(app)s was cancelled.", app=title))
