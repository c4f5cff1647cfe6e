"""The whole form as it is shown: the order of its fields, which of them are folded away, and what is wrong."""

from collections.abc import Iterable, Iterator

from attrs import frozen

from servicejs.forms.field_views import FieldView, FieldViews, Focus
from servicejs.forms.form import Form
from servicejs.forms.page_fields import PageFields
from servicejs.forms.values import is_blank

FOLD_ABOVE = 7
"""With more optional fields than this, they are folded away until asked for."""

_NO_FOCUS = Focus()
_NO_PAGE_FIELDS = PageFields()


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


def form_view(
    form: Form, *, focus: Focus = _NO_FOCUS, unfolded: bool = False, page_fields: PageFields = _NO_PAGE_FIELDS
) -> FormView:
    """Return the view of a form; `unfolded` keeps open what was open before."""
    field_views = FieldViews(form, focus, page_fields)
    views = {name: field_views.of(node, (name,), (name,)) for name, node in form.root.members.items()}
    folded = _folded(form)
    names = [name for name in views if name not in folded]
    wrong = any(path and path[0] in folded for path in form.problems)
    filled = any(not is_blank(form.root.members[name]) for name in folded if name not in form.chosen)
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
