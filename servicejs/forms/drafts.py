"""
What has been filled in so far, as JSON, so that who comes back to a form can go on: after a reload, or after Escape.

Texts are kept as typed, even wrong ones. A draft belongs to the arguments that the page passed: with others, it is
another form.
"""

import json
from collections.abc import Callable
from typing import Any

from attrs import frozen

from servicejs.forms.form import Form
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows, fill, is_blank, undeclared_field, walk

MOST_CHARACTERS = 200_000
"""Browsers keep some five million for a whole origin."""


@frozen
class Draft:
    """Where a draft is kept for as long as the tab is open: `kept` is what was there, `keep` replaces it."""

    kept: str | None = None
    keep: Callable[[str | None], None] = lambda _: None

    def restore(self, form: Form, given: dict[str, Any]) -> bool:
        """Fill a new form, opened with `given`, with what was kept; False if that is nothing, or another form's."""
        try:
            kept = json.loads(self.kept or "null")
            fits = kept["given"] == json.loads(json.dumps(given)) and isinstance(kept["filled"], dict)
        except (ValueError, LookupError, TypeError):
            return False
        if not fits or kept["filled"] == _dump(form.root):
            return False
        suggested = {path: _dump(node) for path, node in walk(form.root) if path in form.suggested}
        _restore(form.root, kept["filled"])
        restored = {path: _dump(node) for path, node in walk(form.root)}
        form.suggested = {path: form.suggested[path] for path, was in suggested.items() if restored.get(path) == was}
        form.show_misfits()
        return True

    def write(self, form: Form, given: dict[str, Any]) -> None:
        """Keep what is filled in now, unless it is too long."""
        draft = json.dumps({"given": given, "filled": _dump(form.root)}, ensure_ascii=False)
        if len(draft) <= MOST_CHARACTERS:
            self.keep(draft)

    def forget(self) -> None:
        """Forget the draft."""
        self.keep(None)


def _dump(node: Node) -> Any:
    match node:
        case Leaf():
            return node.text
        case Rows():
            return [_dump(row.node) for row in node.rows]
        case Group():
            return {name: _dump(member) for name, member in node.members.items() if not is_blank(member)}


def _restore(node: Node, kept: Any) -> None:
    match node, kept:
        case Leaf(), str():
            if kept:
                node.misfit = ABSENT
            node.text = kept
        case Rows(), list() if node.field.item is not None:
            node.rows.clear()
            node.given_empty = not kept
            for each in kept:
                entry = fill(node.field.item)
                _restore(entry, each)
                node.append(entry)
        case Group(), dict():
            node.given_empty = not kept
            for name, member in list(node.members.items()):
                if name in kept:
                    _restore(member, kept[name])
                elif any(field.name == name for field in node.declared):
                    _clear(member)
                else:
                    del node.members[name]
            for name, value in kept.items():
                if name not in node.members:  # of an object whose fields its source function has yet to name
                    node.members[name] = fill(undeclared_field(name, value), value)


def _clear(node: Node) -> None:
    """Empty a node: a draft doesn't name what is left empty."""
    node.misfit = ABSENT
    match node:
        case Leaf():
            node.text = ""
        case Rows():
            node.rows.clear()
            node.given_empty = False
        case Group():
            node.given_empty = False
            for member in node.members.values():
                _clear(member)
