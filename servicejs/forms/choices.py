"""How the choices of a field are shown: dropdown options, and how their loading stands."""

from collections.abc import Iterable
from typing import Literal

from attrs import frozen

from servicejs.forms.fields import Option
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.sources import Listing, MissingParentError
from servicejs.forms.values import Leaf
from servicejs.language import gettext as _
from servicejs.language import ngettext

MOST_SHOWN = 500
"""Options put into one dropdown; the filter finds the others."""

SEARCH_ABOVE = 12
"""With more options than this, a dropdown gets a filter."""


@frozen
class OptionView:
    """One option of a dropdown."""

    value: str
    label: str
    selected: bool = False


@frozen(kw_only=True)
class ChoicesView:
    """
    A dropdown fed by a source function, or the fields of an object fed by one.

    `message` says how it stands when there is something to say; `blank` are the words of the empty option. `remedy` is
    the action that helps but trying again, which makes sense after another `wait` seconds.
    """

    state: Literal["blocked", "loading", "failed", "ready"]
    message: str = ""
    blank: str = ""
    options: tuple[OptionView, ...] = ()
    searchable: bool = False
    search: str = ""
    more: bool = False
    typing: bool = False
    disabled: bool = False
    remedy: Literal["", "connect", "reconnect", "pick_account"] = ""
    wait: int = 0


def options_view(options: Iterable[Option], chosen: str, label: str) -> tuple[OptionView, ...]:
    """Make a dropdown's options; a chosen value that isn't among them comes first, so that it is never lost."""
    views = [OptionView(option.text, option.label, option.text == chosen) for option in options]
    if chosen and not any(view.selected for view in views):
        views.insert(0, OptionView(chosen, label or chosen, True))
    return tuple(views)


def choices_view(form: Form, path: Path) -> ChoicesView:
    """Say how the choices of the field at `path` stand."""
    node = form.node(path)
    waiting, request = form.waiting, None
    try:
        request = form.request_for(path, searching=True)
    except MissingParentError as missing:
        waiting = waiting or _("Choose %(field)s first", field=missing.title)
    if waiting:
        return _shown(form, path, None, ChoicesView(state="blocked", message=waiting, blank=waiting))
    listing = form.listings.get(request) if request else None
    if listing is None or listing.state == "loading":
        words = _("Loading choices…") if isinstance(node, Leaf) else _("Loading fields…")
        return _shown(form, path, listing, ChoicesView(state="loading", message=words, blank=_("Loading…")))
    if listing.state == "failed":
        remedy = listing.remedy.action if listing.remedy else ""
        failed = ChoicesView(state="failed", message=listing.message, remedy=remedy, wait=listing.wait)
        return _shown(form, path, listing, failed)
    return _shown(form, path, listing, ChoicesView(state="ready"))


def _shown(form: Form, path: Path, listing: Listing | None, view: ChoicesView) -> ChoicesView:
    leaf = form.node(path)
    source = leaf.field.source
    if not isinstance(leaf, Leaf) or source is None:
        nothing = view.state == "ready" and listing is not None and not listing.found
        return _replace(view, message=_("There are no fields to fill in.")) if nothing else view
    found = listing.choices(source) if listing else ()
    matching = found if source.search else tuple(_matching(found, leaf.search))
    everything = form.listing_for(path)
    many = everything is not None and (len(everything.found) > SEARCH_ABOVE or bool(everything.next_page))
    searchable = bool(leaf.search or source.search or many) and view.state != "blocked" and not leaf.typing
    disabled = not found and not leaf.text and view.state in ("blocked", "loading")
    return ChoicesView(
        state=view.state,
        # An empty dropdown says in itself what it waits for.
        message="" if disabled else view.message or _count_message(leaf.search, len(found), len(matching)),
        blank=view.blank or (_("Choose…") if leaf.field.required else _("Not set")),
        options=options_view(matching[:MOST_SHOWN], leaf.text, leaf.label),
        searchable=searchable,
        search=leaf.search,
        more=view.state == "ready" and listing is not None and bool(listing.next_page),
        typing=leaf.typing,
        disabled=disabled,
        remedy=view.remedy,
        wait=view.wait,
    )


def _replace(view: ChoicesView, message: str) -> ChoicesView:
    return ChoicesView(state=view.state, message=message, blank=view.blank)


def _matching(options: tuple[Option, ...], search: str) -> Iterable[Option]:
    words = search.casefold().split()
    return (option for option in options if all(word in option.label.casefold() for word in words))


def _count_message(search: str, found: int, matching: int) -> str:
    if matching > MOST_SHOWN:
        shown = {"shown": MOST_SHOWN, "all": matching}
        return _("Showing %(shown)s of %(all)s. Type in the filter to find the others.", **shown)
    if not matching:
        return _("Nothing matches “%(search)s”.", search=search) if search else _("The app lists no choices.")
    if search:
        return ngettext("%(count)s match.", "%(count)s matches.", matching)
    return "" if found else _("The app lists no choices.")
