"""Finding values by path, and the values that `${param}` references mean."""

from collections.abc import Callable
from typing import Any

from servicejs.forms.paths import Path
from servicejs.forms.problems import Problem
from servicejs.forms.reading import read
from servicejs.forms.sources import MissingParentError, resolve
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows


def node_at(root: Node, path: Path) -> Node:
    """Return the node at a path; raises LookupError when there is none."""
    node = root
    for step in path:
        below = child(node, step)
        if below is None:
            raise LookupError(path)
        node = below
    return node


def child(node: Node, step: str | int) -> Node | None:
    """Return the node one step below."""
    match node:
        case Group() if isinstance(step, str):
            return node.members.get(step)
        case Rows() if isinstance(step, int) and 0 <= step < len(node.rows):
            return node.rows[step].node
        case Group() | Rows() | Leaf():
            return None


def parent_value(root: Node, path: Path, arguments: Any, is_settled: Callable[[Path, Node], bool]) -> Any:
    """
    Fill the references in a source function's arguments, seen from the field at `path`.

    A value that isn't settled, because it may be dropped in a moment, counts as missing.
    """

    def look_up(name: str, optional: bool) -> Any:
        found = _referred(root, path, name)
        if found is None:
            if optional:
                return None
            raise MissingParentError(name)
        at, node = found
        problems: list[Problem] = []
        value = read(node, at, problems)
        if value is ABSENT or problems or not is_settled(at, node):
            if optional:
                return None
            raise MissingParentError(node.field.title)
        return value

    return resolve(arguments, look_up)


def _referred(root: Node, path: Path, name: str) -> tuple[Path, Node] | None:
    """
    Find the field that a reference means: in the same object first, then in those around it.

    That makes a bare name mean the same entry of an array, while a full path (`lines[].item`) works from the root.
    """
    steps = [step.removesuffix("[]") for step in name.split(".")]
    for depth in range(len(path) - 1, -1, -1):
        found = _descend(root, path, path[:depth], steps)
        if found is not None:
            return found
    return None


def _descend(root: Node, path: Path, start: Path, steps: list[str]) -> tuple[Path, Node] | None:
    at, node = start, node_at(root, start)
    for step in steps:
        if isinstance(node, Rows):
            # Only the entry that the asking field is part of can be meant.
            if at != path[: len(at)] or len(path) <= len(at):
                return None
            position = path[len(at)]
            below = child(node, position)
            if below is None:
                return None
            at, node = (*at, position), below
        below = child(node, step)
        if below is None:
            return None
        at, node = (*at, step), below
    return at, node
