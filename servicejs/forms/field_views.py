"""What the templates need to know of each field, so that they decide nothing."""

import json

from attrs import evolve, frozen

from servicejs.forms import texts
from servicejs.forms.choices import (
    SEARCH_ABOVE,
    ComboboxView,
    LoadingView,
    OptionView,
    chosen_words,
    combobox_view,
    loading_view,
    options_view,
)
from servicejs.forms.chosen_file import is_address
from servicejs.forms.fields import Field
from servicejs.forms.form import Form
from servicejs.forms.options import scalar_text
from servicejs.forms.page_fields import PageField, PageFields
from servicejs.forms.paths import Path, element_id, path_text
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows, is_blank
from servicejs.language import gettext as _

_INPUT_TYPES = {"email": "email", "uri": "url"}


@frozen(kw_only=True)
class FieldView:
    """
    One field as it is shown.

    `control` names the template part; `loading` is the state of a source function, `combobox` what may be chosen, and
    `chips` are the chosen values of a list. `described_by` lists the ids of the texts that belong to the control.
    `file` is set if the value is a file.
    `autofocus` is 0, or the number under which the form asks the field to take the focus. `discardable` says why there
    is a "Remove" button: "" (there is none), `undeclared` or `misfit`. `page` is set if the page draws the control.
    """

    id: str
    path: str
    control: str
    title: str
    description: str
    hint: str
    placeholder: str
    required: bool
    value: str = ""
    input_type: str = "text"
    input_mode: str = ""
    options: tuple[OptionView, ...] = ()
    loading: LoadingView | None = None
    combobox: ComboboxView | None = None
    chips: "tuple[ChipView, ...]" = ()
    members: "tuple[FieldView, ...]" = ()
    full: bool = False
    problem: str = ""
    notice: str = ""
    suggestion: str = ""
    file: "FileView | None" = None
    misfit: str = ""
    discardable: str = ""
    autofocus: int = 0
    page: PageField | None = None

    @property
    def described_by(self) -> str:
        """The ids of the help, notice and problem texts, in reading order."""
        present = {
            "help": self.description or self.hint,
            "status": self.status,
            "suggestion": self.suggestion,
            "notice": self.notice,
            "problem": self.problem,
        }
        return " ".join(f"{self.id}-{name}" for name, there in present.items() if there)

    @property
    def status(self) -> str:
        """What is said below about the source function; a combobox says by itself what it waits for."""
        return self.loading.message if self.loading and (not self.combobox or self.loading.state == "failed") else ""


@frozen
class ChipView:
    """One of the values that were chosen for a list, which can be taken out."""

    id: str
    path: str
    label: str


@frozen
class FileView:
    """What is shown of a file: its name ("": none is chosen yet), or that its address is wanted in its place."""

    name: str = ""
    size: str = ""
    uploading: bool = False
    by_address: bool = False


@frozen
class Focus:
    """
    The field that is asked to take the focus; another number makes it another request.

    `opened` is the combobox that was opened last.
    """

    path: Path | None = None
    number: int = 1
    opened: Path | None = None


class FieldViews:
    """Makes the views of a form's fields, each with those below it."""

    def __init__(self, form: Form, focus: Focus, page_fields: PageFields) -> None:
        self._form = form
        self._focus = focus
        self._page_fields = page_fields

    def of(self, node: Node, path: Path, steps: tuple[str | int, ...]) -> FieldView:
        """Return the view of one field; `steps` are its path with the keys of rows in place of their positions."""
        form, focus = self._form, self._focus
        field = node.field
        view = FieldView(
            id=element_id(steps),
            path=path_text(path),
            control=field.control,
            title=field.title,
            description=field.description,
            hint=_hint(field),
            placeholder=field.placeholder,
            required=field.required,
            problem=form.problems[path].message if path in form.problems else "",
            notice=form.notices.get(path, ""),
            suggestion=_suggestion(form.suggested.get(path)),
            misfit="" if node.misfit is ABSENT else _shown_misfit(node.misfit),
            discardable=self._discardable(node, path),
            autofocus=focus.number if focus.path == path else 0,
            page=self._page_fields.find(form, node, path),
        )
        match node:
            case Leaf() if field.control == "file":
                return evolve(view, value=node.text, file=_file_view(node))
            case Leaf():
                return self._leaf(node, path, view)
            case Rows() if field.control == "choices":
                return self._chosen(node, path, steps, view)
            case Rows():
                rows = [
                    _entry(self.of(row.node, (*path, position), (*steps, row.key)), view.title, position)
                    for position, row in enumerate(node.rows)
                ]
                most = field.limits.max_items
                return evolve(view, members=tuple(rows), full=most is not None and len(rows) >= most)
            case Group():
                members = [self.of(member, (*path, name), (*steps, name)) for name, member in node.members.items()]
                return evolve(view, members=tuple(members), loading=loading_view(form, path) if field.dynamic else None)

    def _combobox(self, path: Path, view: FieldView) -> FieldView:
        shown = combobox_view(self._form, path, is_open=self._focus.opened == path)
        return evolve(view, control="combobox", combobox=shown, loading=shown.loading)

    def _chosen(self, rows: Rows, path: Path, steps: tuple[str | int, ...], view: FieldView) -> FieldView:
        """Return the view of a list whose entries are chosen: what concerns an entry is said below the list."""
        form, focus = self._form, self._focus
        entries = [((*path, position), row) for position, row in enumerate(rows.rows)]
        chips = tuple(
            ChipView(element_id((*steps, row.key)), path_text(entry), chosen_words(row.node))
            for entry, row in entries
            if not is_blank(row.node)
        )
        problems = [view.problem, *(form.problems[entry].message for entry, _row in entries if entry in form.problems)]
        notices = [view.notice, *(form.notices.get(entry, "") for entry, _row in entries)]
        has_focus = focus.path is not None and focus.path[: len(path)] == path
        noted = evolve(
            view,
            chips=chips,
            problem=next(filter(None, problems), ""),
            notice=" ".join(filter(None, notices)),
            autofocus=focus.number if has_focus else 0,
        )
        return self._combobox(path, noted)

    def _discardable(self, node: Node, path: Path) -> str:
        if node.misfit is not ABSENT:
            return "misfit"
        if not self._form.is_undeclared(path):
            return ""
        parent = self._form.node(path[:-1])
        # Until its source function has answered, nobody knows which fields such an object has.
        waiting = isinstance(parent, Group) and parent.field.dynamic is not None and not parent.listing
        return "" if waiting else "undeclared"

    def _leaf(self, leaf: Leaf, path: Path, view: FieldView) -> FieldView:
        field, text = leaf.field, leaf.text
        match field.control:
            case "source":
                return self._combobox(path, view)
            case "choice" if len(field.options) > SEARCH_ABOVE:
                return self._combobox(path, view)
            case "choice":
                return evolve(view, value=text, options=options_view(field.options, text))
            case "date":
                is_shown = not text or texts.parse_date(text) is not None
                return evolve(view, control="input", value=text, input_type="date" if is_shown else "text")
            case "time":
                is_shown = not text or texts.parse_time(text) is not None
                kind = "time" if is_shown else "text"
                return evolve(view, control="input", value=texts.short_time(text), input_type=kind)
            case "datetime":
                local = "" if not text else texts.local_time(text, self._form.zone)
                # The browser's control would show nothing at all for a text it can't read.
                shown, kind = (text, "text") if local is None else (local, "datetime-local")
                return evolve(view, control="input", value=shown, input_type=kind)
            case "number":
                # Not type=number: browsers hide what was typed from the page while it isn't a number.
                mode = "numeric" if field.limits.integer and _never_negative(field) else "decimal"
                return evolve(view, control="input", value=text, input_mode=mode)
            case "json":
                return evolve(view, control="textarea", value=text, input_mode="json")
            case "multiline":
                return evolve(view, control="textarea", value=text)
            case "checkbox" | "tristate":
                control = "tristate" if leaf.misfit is not ABSENT else view.control
                return evolve(view, control=control, value=text)
        if "\n" in text or "\r" in text:
            return evolve(view, control="textarea", value=text)
        return evolve(view, control="input", value=text, input_type=_INPUT_TYPES.get(field.limits.format, "text"))


def _file_view(leaf: Leaf) -> FileView:
    chosen = leaf.file
    if chosen is not None:
        return FileView(chosen.name, chosen.shown_size, uploading=not chosen.uploaded)
    by_address = leaf.by_address or is_address(leaf.text) or leaf.misfit is not ABSENT
    # Of a file that the page has given, or that was uploaded before a reload, only the id is known.
    return FileView("" if by_address or not leaf.text else _("An uploaded file"), by_address=by_address)


def _entry(view: FieldView, title: str, position: int) -> FieldView:
    """Entries of a list are told apart by their number."""
    return evolve(view, title=f"{title} {position + 1}", required=False)


def _never_negative(field: Field) -> bool:
    """Phones' numeric keyboards have no minus sign."""
    return field.limits.minimum is not None and field.limits.minimum >= 0


def _hint(field: Field) -> str:
    default = field.default
    if field.required or default is None or default in ("", [], {}):
        return ""
    if isinstance(default, bool):
        return _("If not set: Yes.") if default else _("If not set: No.")
    if isinstance(default, str | int | float):
        words = {option.text: option.label for option in field.options}
        value = words.get(scalar_text(default)) or texts.show(field, default) or scalar_text(default)
        return _("If left empty: %(value)s.", value=value)
    return ""


def _suggestion(words: str | None) -> str:
    if words is None:
        return ""
    return (
        _("Suggested from “%(words)s”. Check that it is right.", words=words)
        if words
        else _("Suggested. Check that it is right.")
    )


def _shown_misfit(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
