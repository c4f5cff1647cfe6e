"""The panel a user sees while connecting an account in another window."""

from collections.abc import Callable

from servicejs.connect_attempt import ConnectAttempt
from servicejs.screens.screen import Gesture
from servicejs.templates import render


class ConnectPanel:
    """Shows how an attempt stands, and lets the user call it off or open its window again."""

    def __init__(self, attempt: ConnectAttempt) -> None:
        self._attempt = attempt

    def render(self) -> str:
        """Return the panel."""
        attempt = self._attempt
        return render(
            "servicejs/connect_panel.html",
            app=attempt.app,
            account_name=attempt.account_name,
            phase=attempt.phase,
            url=attempt.url,
        )

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
    """Stands in the way of a form as long as the user has no account in its app."""

    def __init__(
        self, app_title: str, problem: str, connect: Callable[[str | None], None], cancel: Callable[[], None]
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
                self._connect(gesture.popup)
            case "cancel" | "escape":
                self._cancel()

    def leave(self) -> None:
        """Give up."""
        self._cancel()
