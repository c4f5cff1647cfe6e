"""What was filled in, in words, for a person to confirm."""

from collections.abc import Iterator

from attrs import frozen

from servicejs.forms import texts
from servicejs.forms.fields import Field
from servicejs.forms.form import Form
from servicejs.forms.values import Group, Leaf, Node, Rows, is_blank
from servicejs.language import enumerated, written_day
from servicejs.language import gettext as _


@frozen
class SummaryLine:
    """One value: how deep it is nested, what it is called, and its words ("" above nested ones)."""

    depth: int
    title: str
    words: str


def summary(form: Form) -> tuple[SummaryLine, ...]:
    """List everything that will be sent, in the words the user chose."""
    return tuple(line for member in form.root.members.values() for line in _lines(form, member, member.field.title, 0))


def _lines(form: Form, node: Node, title: str, depth: int) -> Iterator[SummaryLine]:
    match node:
        case Leaf():
            if node.text or node.field.control == "checkbox":
                yield SummaryLine(depth, title, _words(form, node))
        case Rows():
            if node.rows and all(isinstance(row.node, Leaf) for row in node.rows):
                leaves = [row.node for row in node.rows if isinstance(row.node, Leaf)]
                yield SummaryLine(depth, title, enumerated(_words(form, leaf) for leaf in leaves))
            elif node.rows or node.given_empty:
                yield SummaryLine(depth, title, "" if node.rows else _("Empty"))
                for position, row in enumerate(node.rows):
                    yield from _lines(form, row.node, f"{title} {position + 1}", depth + 1)
        case Group():
            if is_blank(node):
                return
            yield SummaryLine(depth, title, _("Empty") if node.given_empty else "")
            for member in node.members.values():
                yield from _lines(form, member, member.field.title, depth + 1)


def _words(form: Form, leaf: Leaf) -> str:
    field = leaf.field
    if field.kind == "boolean":
        return _("Yes") if leaf.text == "true" else _("No")
    if field.control == "datetime":
        day, _at, time = (texts.local_time(leaf.text, form.zone) or "").partition("T")
        known = texts.parse_date(day)
        return enumerated([written_day(known), time]) if known else leaf.text
    if field.control == "date":
        known = texts.parse_date(leaf.text)
        return written_day(known) if known else leaf.text
    if field.control == "time":
        return texts.short_time(leaf.text)
    if field.control == "number":
        return texts.tidied(field, leaf.text)
    return leaf.label or _label(field, leaf.text)


def _label(field: Field, text: str) -> str:
    return next((option.label for option in field.options if option.text == text), text)
