"""The panel a user sees while connecting an account in another window."""

from collections.abc import Callable

from service_client.models import App
from servicejs.connect_attempt import ConnectAttempt, Phase
from servicejs.language import gettext as _
from servicejs.screens.screen import Gesture
from servicejs.templates import render


def connect_panel(app: App, account_name: str | None, phase: Phase, url: str) -> str:
    """Return the panel of an attempt to connect an account of an app, or to reconnect the one named."""
    return render("servicejs/connect_panel.html", app=app, account_name=account_name, phase=phase, url=url)


def connect_label(app: App, account_id: int | None) -> str:
    """Return the panel's name for screen readers; with an account, that one is being reconnected."""
    return _("Connect %(app)s", app=app.title) if account_id is None else _("Reconnect %(app)s", app=app.title)


class ConnectPanel:
    """Shows how an attempt stands, and lets the user call it off or open its window again."""

    def __init__(self, attempt: ConnectAttempt) -> None:
        self._attempt = attempt

    def render(self) -> str:
        """Return the panel."""
        attempt = self._attempt
        return connect_panel(attempt.app, attempt.account_name, attempt.phase, attempt.url)

    async def handle(self, gesture: Gesture) -> None:
        """Cancel, or open the window again."""
        match gesture.action:
            case "cancel" | "escape":
                self._attempt.cancel()
            case "open-again":
                self._attempt.open(gesture.popup)
            case "opened":
                self._attempt.opened()

    def leave(self) -> None:
        """Call the attempt off."""
        self._attempt.cancel()


class ConnectFirst:
    """Takes the place of a form as long as the user has no account in its app."""

    def __init__(
        self, app_title: str, problem: str, connect: Callable[[Gesture], None], cancel: Callable[[], None]
    ) -> None:
        self._app_title = app_title
        self._problem = problem
        self._connect = connect
        self._cancel = cancel

    def render(self) -> str:
        """Return the offer to connect."""
        return render("servicejs/connect_first.html", app_title=self._app_title, problem=self._problem)

    async def handle(self, gesture: Gesture) -> None:
        """Start connecting, or give up."""
        match gesture.action:
            case "connect":
                self._connect(gesture)
            case "cancel" | "escape":
                self._cancel()

    def leave(self) -> None:
        """Give up."""
        self._cancel()
