"""The form of one function: fill in, confirm what can't be undone, hand the arguments back."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any, Literal

from service_client.models import CallResult, ConnectedAccount, ErrorDetail
from servicejs.forms.drafts import Draft
from servicejs.forms.form import Form
from servicejs.forms.form_view import form_view
from servicejs.forms.opening import Opening
from servicejs.forms.page_fields import PageFields
from servicejs.forms.paths import Path
from servicejs.forms.sources import Remedy, Ticket
from servicejs.forms.summary import summary
from servicejs.language import gettext as _
from servicejs.screens.account_choice import AccountChoice
from servicejs.screens.field_editing import FieldEditing
from servicejs.screens.file_uploads import FileUploads
from servicejs.screens.form_focus import FormFocus, first_control, first_control_at
from servicejs.screens.form_host import FormHost
from servicejs.screens.screen import Gesture, GestureValue
from servicejs.screens.source_calls import SourceCalls
from servicejs.templates import render


class FunctionFormScreen:
    """
    Shows a function with its arguments filled in as far as they are known, and lets the user complete them.

    `draft` keeps what is filled in, in case the page is loaded again or the user leaves by mistake.
    """

    def __init__(
        self,
        opening: Opening,
        accounts: tuple[ConnectedAccount, ...],
        connected_account_id: int | None,
        host: FormHost,
        draft: Draft | None = None,
    ) -> None:
        self._opening = opening
        self._function = opening.function
        self._given = dict(opening.arguments if opening.draft_of is None else opening.draft_of)
        self._host = host
        self._draft = draft or Draft()
        self._choice = AccountChoice(accounts, connected_account_id)
        self._step: Literal["filling", "confirming"] = "filling"
        self._focus = FormFocus()
        self._unfolded = False
        self._over = False
        self._waiting = False  # the button was pressed, and what decides about the values is on its way
        self._noticed: dict[Path, str] = {}  # what the form had changed by itself by then
        self._previewing = False
        form = opening.form()
        self._restored = self._draft.restore(form, self._given)
        self._sources = SourceCalls(form, self._call_source, self._arrived)
        self._uploads = FileUploads(form, host.upload, self._uploaded)
        self._take_form(form)
        if self._choice.asked:
            self._focus.target = "account"

    async def start(self) -> None:
        """Load the choices that can be loaded at once; returns when they are there."""
        self._sources.load()
        self._host.refresh()
        await self.settled()

    async def settled(self) -> None:
        """Wait until no source function is being called any more."""
        await self._sources.settled()

    def render(self) -> str:
        """Return the form, or the question whether to go ahead."""
        function, meta = self._function, self._function.meta
        page_fields = PageFields(self._opening.renderers, self._choice.id)
        view = form_view(self.form, focus=self._focus.of_fields(), unfolded=self._unfolded, page_fields=page_fields)
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
            focus_problems=self._focus.asked_by("problems"),
            focus_account=self._focus.asked_by("account"),
            focus_submit=self._focus.asked_by("submit"),
            accounts=self._choice.accounts,
            account=self._choice.account,
            asks_account=self._choice.asked,
            account_problem=self._choice.problem,
            restored=self._restored,
            request=self._request() if self._previewing else None,
            waiting=self._waiting,
        )

    async def handle(self, gesture: Gesture) -> None:
        """
        Take an edit or a button press; source functions go on loading in the background.

        A press that waits for them is called off by whatever the user does next, but not by looking at the request.
        """
        if self._over:
            return
        self._focus.begin()
        waited, self._waiting = self._waiting, self._waiting and gesture.action == "preview"
        if gesture.action in ("connect-source", "reconnect-source", "ask-account"):
            path = self.form.find(gesture.argument)
            if path is not None:
                await self._sources.remedy(path, partial(self._apply, gesture.popup))
        elif self._step == "confirming":
            self._answer(gesture)
        else:
            repaint = self._act(gesture) or waited
            started = not self._over and self._sources.load()
            if not repaint and not started:
                self._draft.write(self.form, self._given)
                return
        if not self._over:
            self._draft.write(self.form, self._given)
            self._host.refresh()

    def leave(self) -> None:
        """Give up, but keep what is filled in: the form may be opened again."""
        if not self._over:
            self._over = True
            self.stop()
            self._host.cancel()

    def stop(self) -> None:
        """Stop what runs in the background."""
        self._sources.cancel()
        self._uploads.cancel()

    def show_details(self, details: Iterable[ErrorDetail], error: str = "") -> None:
        """Show what the service refused, at the fields it named; `error` is its summary for when it named none."""
        self.form.show_details(details)
        if error and not self.form.problems and not self.form.general:
            self.form.general.append(error)
        self._step, self._over = "filling", False
        self._draft.write(self.form, self._given)  # forgotten when the form was sent
        self._focus.begin()
        self._move_to_problem()
        self._host.refresh()

    # Gestures

    def _act(self, gesture: Gesture) -> bool:
        """Do what a gesture asks for; returns whether anything may look different now."""
        match gesture.action:
            case "submit":
                self._submit()
            case "cancel" | "close":
                self._give_up()
            case "escape":  # often pressed by mistake
                self.leave()
            case "preview":
                self._previewing = not self._previewing
            case "start-over":
                self._start_over()
            case "pick-account":
                self._pick_account(_account_id(gesture.value))
            case _:
                path = self.form.find(gesture.argument)
                changes = path is not None and self._editing.act(gesture, path)
                return changes or (path is not None and self._previewing)
        return True

    def _submit(self, *, confirmed: bool = False) -> None:
        self._sources.load()  # what has not been asked for yet may have a say, too
        self._choice.complain()
        arguments = self.form.submit()
        if self.form.problems or self._choice.problem:
            self._move_to_problem()
        elif arguments is None:
            self._waiting, self._noticed = True, dict(self.form.notices)
        elif self._destructive and not confirmed:
            self._step = "confirming"
        else:
            self._done(arguments)

    def _answer(self, gesture: Gesture) -> None:
        match gesture.action:
            case "confirm":
                self._step = "filling"
                self._submit(confirmed=True)
            case "back" | "escape":
                self._step, self._focus.target = "filling", "submit"
            case "cancel" | "close":
                self._give_up()

    def _done(self, arguments: dict[str, Any]) -> None:
        self._over = True
        self._draft.forget()
        self._host.finish(arguments, self._choice.id)

    def _give_up(self) -> None:
        self._over = True
        self._draft.forget()
        self.stop()
        self._host.cancel()

    def _pick_account(self, account_id: int | None) -> None:
        if self._choice.pick(account_id):
            self.form.sources.forget()
            self._wait_for_account()

    def _wait_for_account(self) -> None:
        """Hold back listings until it is clear which account to ask with."""
        self.form.sources.waiting = _("Choose an account first") if self._choice.is_open else ""

    def _take_form(self, form: Form) -> None:
        """Switch to another form, whose first field takes the focus."""
        self._uploads.cancel()
        self.form = self._sources.form = self._uploads.form = form
        self._editing = FieldEditing(form, self._focus, self._sources.send, self._uploads)
        self._focus.target = first_control(form)
        self._wait_for_account()

    def _start_over(self) -> None:
        """Go back to what the page had passed."""
        self._restored = False
        self._take_form(self._opening.form())

    def _request(self) -> str:
        """Return what will be sent to the service, as far as it can be read now."""
        arguments = json.dumps(self.form.preview(), ensure_ascii=False, indent=2)
        return f"POST /functions/{self._function.name}/\n\n{arguments}"

    # Files and source functions

    def _uploaded(self) -> None:
        """A file has got to the service, or hasn't."""
        if not self._over:
            self._draft.write(self.form, self._given)
            self._arrived()

    def _arrived(self) -> None:
        """
        An answer has come, or failed to: go on with the press that waited for it.

        If that has changed what is filled in, or a file did not get through, the user has to see it first: what was
        pressed is not done.
        """
        changed = [path for path, words in self.form.notices.items() if self._noticed.get(path) != words]
        if self._waiting and (changed or self.form.problems or not self.form.is_loading):
            self._waiting = False
            self._focus.begin()
            if self.form.problems:
                self._move_to_problem()
            elif changed:
                self._focus.target = first_control_at(self.form, changed[0])
            else:
                self._submit()
        if not self._over:
            self._host.refresh()

    async def _call_source(self, ticket: Ticket) -> CallResult:
        return await self._host.call(ticket.request.function, ticket.arguments, self._choice.id)

    async def _apply(self, popup: str | None, remedy: Remedy) -> Remedy | None:
        """Apply a remedy for a source function; returns another remedy if that one is needed instead."""
        choice = self._choice
        if remedy.action == "pick_account":
            accounts = await self._host.look_up_accounts()
            if not accounts:
                return Remedy("connect")
            choice.ask(accounts)
            self._focus.target = "account"
        elif remedy.action == "reconnect" and choice.account is not None:
            choice.accounts = (await self._host.connect(choice.account.id, remedy.functions, popup))[1]
        else:
            choice.connected(*await self._host.connect(None, (), popup))
        self._wait_for_account()
        return None

    # What is shown

    @property
    def _destructive(self) -> bool:
        return self._function.meta is not None and self._function.meta.destructive

    def _move_to_problem(self) -> None:
        """Move the focus to the first thing to put right."""
        self._focus.target = "account" if self._choice.problem else self.form.first_problem() or "problems"


def _account_id(value: GestureValue) -> int | None:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else None
