"""What gestures on one field of a form do to it."""

import json
from collections.abc import Callable

from servicejs.forms.choices import show_more
from servicejs.forms.choosing import choose, search, settle
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.sources import Ticket
from servicejs.forms.texts import tidied
from servicejs.screens.file_uploads import FileUploads
from servicejs.screens.form_focus import FormFocus, first_control_at
from servicejs.screens.screen import Gesture, GestureValue


class FieldEditing:
    """Edits the fields of a form; `send` calls a source function again."""

    def __init__(
        self, form: Form, focus: FormFocus, send: Callable[[Ticket | None], None], uploads: FileUploads
    ) -> None:
        self._form = form
        self._focus = focus
        self._send = send
        self._uploads = uploads

    def act(self, gesture: Gesture, path: Path) -> bool:
        """Do what a gesture asks of the field at a path; returns whether anything may look different now."""
        form = self._form
        match gesture.action:
            case "set" | "set-value":
                return self._set(gesture, path) if gesture.action == "set" else self._set_value(gesture, path)
            case "search":
                self._focus.opened = path
                find = search if gesture.kind == "input" else settle
                find(form, path, _text(gesture.value))
            case "clear":
                choose(form, path, "")
                self._focus.target = path
            case "choose-file" | "take-out-file" | "give-address":
                self._edit_file(gesture, path)
            case "add-item":
                self._focus.target = first_control_at(form, form.add_row(path))
            case "remove-item":
                form.remove_row(path)
            case "discard":
                form.discard(path)
            case "focus":
                self._focus.target = path
            case "refresh-source":
                form.sources.refresh(path)
            case "load-more" if show_more(form, path):
                pass
            case "load-more" | "retry-source":
                self._ask_again(path)
        return True

    def _ask_again(self, path: Path) -> None:
        listing = self._form.sources.listing_for(path, searching=True)
        if listing is None or not listing.wait:
            self._send(self._form.sources.again(path))

    def _set(self, gesture: Gesture, path: Path) -> bool:
        """While somebody is typing, repaint only when the form has something new to say."""
        before = self._said_of(path)
        text = _text(gesture.value)
        choose(self._form, path, text if gesture.kind == "input" else tidied(self._form.node(path).field, text))
        if gesture.kind != "input":
            self._form.check(path)
            return True
        return before != self._said_of(path)

    def _edit_file(self, gesture: Gesture, path: Path) -> None:
        if gesture.action == "choose-file":
            self._uploads.choose(path, _text(gesture.value))
        else:
            self._uploads.take_out(path, by_address=gesture.action == "give-address")
        self._focus.target = path

    def _set_value(self, gesture: Gesture, path: Path) -> bool:
        """Take a value, as JSON, from a field that the page draws."""
        try:
            self._form.set_value(path, json.loads(_text(gesture.value)))
        except (ValueError, RecursionError):
            return False
        if gesture.kind != "input":
            self._form.check(path)
        return True

    def _said_of(self, path: Path) -> tuple[bool, ...]:
        return tuple(path in said for said in (self._form.problems, self._form.notices, self._form.suggested))


def _text(value: GestureValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ""
