"""What is shown above a form that a prompt led to: the prompt, and what it may have meant instead."""

from collections.abc import Callable, Sequence

from attrs import frozen

from servicejs.screens.screen import Gesture, Screen
from servicejs.templates import render


@frozen(kw_only=True)
class Alternative:
    """Another function that a prompt may have meant, in words for people."""

    name: str
    title: str
    app_title: str


class Suggestion:
    """
    Shows a screen below the prompt that led to it, with buttons for the functions that were nearly chosen.

    `choose` is called with the name of the function that the user takes instead.
    """

    def __init__(
        self, screen: Screen, prompt: str, alternatives: Sequence[Alternative], choose: Callable[[str], None]
    ) -> None:
        self._screen = screen
        self._prompt = prompt
        self._alternatives = alternatives
        self._choose = choose

    def render(self) -> str:
        """Return the prompt and the alternatives, and below them the screen."""
        said = render("servicejs/suggestion.html", prompt=self._prompt, alternatives=self._alternatives)
        return said + self._screen.render()

    async def handle(self, gesture: Gesture) -> None:
        """Take an alternative; everything else is the screen's."""
        if gesture.action != "choose-alternative":
            await self._screen.handle(gesture)
        elif gesture.argument in [each.name for each in self._alternatives]:
            self._choose(gesture.argument)

    def leave(self) -> None:
        """Give up."""
        self._screen.leave()
