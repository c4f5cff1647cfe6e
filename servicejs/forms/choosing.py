"""Choosing in a combobox: typing narrows its list, and a value is taken from it."""

from collections.abc import Iterator

from servicejs.forms import texts
from servicejs.forms.fields import Field
from servicejs.forms.form import Form
from servicejs.forms.options import Option, having_words, named, scalar_text
from servicejs.forms.paths import Path
from servicejs.forms.problems import too_many_entries
from servicejs.forms.values import Leaf, Node, Rows, prune


def item_field(node: Node) -> Field:
    """Return the field whose values are chosen: that of a list's entries, or the node's own."""
    return node.field.item if isinstance(node, Rows) and node.field.item else node.field


def options(form: Form, path: Path) -> tuple[Option, ...]:
    """Return the choices that are known now; where the app searches, those that it has found."""
    node = form.node(path)
    field = item_field(node)
    if field.source is None:
        return field.options
    listing = form.sources.listing_for(path, searching=True)
    return listing.choices(field.source) if listing else ()


def matching(form: Form, path: Path) -> tuple[Option, ...]:
    """Return the choices that have all words of the search; an app that searches has already picked them."""
    node, found = form.node(path), options(form, path)
    field = item_field(node)
    if not isinstance(node, Leaf | Rows) or not node.search or (field.source and field.source.search):
        return found
    return having_words(found, node.search)


def free_value(form: Form, path: Path) -> str:
    """Return what was typed, as a value that may be taken although the app doesn't list it; "" if there is none."""
    node = form.node(path)
    field = item_field(node)
    if not isinstance(node, Leaf | Rows) or not node.search or field.source is None:
        return ""
    if any(node.search in (option.text, option.label) for option in options(form, path)):
        return ""
    try:
        return scalar_text(texts.read(field, node.search))
    except texts.UnreadableError:
        return ""


def search(form: Form, path: Path, text: str) -> None:
    """Narrow the list to what has these words."""
    node = form.node(path)
    if isinstance(node, Leaf | Rows):
        node.search, node.pages = text.strip(), 1


def settle(form: Form, path: Path, text: str) -> None:
    """
    Take what was typed when the field is left.

    It stands for the one choice that it names. If it names none, it stays where it is, as a problem: it is not a value,
    but it must not be lost.
    """
    node = form.node(path)
    if not isinstance(node, Leaf | Rows):
        return
    node.search = text.strip()
    if isinstance(node, Leaf) and node.search in (node.text, node.label):
        node.search = ""
    elif not node.search:
        if isinstance(node, Leaf):
            form.set_text(path, "")
    elif meant := named(options(form, path), node.search):
        if isinstance(node, Leaf) or meant.text not in chosen(node):
            choose(form, path, meant.text)
        node.search = ""
    elif isinstance(node, Leaf):
        form.set_text(path, "")
        node.search = text.strip()
    if not _is_loading(form, path):
        form.check(path)


def choose(form: Form, path: Path, text: str) -> None:
    """Choose a value; one that a list already has is removed from it."""
    node = form.node(path)
    if isinstance(node, Rows) and node.field.control == "choices":
        _choose_entry(form, path, node, text)
    else:
        label = _label(form, path, text)
        form.set_text(path, text)
        if isinstance(node, Leaf):
            node.label = node.label or label


def chosen(node: Node) -> Iterator[str]:
    """Return the values that are chosen, as texts."""
    match node:
        case Leaf():
            yield node.text
        case Rows():
            for row in node.rows:
                yield from chosen(row.node)


def _choose_entry(form: Form, path: Path, rows: Rows, text: str) -> None:
    label = _label(form, path, text)
    rows.search = ""
    form.notices.pop(path, None)
    prune(rows)
    taken, most = list(chosen(rows)), rows.field.limits.max_items
    if text in taken:
        form.remove_row((*path, taken.index(text)))
    elif most is not None and len(taken) >= most:
        form.notices[path] = too_many_entries(most)
    elif text and (entry := form.add_row(path)):
        choose(form, entry, text)
        leaf = form.node(entry)
        if isinstance(leaf, Leaf):
            leaf.label = leaf.label or label


def _label(form: Form, path: Path, text: str) -> str:
    """Return the words of a choice; it may not be listed any more once its search is over."""
    return next((option.label for option in options(form, path) if option.text == text), "")


def _is_loading(form: Form, path: Path) -> bool:
    listing = form.sources.listing_for(path, searching=True)
    return item_field(form.node(path)).source is not None and (listing is None or listing.state == "loading")
