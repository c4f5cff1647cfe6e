"""The form of one function: fill in, confirm what can't be undone, hand the arguments back."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal

from service_client.errors import ServiceClientError, ServiceError
from service_client.models import Action, CallResult, Code, ConnectedAccount, ErrorDetail, Function
from servicejs.errors import SdkError, explain
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.sources import Remedy, Ticket
from servicejs.forms.summary import summary
from servicejs.forms.values import Group, Rows
from servicejs.forms.views import Focus, form_view
from servicejs.language import gettext as _
from servicejs.screens.screen import Gesture, GestureValue
from servicejs.templates import render

Reconnect = Callable[[int, tuple[str, ...], str | None], Awaitable[None]]
"""Lets the user reconnect an account for what some functions need, in a window; raises where it comes to nothing."""

CallFunction = Callable[[str, dict[str, Any], int | None], Awaitable[CallResult]]

FocusTarget = Path | Literal["account", "problems"] | None
"""What should take the focus: a field, the account picker, or the list of problems."""

MOST_CALLS_AT_ONCE = 4
"""Source functions called side by side; third-party apps limit how fast they may be asked."""


class FunctionFormScreen:
    """
    Shows a function with its arguments filled in as far as they are known, and lets the user complete them.

    `call` runs a source function on an account, and `reconnect` has the account reconnected; `finish` takes the
    arguments and the chosen account, `cancel` is called when the user gives up.
    """

    def __init__(
        self,
        function: Function,
        arguments: Mapping[str, Any],
        accounts: tuple[ConnectedAccount, ...],
        connected_account_id: int | None,
        call: CallFunction,
        reconnect: Reconnect,
        refresh: Callable[[], None],
        finish: Callable[[dict[str, Any], int | None], None],
        cancel: Callable[[], None],
    ) -> None:
        self.form = Form(function, arguments)
        self._function = function
        self._call = call
        self._reconnect = reconnect
        self._refresh = refresh
        self._finish = finish
        self._cancel = cancel
        # Ask for the account if the caller left it open, or named one that isn't there (any more).
        gone = connected_account_id is not None and all(each.id != connected_account_id for each in accounts)
        self._accounts = accounts
        self._account_id = None if gone else connected_account_id
        self._asks_account = bool(accounts) and (gone or (connected_account_id is None and len(accounts) > 1))
        self._account_problem = _("The account that was asked for isn’t connected. Choose another.") if gone else ""
        self._wait_for_account()
        self._step: Literal["filling", "confirming"] = "filling"
        self._focus: FocusTarget = "account" if self._asks_account else self._first_control()
        self._focus_number = 1
        self._unfolded = False
        self._over = False
        self._calls: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MOST_CALLS_AT_ONCE)

    async def start(self) -> None:
        """Load the choices that can be loaded at once; returns when they are there."""
        self._load()
        self._refresh()
        await self.settled()

    async def settled(self) -> None:
        """Wait until no source function is being called any more."""
        while self._calls:
            await asyncio.wait(self._calls)

    def render(self) -> str:
        """Return the form, or the question whether to go ahead."""
        function, meta = self._function, self._function.meta
        focus = Focus(self._focus, self._focus_number) if isinstance(self._focus, tuple) else None
        view = form_view(self.form, focus=focus, unfolded=self._unfolded)
        self._unfolded = view.folded_open  # never fold away what somebody is filling in
        return render(
            "servicejs/function_form.html",
            app=meta.app if meta else {"title": function.app_name, "icon_url": ""},
            title=(meta and meta.title) or function.name,
            description=function.description,
            destructive=self._destructive,
            scopes=meta.scopes if meta else (),
            confirming=self._step == "confirming",
            summary=summary(self.form) if self._step == "confirming" else (),
            view=view,
            focus_problems=self._focus_number if self._focus == "problems" else 0,
            focus_account=self._focus_number if self._focus == "account" else 0,
            accounts=self._accounts,
            account=self._account(),
            asks_account=self._asks_account,
            account_problem=self._account_problem,
        )

    async def handle(self, gesture: Gesture) -> None:
        """Take an edit or a button press; source functions go on loading in the background."""
        if self._over:
            return
        self._focus = None
        self._focus_number += 1
        if gesture.action == "reconnect-source":
            path = self.form.find(gesture.argument)
            if path is not None:
                await self._reconnect_for(path, gesture.popup)
        elif self._step == "confirming":
            self._answer(gesture)
        else:
            repaint = self._act(gesture)
            started = not self._over and self._load()
            if not repaint and not started:
                return
        if not self._over:
            self._refresh()

    def show_details(self, details: Iterable[ErrorDetail], error: str = "") -> None:
        """Show what the service refused, at the fields it named; `error` is its summary for when it named none."""
        self.form.show_details(details)
        if error and not self.form.problems and not self.form.general:
            self.form.general.append(error)
        self._step, self._over = "filling", False
        self._focus_number += 1
        self._move_to_problem()
        self._refresh()

    # Gestures

    def _act(self, gesture: Gesture) -> bool:
        """Do what a gesture asks for; returns whether anything may look different now."""
        match gesture.action:
            case "submit":
                self._submit()
            case "cancel" | "escape" | "close":
                self._give_up()
            case "pick-account":
                self._pick_account(_account_id(gesture.value))
            case _:
                path = self.form.find(gesture.argument)
                return path is not None and self._act_on_field(gesture, path)
        return True

    def _act_on_field(self, gesture: Gesture, path: Path) -> bool:
        match gesture.action:
            case "set":
                return self._set(gesture, path)
            case "search":
                self.form.search(path, _text(gesture.value))
            case "type-value" | "choose-from-list":
                self.form.type_instead(path, gesture.action == "type-value")
                self._focus = path
            case "add-item":
                self._focus = self._first_leaf(self.form.add_row(path))
            case "remove-item":
                self.form.remove_row(path)
            case "discard":
                self.form.discard(path)
            case "focus":
                self._focus = path
            case "load-more" | "retry-source":
                ticket = self.form.again(path)
                if ticket is not None:
                    self._send(ticket)
        return True

    def _set(self, gesture: Gesture, path: Path) -> bool:
        """While somebody is typing, repaint only when the form has something new to say."""
        before = (path in self.form.problems, path in self.form.notices)
        self.form.set_text(path, _text(gesture.value))
        if gesture.kind != "input":
            self.form.check(path)
            return True
        return before != (path in self.form.problems, path in self.form.notices)

    def _submit(self) -> None:
        if self._asks_account and self._account() is None:
            self._account_problem = _("Choose which account to use.")
        arguments = self.form.submit()
        if arguments is None or self._account_problem:
            self._move_to_problem()
        elif self._destructive:
            self._step = "confirming"
        else:
            self._done(arguments)

    def _answer(self, gesture: Gesture) -> None:
        match gesture.action:
            case "confirm" | "submit":
                arguments = self.form.submit()
                self._step = "filling"
                if arguments is None:
                    self._move_to_problem()
                else:
                    self._done(arguments)
            case "back" | "escape":
                self._step = "filling"
            case "cancel" | "close":
                self._give_up()

    def _done(self, arguments: dict[str, Any]) -> None:
        self._over = True
        self._finish(arguments, self._account_id)

    def _give_up(self) -> None:
        self._over = True
        for task in tuple(self._calls):
            task.cancel()
        self._cancel()

    def _pick_account(self, account_id: int | None) -> None:
        if account_id is None or any(account.id == account_id for account in self._accounts):
            self._account_id, self._account_problem = account_id, ""
            self.form.listings.forget()
            self._wait_for_account()

    def _wait_for_account(self) -> None:
        """Nothing can be listed before it is clear whose account to ask with."""
        self.form.waiting = _("Choose an account first") if self._asks_account and self._account() is None else ""

    # Source functions

    def _load(self) -> bool:
        """Send what is due."""
        tickets = self.form.due()
        for ticket in tickets:
            self._send(ticket)
        return bool(tickets)

    def _send(self, ticket: Ticket) -> None:
        task = asyncio.create_task(self._fetch(ticket))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def _fetch(self, ticket: Ticket) -> None:
        try:
            async with self._places:
                result = await self._call(ticket.request.function, ticket.arguments, self._account_id)
            following = self.form.arrive(ticket, result)
        except Exception as error:  # a field says that its call failed, whatever the reason
            self.form.fail(ticket, explain(error), _remedy(error, ticket))
        else:
            for next_ticket in following:
                self._send(next_ticket)
        self._refresh()

    async def _reconnect_for(self, path: Path, popup: str | None) -> None:
        """Reconnect the account that a source function can't be called with; then ask all of them again."""
        listing, account = self.form.listing_for(path, searching=True), self._account()
        if listing is None or listing.remedy is None or account is None:
            return
        try:
            await self._reconnect(account.id, listing.remedy.functions, popup)
        except (SdkError, ServiceClientError) as error:
            listing.message = explain(error)
        else:
            self.form.listings.forget()
            self._load()

    # What is shown

    @property
    def _destructive(self) -> bool:
        return self._function.meta is not None and self._function.meta.destructive

    def _account(self) -> ConnectedAccount | None:
        """The account in use: the chosen one, or the only one."""
        if self._account_id is None and len(self._accounts) == 1 and not self._asks_account:
            return self._accounts[0]
        return next((account for account in self._accounts if account.id == self._account_id), None)

    def _move_to_problem(self) -> None:
        """Take the focus to the first thing to put right."""
        self._focus = "account" if self._account_problem else self.form.first_problem() or "problems"

    def _first_control(self) -> Path | None:
        return self._first_leaf(next(((name,) for name in self.form.root.members), None))

    def _first_leaf(self, path: Path | None) -> Path | None:
        """The first control at or below a path; a list without entries takes the focus itself."""
        while path is not None:
            node = self.form.node(path)
            below: tuple[str | int, ...] = ()
            if isinstance(node, Rows):
                below = (0,) if node.rows else ()
            elif isinstance(node, Group):
                below = tuple(node.members)[:1]
            if not below:
                return path
            path = (*path, below[0])
        return None


def _remedy(error: Exception, ticket: Ticket) -> Remedy | None:
    """Reconnecting helps where the service says so; where a permission is missing, for the function that needs it."""
    details = error.envelope.error_details if isinstance(error, ServiceError) else ()
    if not any(detail.action == Action.RECONNECT for detail in details):
        return None
    missing = any(detail.code == Code.MISSING_SCOPE for detail in details)
    return Remedy((ticket.request.function,) if missing else ())


def _text(value: GestureValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ""


def _account_id(value: GestureValue) -> int | None:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else None
