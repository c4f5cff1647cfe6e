"""Function form screens with source functions that answer at once, late, or not at all."""

import asyncio
import html
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from service_client.models import CallResult, ConnectedAccount, File, Function, Prediction
from servicejs.forms.chosen_file import ChosenFile
from servicejs.forms.drafts import Draft
from servicejs.forms.opening import Opening
from servicejs.screens.function_form import FunctionFormScreen
from servicejs.screens.screen import Gesture, GestureKind, GestureValue

ALICE = ConnectedAccount(id=1, display_name="alice@tickets.example", modified_at=datetime(2026, 3, 2, 10, tzinfo=UTC))
BOB = ConnectedAccount(id=2, display_name="bob@tickets.example", modified_at=datetime(2026, 3, 1, 10, tzinfo=UTC))

PROJECTS = [{"id": 1, "name": "Apollo"}, {"id": 2, "name": "Borealis"}]
COMPONENTS = {
    1: [{"id": "ui", "name": "User interface"}, {"id": "api", "name": "Interface for programs"}],
    2: [{"id": "api", "name": "Interface for programs"}, {"id": "docs", "name": "Documentation"}],
}
CUSTOM_FIELDS = {
    1: [
        {"key": "severity", "name": "Severity", "type": "enum", "required": True, "options": ["low", "high"]},
        {"key": "estimate", "name": "Estimate", "type": "number", "required": False},
    ],
    2: [
        {"key": "severity", "name": "Severity", "type": "enum", "required": False, "options": ["minor", "major"]},
        {"key": "customer", "name": "Customer", "type": "string", "required": True},
    ],
}

Answer = CallResult | Exception


def ok(output: Any, next_page: str | None = None) -> CallResult:
    """Make the result of a source function."""
    return CallResult(network_code="200", output=output, next_page=next_page)


def ticket_app(name: str, arguments: dict[str, Any]) -> Answer:
    """Answer the source functions of the ticket app."""
    match name:
        case "sandbox-list-projects":
            return ok(PROJECTS)
        case "sandbox-list-components":
            return ok(COMPONENTS[arguments["project"]])
        case "sandbox-list-custom-fields":
            return ok(CUSTOM_FIELDS[arguments["project"]])
    raise AssertionError(name)


class Driver:
    """
    A screen, and its host, with everything that it was given and called.

    While `gates` has an event for a source function, its calls wait for it. `accounts_now` are those that there are
    once the screen looks again, or one was connected. `on_refresh` is called whenever the screen wants to be painted
    again.
    """

    def __init__(
        self,
        function: Function,
        arguments: dict[str, Any] | None = None,
        answer: Callable[[str, dict[str, Any]], Answer] = ticket_app,
        accounts: tuple[ConnectedAccount, ...] = (ALICE,),
        account_id: int | None = None,
        draft: Draft | None = None,
        prediction: Prediction | None = None,
        renderers: frozenset[str] = frozenset(),
    ) -> None:
        self.calls: list[tuple[str, dict[str, Any], int | None]] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.refreshed = 0
        self.on_refresh: Callable[[], None] = lambda: None
        self.finished: list[tuple[dict[str, Any], int | None]] = []
        self.cancelled = 0
        self.answer = answer
        self.connected: list[tuple[int | None, tuple[str, ...], str | None]] = []
        self.refuses_to_connect: Exception | None = None
        self.uploads: dict[str, asyncio.Future[File]] = {}
        self.accounts_now = accounts
        opening = Opening(function=function, arguments=arguments or {}, prediction=prediction, renderers=renderers)
        self.screen = FunctionFormScreen(opening, accounts, account_id, self, draft)

    async def started(self) -> "Driver":
        """Load the first choices."""
        await self.screen.start()
        return self

    async def do(
        self, action: str, argument: str = "", value: GestureValue = None, kind: GestureKind = "click"
    ) -> None:
        """Make a gesture and wait for what it sets off."""
        await self.gesture(action, argument, value, kind)
        await self.screen.settled()

    async def gesture(
        self, action: str, argument: str = "", value: GestureValue = None, kind: GestureKind = "click"
    ) -> None:
        """Make a gesture without waiting for the source functions it calls."""
        await self.screen.handle(Gesture(surface="form", action=action, argument=argument, value=value, kind=kind))

    async def choices(self, argument: str, search: str = "") -> dict[str, str]:
        """Open a combobox, type what its list is narrowed by, and return the words of what it offers, by value."""
        await self.do("search", argument, search, "input")
        own = re.escape(html.escape(argument))
        _, box = re.split(rf'role="combobox"[^>]* data-argument="{own}"', self.screen.render(), maxsplit=1)
        offered = re.findall(
            r'<li role="option"[^>]*data-value="([^"]*)"[^>]*>(?:<bdi>)?([^<]*)', box.partition("</ul>")[0]
        )
        return {html.unescape(value): html.unescape(words) for value, words in offered}

    async def close(self) -> None:
        """Give up on the form, so that no call is left waiting."""
        await self.do("cancel")

    async def set(self, argument: str, value: GestureValue) -> None:
        """Fill in a control."""
        await self.do("set", argument, value, "change")

    async def call(self, name: str, arguments: dict[str, Any], account_id: int | None) -> CallResult:
        """Answer a source function."""
        self.calls.append((name, arguments, account_id))
        if gate := self.gates.get(name):
            await gate.wait()
        answer = self.answer(name, arguments)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def upload(self, chosen: ChosenFile) -> File:
        """Wait until it is decided what becomes of an upload; they are known by the names of their files."""
        return await self.uploads.setdefault(chosen.name, asyncio.get_running_loop().create_future())

    async def connect(
        self, account_id: int | None, functions: tuple[str, ...], popup: str | None
    ) -> tuple[int, tuple[ConnectedAccount, ...]]:
        """Connect an account at once, or refuse to."""
        self.connected.append((account_id, functions, popup))
        if self.refuses_to_connect is not None:
            raise self.refuses_to_connect
        return account_id or self.accounts_now[0].id, self.accounts_now

    async def look_up_accounts(self) -> tuple[ConnectedAccount, ...]:
        """Return the accounts that there are now."""
        return self.accounts_now

    def refresh(self) -> None:
        """Count the paintings that the screen asks for."""
        self.refreshed += 1
        self.on_refresh()

    def finish(self, arguments: dict[str, Any], account_id: int | None) -> None:
        """Keep what was filled in."""
        self.finished.append((arguments, account_id))

    def cancel(self) -> None:
        """Count how often the user has given up."""
        self.cancelled += 1
