"""How values follow the listings of source functions when what they depend on changes."""

from servicejs.forms.fields import Field
from servicejs.forms.listings import fields_of_object
from servicejs.forms.options import named
from servicejs.forms.problems import Problem
from servicejs.forms.reading import read
from servicejs.forms.sources import Listing
from servicejs.forms.values import ABSENT, Group, Leaf, Node, fill, filled_value, is_blank
from servicejs.language import enumerated
from servicejs.language import gettext as _


def follow_listing(node: Node, listing: Listing, key: str) -> str:
    """
    Bring a node in line with its listing, named `key`; returns a notice for the user, or "".

    The first listing only explains the values that were given. A later one, after another choice elsewhere, decides
    which of them stay.
    """
    match node:
        case Leaf() if node.field.source:
            return _follow_choices(node, listing, key)
        case Group() if node.field.dynamic and listing.complete and node.listing != key:
            return _follow_fields(node, listing, key)
        case _:
            return ""


def _follow_choices(leaf: Leaf, listing: Listing, key: str) -> str:
    assert leaf.field.source is not None  # noqa: S101  the caller looked
    options = listing.choices(leaf.field.source)
    if leaf.search and not leaf.text and (meant := named(options, leaf.search)):
        leaf.text, leaf.search = meant.text, ""
    found = {option.text: option.label for option in options}
    if leaf.text in found:
        leaf.label = found[leaf.text]
    changed = leaf.checked_against not in ("", key)
    if leaf.text == "" or not changed or leaf.text in found:
        leaf.checked_against = key
        return ""
    if not listing.complete:
        unsure = leaf.label or leaf.text
        return _("“%(value)s” isn’t among the choices loaded so far. Check that it is still right.", value=unsure)
    leaf.checked_against = key
    dropped = leaf.label or leaf.text
    leaf.text = leaf.label = ""
    return _("“%(value)s” is no longer available after your change, so it was removed.", value=dropped)


def _follow_fields(group: Group, listing: Listing, key: str) -> str:
    assert group.field.dynamic is not None  # noqa: S101  the caller looked
    own = {field.name for field in group.field.members}
    listed = tuple(field for field in fields_of_object(group.field.dynamic, listing.found) if field.name not in own)
    before = {field.name: field for field in group.listed}
    dropped = _drop_unlisted(group, before, {field.name for field in listed})
    first = group.listing == ""
    members = {name: node for name, node in group.members.items() if name in own}
    for field in listed:
        known = group.members.get(field.name)
        node = fill(field, filled_value(known)) if known is not None else fill(field)
        if not first and not is_blank(node) and _breaks_choice(node):
            dropped.append(f"{field.title} (“{_shown(known)}”)")
            node = fill(field)
        members[field.name] = node
    members |= {name: node for name, node in group.members.items() if name not in members}
    group.members, group.listed, group.listing = members, listed, key
    if not dropped:
        return ""
    names = enumerated(dropped)
    return _("Removed because they are no longer available after your change: %(names)s.", names=names)


def _drop_unlisted(group: Group, before: dict[str, Field], listed: set[str]) -> list[str]:
    dropped = []
    for name, field in before.items():
        if name not in listed:
            node = group.members.pop(name, None)
            if node is not None and not is_blank(node):
                dropped.append(f"{field.title} (“{_shown(node)}”)")
    return dropped


def _breaks_choice(node: Node) -> bool:
    if node.field.control != "choice":
        return False
    problems: list[Problem] = []
    read(node, (), problems)
    return bool(problems)


def _shown(node: Node | None) -> str:
    if node is None:
        return ""
    if isinstance(node, Leaf):
        return node.label or node.text or str(node.misfit)
    value = read(node, (), [])
    return "" if value is ABSENT else str(value)
