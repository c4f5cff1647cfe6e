"""
What the user has filled in: texts for scalars, rows for arrays, members for objects.

The texts are kept as typed, even wrong ones; values are read from them only when they are needed (`reading.py`).
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final

import attrs
from attrs import define

from servicejs.forms import texts
from servicejs.forms.chosen_file import ChosenFile
from servicejs.forms.fields import Field, as_json, field_from_schema
from servicejs.forms.paths import Path

MOST_ROWS = 200
"""A longer array is edited as JSON text: nobody fills in that many rows by hand."""


class _Absent(Enum):
    ABSENT = "absent"


ABSENT: Final = _Absent.ABSENT
"""No value at all, which is not the same as an empty one."""


@define(eq=False)
class Leaf:
    """
    One scalar (or JSON text).

    `misfit` is a given value that the control has no way to show; it stays until the user replaces it. For a choice,
    `search` narrows its list (`pages` of it are shown), and `label` is the text of the chosen value. `checked_against`
    names the listing the value was last compared with. A file is given by what was chosen (`file`), or `by_address`.
    """

    field: Field
    text: str = ""
    misfit: Any = ABSENT
    search: str = ""
    pages: int = 1
    label: str = ""
    checked_against: str = ""
    file: ChosenFile | None = None
    by_address: bool = False


@define(eq=False)
class Row:
    """One entry of an array; the key stays when its position changes."""

    node: "Node"
    key: int


@define(eq=False)
class Rows:
    """
    An array; `given_empty` says that the caller passed an empty one on purpose.

    If the entries are chosen, `search` narrows the list of choices; `pages` of it are shown.
    """

    field: Field
    rows: list[Row] = attrs.field(factory=list)
    misfit: Any = ABSENT
    search: str = ""
    pages: int = 1
    given_empty: bool = False
    made: int = 0

    def append(self, node: "Node") -> None:
        """Add an entry at the end, under a key that no other has or had."""
        self.made += 1
        self.rows.append(Row(node, self.made))


@define(eq=False)
class Group:
    """
    An object: its declared members, then whatever else was given.

    `listed` are the fields a source function named (`listing` says by which request, "" before the first one).
    """

    field: Field
    members: dict[str, "Node"] = attrs.field(factory=dict)
    misfit: Any = ABSENT
    given_empty: bool = False
    listed: tuple[Field, ...] = ()
    listing: str = ""

    @property
    def declared(self) -> tuple[Field, ...]:
        """The fields this object is known to have."""
        return self.field.members + self.listed


Node = Leaf | Rows | Group


def fill(field: Field, value: Any = ABSENT) -> Node:
    """Put a given value (or none) into a field."""
    if field.kind == "object":
        return _fill_group(field, value)
    if field.kind == "array":
        if isinstance(value, list) and len(value) > MOST_ROWS:
            return fill(as_json(field), value)
        return _fill_rows(field, value)
    if value is ABSENT:
        return Leaf(field)
    text = texts.show(field, value)
    return Leaf(field, misfit=value) if text is None else Leaf(field, text)


def undeclared_field(name: str, value: Any) -> Field:
    """Make a field for a value nobody declared, so that it can be seen and changed."""
    kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "string"
    field = field_from_schema(name, {"type": kind, "title": name}, {})
    return as_json(field) if isinstance(value, list | dict) else field


def is_blank(node: Node) -> bool:
    """Whether nothing has been filled in, so that an optional value is simply absent."""
    if node.misfit is not ABSENT:
        return False
    match node:
        case Leaf():
            return node.text == "" and node.search == "" and node.file is None
        case Rows():
            return node.search == "" and not node.given_empty and all(is_blank(row.node) for row in node.rows)
        case Group():
            return not node.given_empty and all(is_blank(member) for member in node.members.values())


def prune(node: Node) -> None:
    """Remove the rows in which nothing was filled in, so that rows and sent entries have the same positions."""
    match node:
        case Rows():
            node.rows = [row for row in node.rows if not is_blank(row.node)]
            for row in node.rows:
                prune(row.node)
        case Group():
            for member in node.members.values():
                prune(member)
        case Leaf():
            pass


def filled_value(node: Node) -> Any:
    """Return what is filled in, right or wrong: as typed if it can't be read, ABSENT if there is nothing."""
    if node.misfit is not ABSENT or is_blank(node):
        return node.misfit
    match node:
        case Leaf():
            try:
                return texts.read(node.field, node.text) if node.text else ABSENT
            except texts.UnreadableError:
                return node.text
        case Rows():
            return [value for row in node.rows if (value := filled_value(row.node)) is not ABSENT]
        case Group():
            values = {name: filled_value(member) for name, member in node.members.items()}
            return {name: value for name, value in values.items() if value is not ABSENT}


def walk(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Go through a node and all below it, parents first."""
    yield path, node
    match node:
        case Rows():
            for position, row in enumerate(node.rows):
                yield from walk(row.node, (*path, position))
        case Group():
            for name, member in node.members.items():
                yield from walk(member, (*path, name))
        case Leaf():
            pass


def _fill_group(field: Field, value: Any) -> Group:
    given: Mapping[str, Any] = value if isinstance(value, dict) else {}
    group = Group(field, given_empty=given == {} and isinstance(value, dict))
    if value is not ABSENT and not isinstance(value, dict):
        group.misfit = value
    declared = {member.name: member for member in field.members}
    for name, member in declared.items():
        group.members[name] = fill(member, _given(given, name))
    for name in given:
        if name not in declared and given[name] is not None:
            group.members[name] = fill(undeclared_field(name, given[name]), given[name])
    return group


def _fill_rows(field: Field, value: Any) -> Rows:
    if value is ABSENT:
        rows = Rows(field)
        if field.required and field.item is not None and field.control != "choices":
            rows.append(fill(field.item))  # so that there is something to fill in where something must be
        return rows
    if not isinstance(value, list) or field.item is None:
        return Rows(field, misfit=value)
    rows = Rows(field, given_empty=not value)
    for entry in value:
        rows.append(fill(field.item, entry))
    return rows


def _given(given: Mapping[str, Any], name: str) -> Any:
    """Return a given value; null means the same as leaving the key out."""
    return ABSENT if given.get(name) is None else given[name]
