"""Reads the values of what the user has filled in, and says what is wrong with it."""

from typing import Any

from service_client.models import Code
from servicejs.forms import texts
from servicejs.forms.fields import Field
from servicejs.forms.paths import Path
from servicejs.forms.problems import Problem, count_rule_broken, rule_broken
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows, is_blank
from servicejs.language import gettext as _


def read(node: Node, path: Path, problems: list[Problem]) -> Any:
    """Read the value of a node, or ABSENT; what is wrong is added to `problems`."""
    if node.misfit is not ABSENT:
        problems.append(Problem(path, Code.TYPE, _misfit_message(node.field)))
        return ABSENT
    match node:
        case Leaf():
            return _read_leaf(node, path, problems)
        case Rows():
            return _read_rows(node, path, problems)
        case Group():
            return _read_group(node, path, problems)


def _read_leaf(leaf: Leaf, path: Path, problems: list[Problem]) -> Any:
    field = leaf.field
    if leaf.text == "":
        if leaf.search:
            problems.append(_not_chosen(path, leaf.search))
            return ABSENT
        if field.control == "checkbox":
            return False
        if field.required and leaf.file is None:
            problems.append(Problem(path, Code.REQUIRED, _required_message(field)))
        return ABSENT
    try:
        value = texts.read(field, leaf.text)
    except texts.UnreadableError as error:
        problems.append(Problem(path, error.code, str(error)))
        return ABSENT
    if broken := rule_broken(field, value):
        problems.append(Problem(path, *broken))
        return ABSENT
    return value


def _read_rows(rows: Rows, path: Path, problems: list[Problem]) -> Any:
    if rows.search:
        problems.append(_not_chosen(path, rows.search))
    entries = [(position, row.node) for position, row in enumerate(rows.rows) if not is_blank(row.node)]
    if not entries and not rows.field.required and not rows.given_empty:
        return ABSENT
    if broken := count_rule_broken(rows.field.limits, len(entries)):
        problems.append(Problem(path, *broken))
    values = [read(node, (*path, position), problems) for position, node in entries]
    return [value for value in values if value is not ABSENT]


def _read_group(group: Group, path: Path, problems: list[Problem]) -> Any:
    needed = path == () or group.field.required or any(field.required for field in group.listed)
    # An entry of an array is there because the user made it; it isn't optional like a member is.
    needed = needed or (bool(path) and isinstance(path[-1], int))
    if not needed and is_blank(group):
        return ABSENT
    values = {name: read(member, (*path, name), problems) for name, member in group.members.items()}
    return {name: value for name, value in values.items() if value is not ABSENT}


def _not_chosen(path: Path, search: str) -> Problem:
    """Return the problem of a search text that is no value: nobody knows which one was meant."""
    return Problem(path, Code.ENUM, _("“%(text)s” isn’t chosen yet. Choose a value from the list.", text=search))


def _required_message(field: Field) -> str:
    if field.control in ("choice", "source", "tristate", "file"):
        return _("Choose %(field)s.", field=field.title)
    return _("Enter %(field)s.", field=field.title)


def _misfit_message(field: Field) -> str:
    title = field.title
    match field.kind:
        case "string":
            return _("The given value doesn’t fit: %(field)s must be text.", field=title)
        case "number" if field.limits.integer:
            return _("The given value doesn’t fit: %(field)s must be a whole number.", field=title)
        case "number":
            return _("The given value doesn’t fit: %(field)s must be a number.", field=title)
        case "boolean":
            return _("The given value doesn’t fit: %(field)s must be Yes or No.", field=title)
        case "array":
            return _("The given value doesn’t fit: %(field)s must be a list.", field=title)
        case "object":
            return _("The given value doesn’t fit: %(field)s must be a group of values.", field=title)
        case "json":
            return _("The given value doesn’t fit: %(field)s must be JSON.", field=title)
