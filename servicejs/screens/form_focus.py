"""Where a form wants the focus, and which of its lists was opened."""

from typing import Literal

from attrs import define

from servicejs.forms.field_views import Focus
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.values import Group, Rows

FocusTarget = Path | Literal["account", "problems", "submit"] | None
"""What should take the focus: a field, the account picker, the list of problems, or the button that goes on."""


@define
class FormFocus:
    """Asks for the focus once: each gesture begins a new `number`, which tells asking again from repainting."""

    target: FocusTarget = None
    number: int = 1
    opened: Path | None = None

    def begin(self) -> None:
        """Ask for nothing, until somebody does."""
        self.target = None
        self.number += 1

    def asked_by(self, target: Literal["account", "problems", "submit"]) -> int:
        """The number under which a part of the form that is no field asks for the focus; 0 if it doesn't."""
        return self.number if self.target == target else 0

    def of_fields(self) -> Focus:
        """Return what fields need to know about the focus."""
        return Focus(self.target if isinstance(self.target, tuple) else None, self.number, self.opened)


def first_control(form: Form) -> Path | None:
    """The first control of a form."""
    return first_control_at(form, next(((name,) for name in form.root.members), None))


def first_control_at(form: Form, path: Path | None) -> Path | None:
    """The first control at or below a path; a list without entries takes the focus itself."""
    while path is not None:
        node = form.node(path)
        below: tuple[str | int, ...] = ()
        if isinstance(node, Rows):
            below = (0,) if node.rows else ()
        elif isinstance(node, Group):
            below = tuple(node.members)[:1]
        if not below:
            return path
        path = (*path, below[0])
    return None
