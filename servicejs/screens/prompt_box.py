"""The box in which a user says in their own words what they want to do."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from service_client.errors import ServiceClientError
from servicejs.errors import SdkError, explain
from servicejs.language import gettext as _
from servicejs.screens.countdown import count_down, wait_of
from servicejs.screens.screen import Gesture

LONGEST_PROMPT = 4000
"""Characters that the service reads."""

NEARLY_LONGEST = LONGEST_PROMPT - 400
"""From here on the box says how many characters are left."""


class PromptBox:
    """
    Takes a prompt and has it carried out; what was typed stays until that succeeds.

    `carry_out` returns True once what the prompt asks for is done, or False if nothing fits it; it raises `cancelled`
    if the user gives up. `spawn` starts what runs in the background.
    """

    def __init__(
        self,
        carry_out: Callable[[str], Awaitable[bool]],
        refresh: Callable[[], None],
        spawn: Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"],
    ) -> None:
        self._carry_out = carry_out
        self._refresh = refresh
        self._spawn = spawn
        self._going_on: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None
        self._focus_asked = 0
        self.text = ""
        self.said = ""
        self.problem = ""
        self.wait = 0
        self.focus = 0

    @property
    def busy(self) -> bool:
        """Whether a prompt is being carried out."""
        return self._going_on is not None

    @property
    def left(self) -> int | None:
        """How many characters are left, below zero when there are too many; None while there are plenty."""
        return LONGEST_PROMPT - len(self.text) if len(self.text) > NEARLY_LONGEST else None

    def handle(self, gesture: Gesture) -> bool:
        """Take what is typed, begin, or stop; False for a gesture that is not the box's."""
        self.focus = 0
        match gesture.action:
            case "type-prompt" if isinstance(gesture.value, str):
                if not self.busy:  # nobody can type while it is busy; this came late
                    self.text, self.said, self.problem = gesture.value, "", ""
            case "ask":
                self._begin()
            case "stop-asking" | "escape" if self.busy:
                self.stop()
                self._ask_focus()
            case _:
                return False
        return True

    def stop(self) -> None:
        """Stop what runs in the background."""
        for task in (self._going_on, self._counting):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        self._going_on = self._counting = None
        self.wait, self.said = 0, ""

    def _begin(self) -> None:
        if self.busy or self.wait:
            return
        self.said = self.problem = ""
        if not self.text.strip():
            self.said = _("Say what you want to do.")
            self._ask_focus()
        elif len(self.text) > LONGEST_PROMPT:
            self.problem = _("That is too long. Shorten it to %(count)s characters.", count=LONGEST_PROMPT)
            self._ask_focus()
        else:
            self.said = _("Looking for a match…")
            self._going_on = self._spawn(self._run(self.text))

    async def _run(self, prompt: str) -> None:
        said, problem = "", ""
        try:
            if await self._carry_out(prompt):
                self.text = ""
            else:
                said = _("Nothing matches that. Try other words: what should happen, and in which app?")
        except (ServiceClientError, SdkError) as error:
            if getattr(error, "code", "") != "cancelled":
                problem = explain(error)
            if wait := wait_of(error):
                self._counting = self._spawn(count_down(wait, self._tell_wait))
        self._going_on = None
        self.said, self.problem = said, problem
        self._ask_focus()
        self._refresh()

    def _tell_wait(self, left: int) -> None:
        self.wait = left
        if not left:
            self._counting, self.problem = None, ""
        self._refresh()

    def _ask_focus(self) -> None:
        self._focus_asked += 1
        self.focus = self._focus_asked
