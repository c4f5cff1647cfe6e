"""What the templates need to know of each field, so that they decide nothing."""

import json
from collections.abc import Iterable, Iterator

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
from servicejs.forms.fields import Field, scalar_text
from servicejs.forms.form import Form
from servicejs.forms.paths import Path, element_id, path_text
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows, is_blank
from servicejs.language import gettext as _

FOLD_ABOVE = 7
"""With more optional fields than this, they are folded away until asked for."""

_INPUT_TYPES = {"email": "email", "uri": "url"}


@frozen(kw_only=True)
class FieldView:
    """
    One field as it is shown.

    `control` names the template part; `loading` says how a source function stands, `combobox` what may be chosen, and
    `chips` are the values of a list that are. `described_by` lists the ids of the texts that belong to the control.
    `autofocus` is 0, or the number under which the form asks that the field takes the focus. `discardable` says why a
    "Remove" button stands there: "" (it doesn't), `undeclared` or `misfit`.
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
    misfit: str = ""
    discardable: str = ""
    autofocus: int = 0

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
class ProblemView:
    """A field with a problem, as the list at the top names it."""

    path: str
    title: str


@frozen(kw_only=True)
class FormView:
    """The fields in the order they are shown; the `folded` ones stand behind a summary."""

    fields: tuple[FieldView, ...]
    folded: tuple[FieldView, ...]
    folded_open: bool
    problems: tuple[ProblemView, ...]
    general: tuple[str, ...]
    notices: tuple[str, ...]


@frozen
class Focus:
    """
    The field that is asked to take the focus; another number makes it another request.

    `opened` is the combobox that was opened last.
    """

    path: Path | None = None
    number: int = 1
    opened: Path | None = None


def form_view(form: Form, *, focus: Focus = Focus(), unfolded: bool = False) -> FormView:
    """Say everything about a form; `unfolded` keeps open what was open before."""
    views = {name: _view(form, node, (name,), (name,), focus) for name, node in form.root.members.items()}
    folded = _folded(form)
    names = [name for name in views if name not in folded]
    wrong = any(path and path[0] in folded for path in form.problems)
    filled = any(not is_blank(form.root.members[name]) for name in folded)
    return FormView(
        fields=tuple(views[name] for name in names),
        folded=tuple(views[name] for name in views if name in folded),
        folded_open=unfolded or wrong or filled,
        problems=tuple(_with_problems([*(views[name] for name in names), *(views[name] for name in folded)])),
        general=tuple(form.general),
        notices=tuple(form.notices.values()),
    )


def _folded(form: Form) -> tuple[str, ...]:
    """Fold optional fields, but none that a field outside the fold waits for."""
    optional = [field.name for field in form.root.declared if not field.required]
    if len(optional) <= FOLD_ABOVE:
        return ()
    awaited = {
        parent.partition(".")[0].removesuffix("[]")
        for field in form.root.declared
        if field.required
        for listed in (field.source, field.dynamic)
        if listed
        for parent in listed.depends_on
    }
    return tuple(name for name in optional if name not in awaited)


def _with_problems(views: Iterable[FieldView], above: str = "") -> Iterator[ProblemView]:
    for view in views:
        if view.problem:
            yield ProblemView(view.path, above + view.title)
        # The entries of a list already carry its name.
        yield from _with_problems(view.members, above if view.control == "list" else f"{above}{view.title}, ")


def _view(form: Form, node: Node, path: Path, steps: tuple[str | int, ...], focus: Focus) -> FieldView:
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
        discardable=_discardable(form, node, path),
        autofocus=focus.number if focus.path == path else 0,
    )
    match node:
        case Leaf():
            return _leaf_view(form, node, path, view, focus)
        case Rows() if field.control == "choices":
            return _chosen_view(form, node, path, steps, view, focus)
        case Rows():
            rows = [
                _entry(_view(form, row.node, (*path, position), (*steps, row.key), focus), view.title, position)
                for position, row in enumerate(node.rows)
            ]
            most = field.limits.max_items
            return evolve(view, members=tuple(rows), full=most is not None and len(rows) >= most)
        case Group():
            members = [
                _view(form, member, (*path, name), (*steps, name), focus) for name, member in node.members.items()
            ]
            return evolve(view, members=tuple(members), loading=loading_view(form, path) if field.dynamic else None)


def _combobox(form: Form, path: Path, view: FieldView, focus: Focus) -> FieldView:
    shown = combobox_view(form, path, is_open=focus.opened == path)
    return evolve(view, control="combobox", combobox=shown, loading=shown.loading)


def _chosen_view(
    form: Form, rows: Rows, path: Path, steps: tuple[str | int, ...], view: FieldView, focus: Focus
) -> FieldView:
    """A list whose entries are chosen: what there is to say of one is said below the whole."""
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
    return _combobox(form, path, noted, focus)


def _discardable(form: Form, node: Node, path: Path) -> str:
    if node.misfit is not ABSENT:
        return "misfit"
    if not form.is_undeclared(path):
        return ""
    parent = form.node(path[:-1])
    # Until its source function has answered, nobody knows which fields such an object has.
    waiting = isinstance(parent, Group) and parent.field.dynamic is not None and not parent.listing
    return "" if waiting else "undeclared"


def _entry(view: FieldView, title: str, position: int) -> FieldView:
    """Entries of a list are told apart by their number."""
    return evolve(view, title=f"{title} {position + 1}", required=False)


def _leaf_view(form: Form, leaf: Leaf, path: Path, view: FieldView, focus: Focus) -> FieldView:
    field, text = leaf.field, leaf.text
    match field.control:
        case "source":
            return _combobox(form, path, view, focus)
        case "choice" if len(field.options) > SEARCH_ABOVE:
            return _combobox(form, path, view, focus)
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
            local = "" if not text else texts.local_time(text, form.zone)
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
