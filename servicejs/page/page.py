"""The page as the SDK's Python sees it."""

from collections.abc import Callable
from typing import Any, Protocol

SessionToken = str | dict[str, Any]

Emit = Callable[[str, dict[str, Any]], None]
"""Passes an event of one instance, with its payload, to whoever listens for it."""


class Page(Protocol):
    """
    The few things only a browser page can do.

    The page opens surfaces and popups itself, within the user's click, and hands their names over; from then on they
    are changed and closed through here. Only what is `async` waits for the page.
    """

    def update_surface(self, surface: str, html: str, label: str) -> None:
        """Show `html` in a surface, in place of what it showed; `label` is its accessible name."""
        ...

    def close_surface(self, surface: str) -> None:
        """Take a surface away and put the focus back where it was; one that is already gone is no error."""
        ...

    def keep_draft(self, surface: str, draft: str | None) -> None:
        """Keep what is filled into a surface's form for as long as the tab is open; None forgets it."""
        ...

    def navigate_popup(self, popup: str, url: str) -> None:
        """Send a popup to `url`."""
        ...

    def close_popup(self, popup: str) -> None:
        """
        Give up a popup, and close it if it was not sent anywhere.

        One that was sent somewhere is cut off from this page, so that no page in it can do harm here; it closes itself.
        """
        ...

    async def popup_closed(self, popup: str) -> bool:
        """
        Wait until the user seems to have closed a popup; False once it is given up.

        It may be open all the same: pages in it can hide that from this page.
        """
        ...

    def navigate(self, url: str) -> None:
        """Leave the page for `url`, in the same window."""
        ...

    def forget_parameters(self, parameters: dict[str, str]) -> None:
        """Take parameters out of the page's address if all of them are still in it; the rest stays as it is."""
        ...

    def emit(self, instance: str, event: str, payload: dict[str, Any]) -> None:
        """Pass an event of an instance to whoever listens for it."""
        ...

    async def fetch_token(self, instance: str) -> SessionToken:
        """Ask the host page's `token` function for a session token: text, or `{token, expires_at}`."""
        ...

    async def fetch_file(self, key: str) -> Any:
        """Return the file that the user has chosen, as the client uploads it: the browser's own, in Pyodide."""
        ...
