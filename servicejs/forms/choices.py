"""How the choices of a field are shown: the rows of a combobox, and how their loading stands."""

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
"""With more fixed options than this, one types to find them; fewer are the browser's own list."""


@frozen
class OptionView:
    """One option."""

    value: str
    label: str
    selected: bool = False


@frozen(kw_only=True)
class LoadingView:
    """
    How the choices of a field, or the fields of an object, stand.

    `message` says it when there is something to say. `remedy` is the action that helps but trying again, which makes
    sense after another `wait` seconds.
    """

    state: Literal["blocked", "loading", "failed", "ready"]
    message: str = ""
    remedy: Literal["", "connect", "reconnect", "pick_account"] = ""
    wait: int = 0


@frozen(kw_only=True)
class ComboboxView:
    """
    A text field with a list to choose from.

    `label` are the words of what is chosen, and `search` is what was typed since; the list shows what it finds, with
    `note` below, if it is `filled` at all. `several` says that any number of values may be chosen, `more` that
    scrolling brings more options, and `further` that there are some which the app is asked for only if the user
    wants it. `free` is what was typed, as a value of its own; a `refreshable` list may be asked for again.
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
    """Say how the source function of the field at `path` stands."""
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
    """Show the combobox at `path`; what an app lists is only in it while it is open."""
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
    # A search among what is loaded goes through all that the app has only if somebody wants it to.
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
    """Lengthen the list by what is loaded already; returns whether there was any."""
    node = form.node(path)
    if not isinstance(node, Leaf | Rows) or len(matching(form, path)) <= PAGE * node.pages:
        return False
    node.pages += 1
    return True


def chosen_words(node: Node) -> str:
    """Return the words of the value that is chosen, or the value itself where nobody has words for it."""
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
