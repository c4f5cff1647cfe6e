"""What came of a call that the marketplace made."""

import json
from collections.abc import Callable

from service_client.models import CallResult
from servicejs.screens.screen import Gesture
from servicejs.templates import render

MOST_SHOWN = 20_000
"""Characters of an output: more would be felt in every painting, and nobody reads that far."""


class CallOutcome:
    """
    Says that a function is being called, and once `result` is there what the app answered.

    `over` is called when the user has seen it.
    """

    def __init__(self, title: str, app_title: str, over: Callable[[], None]) -> None:
        self._title = title
        self._app_title = app_title
        self._over = over
        self.result: CallResult | None = None

    def render(self) -> str:
        """Return the outcome."""
        result = self.result
        output = _words(result.output) if result is not None else ""
        return render(
            "servicejs/call_outcome.html",
            title=self._title,
            app_title=self._app_title,
            result=result,
            succeeded=result is not None and result.network_code.startswith("2"),
            output=output[:MOST_SHOWN],
            is_cut=len(output) > MOST_SHOWN,
        )

    async def handle(self, gesture: Gesture) -> None:
        """Go back to the apps; while the call is under way nothing can be undone."""
        if self.result is not None and gesture.action in ("back", "escape"):
            self._over()

    def leave(self) -> None:
        """Give up looking; the call goes on to its end."""
        self._over()


def _words(output: object) -> str:
    if output is None or isinstance(output, str):
        return output or ""
    return json.dumps(output, ensure_ascii=False, indent=2)
