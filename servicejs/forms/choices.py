"""How the choices of a field are shown: the rows of a combobox, and the state of their loading."""

from collections.abc import Iterable
from typing import Literal

from attrs import frozen

from servicejs.forms.choosing import chosen, free_value, item_field, matching
from servicejs.forms.form import Form
from servicejs.forms.options import Option
from servicejs.forms.paths import Path
from servicejs.forms.sources import MissingParentError
from servicejs.forms.values import ABSENT, Leaf, Node, Rows
from servicejs.language import gettext as _
from servicejs.language import ngettext

PAGE = 200
"""Rows put into a list at a time; scrolling brings the next."""

SEARCH_ABOVE = 12
"""With more fixed options than this, users type to find one; fewer are shown in the browser's own list."""


@frozen
class OptionView:
    """One option."""

    value: str
    label: str
    selected: bool = False


@frozen(kw_only=True)
class LoadingView:
    """
    The loading state of a field's choices, or of an object's fields.

    `message` says it when there is something to say. `remedy` is the action that helps other than trying again, which
    makes sense only after another `wait` seconds.
    """

    state: Literal["blocked", "loading", "failed", "ready"]
    message: str = ""
    remedy: Literal["", "connect", "reconnect", "pick_account"] = ""
    wait: int = 0


@frozen(kw_only=True)
class ComboboxView:
    """
    A text field with a list to choose from.

    `label` is the text of the chosen value, and `search` is what was typed since. If the list is `filled` at all, it
    shows what the search finds, with `note` below. `several` says that any number of values may be chosen, `more` that
    scrolling brings more options, and `further` that the app has more, but is asked for them only if the user wants
    that. `free` is what was typed, as a value of its own. A `refreshable` list may be asked for again.
    """

    loading: LoadingView
    several: bool
    label: str
    search: str
    placeholder: str
    note: str
    filled: bool
    options: tuple[OptionView, ...] = ()
    more: bool = False
    further: bool = False
    refreshable: bool = False
    free: str = ""


def options_view(options: Iterable[Option], chosen: str) -> tuple[OptionView, ...]:
    """Make a short list's options; a chosen value that isn't among them comes first, so that it is never lost."""
    views = [OptionView(option.text, option.label, option.text == chosen) for option in options]
    if chosen and not any(view.selected for view in views):
        views.insert(0, OptionView(chosen, chosen, True))
    return tuple(views)


def loading_view(form: Form, path: Path) -> LoadingView:
    """Return the state of the source function of the field at `path`."""
    waiting = form.sources.waiting
    try:
        form.sources.request_for(path, searching=True)
    except MissingParentError as missing:
        waiting = waiting or _("Choose %(field)s first", field=missing.title)
    if waiting:
        return LoadingView(state="blocked", message=waiting)
    listing = form.sources.listing_for(path, searching=True)
    lists_fields = form.node(path).field.dynamic is not None
    if listing is None or listing.state == "loading":
        return LoadingView(state="loading", message=_("Loading fields…") if lists_fields else _("Loading choices…"))
    if listing.state == "failed":
        remedy = listing.remedy.action if listing.remedy else ""
        return LoadingView(state="failed", message=listing.message, remedy=remedy, wait=listing.wait)
    nothing = lists_fields and not listing.found
    return LoadingView(state="ready", message=_("There are no fields to fill in.") if nothing else "")


def combobox_view(form: Form, path: Path, *, is_open: bool) -> ComboboxView:
    """Return the combobox at `path`; it holds what an app lists only while it is open."""
    node = form.node(path)
    assert isinstance(node, Leaf | Rows)  # noqa: S101  only these are chosen
    field = item_field(node)
    loading = loading_view(form, path) if field.source else LoadingView(state="ready")
    listing = form.sources.listing_for(path, searching=True) if field.source else None
    found = matching(form, path)
    filled = is_open or field.source is None
    shown = found[: PAGE * node.pages] if filled else ()
    values = set(chosen(node))
    ready = loading.state == "ready"
    pages = ready and listing is not None and bool(listing.next_page)
    # A search among the loaded options goes through all that the app has only if the user wants that.
    searches_here = bool(node.search and field.source and not field.source.search)
    return ComboboxView(
        loading=loading,
        several=isinstance(node, Rows),
        label=chosen_words(node),
        search=node.search,
        placeholder=_placeholder(node, loading),
        note=_note(node.search, loading, len(found)) if is_open or not ready else "",
        filled=filled,
        options=tuple(OptionView(option.text, option.label, option.text in values) for option in shown),
        more=len(shown) < len(found) or (pages and not searches_here),
        further=pages and searches_here,
        refreshable=ready and is_open and listing is not None and not found,
        free=free_value(form, path),
    )


def show_more(form: Form, path: Path) -> bool:
    """Lengthen the list by what is already loaded; returns whether there was more."""
    node = form.node(path)
    if not isinstance(node, Leaf | Rows) or len(matching(form, path)) <= PAGE * node.pages:
        return False
    node.pages += 1
    return True


def chosen_words(node: Node) -> str:
    """Return the words for the chosen value, or the value itself if there are none."""
    if not isinstance(node, Leaf):
        return ""
    known = next((option.label for option in node.field.options if option.text == node.text), "")
    return node.label or known or node.text or ("" if node.misfit is ABSENT else str(node.misfit))


def _placeholder(node: Node, loading: LoadingView) -> str:
    if loading.state == "blocked":
        return loading.message
    return _("Choose…") if node.field.required or isinstance(node, Rows) else _("Not set")


def _note(search: str, loading: LoadingView, found: int) -> str:
    if loading.state != "ready":
        return loading.message
    if not found:
        return _("Nothing matches “%(search)s”.", search=search) if search else _("The app offers no choices.")
    return ngettext("%(count)s match.", "%(count)s matches.", found) if search else ""
