"""A part of the page that shows one screen at a time."""

import asyncio
from collections.abc import Sequence

from servicejs.page.page import Page
from servicejs.screens.screen import Gesture, Screen


class Surface:
    """
    Paints a screen into a surface of the page, and passes gestures to it.

    Painting waits until the end of the current step, so that a screen may ask for it as often as it likes; unchanged
    HTML is not sent again. `early` gestures, from before there is a screen, go to the first screen, which has received
    them by the time it is painted.
    """

    def __init__(self, name: str, page: Page, early: Sequence[Gesture] = ()) -> None:
        self.name = name
        self._page = page
        self._early = list(early)
        self._acting: set[asyncio.Task[None]] = set()
        self._screen: Screen | None = None
        self._label = ""
        self._shown = ""
        self._painting = False
        self.closed = False

    def show(self, screen: Screen, label: str) -> None:
        """Show a screen in place of the one before; `label` names the surface to screen readers."""
        self._screen, self._label = screen, label
        if self.closed:
            screen.leave()
        early, self._early = self._early, []
        for gesture in early:
            task = asyncio.ensure_future(self.handle(gesture))
            self._acting.add(task)  # the loop itself holds tasks only weakly
            task.add_done_callback(self._acting.discard)
        self.refresh()

    def refresh(self) -> None:
        """Paint the screen again soon."""
        if not self._painting and not self.closed:
            self._painting = True
            asyncio.get_running_loop().call_soon(self._paint)

    async def handle(self, gesture: Gesture) -> None:
        """Let the screen act on a gesture; one that comes after closing is dropped."""
        if self._screen is None:
            self._early.append(gesture)
        elif not self.closed:
            await self._screen.handle(gesture)

    def close(self) -> None:
        """Take the surface away, once."""
        if not self.closed:
            self.closed = True
            self._page.close_surface(self.name)

    def leave(self) -> None:
        """Note that the page took the surface away, for example with the element that contained it."""
        if not self.closed:
            self.close()
            if self._screen is not None:
                self._screen.leave()

    def _paint(self) -> None:
        self._painting = False
        if self.closed or self._screen is None:
            return
        html = self._screen.render()
        if html != self._shown:
            self._shown = html
            self._page.update_surface(self.name, html, self._label)
