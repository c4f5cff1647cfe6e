"""
What was filled in so far, as JSON, so that a page that is loaded anew in the same tab can go on.

Texts are kept as typed, wrong ones too. A draft belongs to the arguments that the page had passed: with others, it is
another form.
"""

import json
from typing import Any

from servicejs.forms.form import Form
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows, fill, is_blank, undeclared_field

MOST_CHARACTERS = 200_000
"""Browsers keep some five million for a whole origin."""


def write_draft(form: Form, given: dict[str, Any]) -> str | None:
    """Return the draft of a form that was opened with `given`; None where it is too long to be kept."""
    draft = json.dumps({"given": given, "filled": _dump(form.root)}, ensure_ascii=False)
    return draft if len(draft) <= MOST_CHARACTERS else None


def restore_draft(form: Form, given: dict[str, Any], draft: str) -> bool:
    """Fill a new form with a draft; False, and nothing changed, where it isn't one of this form."""
    try:
        kept = json.loads(draft)
        fits = kept["given"] == json.loads(json.dumps(given)) and isinstance(kept["filled"], dict)
    except (ValueError, LookupError, TypeError):
        return False
    if not fits or kept["filled"] == _dump(form.root):
        return False
    _restore(form.root, kept["filled"])
    return True


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
            for each in kept:
                entry = fill(node.field.item)
                _restore(entry, each)
                node.append(entry)
        case Group(), dict():
            for name, member in node.members.items():
                _restore(member, kept.get(name, _nothing(member)))
            for name, value in kept.items():
                if name not in node.members:  # of an object whose fields its source function has yet to name
                    node.members[name] = fill(undeclared_field(name, value), value)


def _nothing(node: Node) -> Any:
    """What a draft says of a field that was left empty."""
    return "" if isinstance(node, Leaf) else [] if isinstance(node, Rows) else {}
