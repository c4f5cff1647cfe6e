"""
Which source functions to call, with what, and what came back.

A request is named by its function and arguments, and its answer is kept under that name: an answer that comes late
is filed where nobody looks any more and can't replace a newer one.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

import attrs
from attrs import define, frozen

from service_client.models import CallResult, Source
from servicejs.forms.listings import NotAListError, choices, entries
from servicejs.forms.options import Option
from servicejs.language import gettext as _

MOST_ENTRIES = 5_000
"""Entries kept of one listing; any more have to be searched for."""

MOST_LISTINGS = 200
"""Listings kept although no field shows them."""

_REFERENCE = re.compile(r"\$\{([^}?]+)(\??)\}")


class MissingParentError(LookupError):
    """A value that a source function needs isn't filled in (yet); `title` names its field."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.title = title


@frozen
class Request:
    """One call of a source function; `key` names it."""

    key: str
    function: str
    arguments: Mapping[str, Any]


@frozen
class Ticket:
    """A request under way: hand it back with the answer, which counts only if nothing newer was asked since."""

    request: Request
    generation: int
    next_page: str = ""

    @property
    def arguments(self) -> dict[str, Any]:
        """What to call the source function with."""
        return {**self.request.arguments, **({"next_page": self.next_page} if self.next_page else {})}


@frozen
class Remedy:
    """
    What helps a refused call other than trying again: to connect an account, to reconnect it, or to pick another.

    Reconnecting asks for what `functions` (by their names) need, besides the usual permissions.
    """

    action: Literal["connect", "reconnect", "pick_account"]
    functions: tuple[str, ...] = ()


@define(eq=False)
class Listing:
    """
    What is known about a request's answer; `next_page` is empty when there is no more.

    `message` says why it failed, and `remedy` what would help other than trying again, which makes no sense for another
    `wait` seconds. `options` keeps the choices read from the answer, by the keys of value and label.
    """

    state: Literal["loading", "ready", "failed"] = "loading"
    found: list[Any] = attrs.field(factory=list)
    next_page: str = ""
    message: str = ""
    remedy: Remedy | None = None
    wait: int = 0
    generation: int = 0
    options: dict[tuple[str, str], tuple[Option, ...]] = attrs.field(factory=dict)

    def choices(self, source: Source) -> tuple[Option, ...]:
        """Return the options of a dropdown; reading thousands of entries again for each painting would be slow."""
        keys = (source.value, source.label)
        if keys not in self.options:
            self.options[keys] = choices(source, self.found)
        return self.options[keys]

    @property
    def complete(self) -> bool:
        """Whether everything there is has arrived."""
        return self.state == "ready" and not self.next_page


def resolve(arguments: Any, look_up: Callable[[str, bool], Any]) -> Any:
    """
    Put values in place of `${param}` references.

    `look_up(param, optional)` gives the value, None for an optional one that is absent, or raises
    `MissingParentError`. A text that is nothing but a reference takes the value's type.
    """
    if isinstance(arguments, Mapping):
        resolved = {name: resolve(value, look_up) for name, value in arguments.items()}
        return {name: value for name, value in resolved.items() if value is not None}
    if isinstance(arguments, list | tuple):
        return [value for value in (resolve(value, look_up) for value in arguments) if value is not None]
    if not isinstance(arguments, str):
        return arguments
    if whole := _REFERENCE.fullmatch(arguments):
        return look_up(whole[1].strip(), bool(whole[2]))
    return _REFERENCE.sub(lambda match: _embedded(look_up(match[1].strip(), bool(match[2]))), arguments)


def references(arguments: Any) -> set[str]:
    """Return the parameters without whose values a source function can't be called."""
    if isinstance(arguments, Mapping):
        return set().union(*map(references, arguments.values()))
    if isinstance(arguments, list | tuple):
        return set().union(*map(references, arguments))
    found = _REFERENCE.finditer(arguments) if isinstance(arguments, str) else ()
    return {match[1].strip() for match in found if not match[2]}


class Listings:
    """The answers of source functions, by request."""

    def __init__(self) -> None:
        self._listings: dict[str, Listing] = {}
        self._generation = 0
        self._epoch = 0

    def request(self, function: str, arguments: Mapping[str, Any]) -> Request:
        """Name a request; after `forget` the same one has another name."""
        key = json.dumps([self._epoch, function, arguments], sort_keys=True)
        return Request(key, function, arguments)

    def get(self, request: Request) -> Listing | None:
        """Return what is known of a request, None if it was never sent."""
        return self._listings.get(request.key)

    def begin(self, request: Request) -> Ticket:
        """Note that a request is being sent: the first page, or the next one of a listing that has more."""
        self._generation += 1
        listing = self._listings.pop(request.key, None) or Listing()
        self._listings[request.key] = listing
        listing.state, listing.message, listing.generation = "loading", "", self._generation
        listing.remedy, listing.wait = None, 0
        return Ticket(request, self._generation, listing.next_page)

    def drop(self, request: Request) -> None:
        """Forget one answer, so that it is asked for again."""
        self._listings.pop(request.key, None)

    def arrive(self, ticket: Ticket, result: CallResult) -> bool:
        """Take the answer to a ticket; False if it came too late to count."""
        if not result.succeeded:
            return self.fail(ticket, _("The app returned an error (%(code)s).", code=result.network_code))
        try:
            found = entries(result.output)
        except NotAListError as error:
            return self.fail(ticket, str(error))
        listing = self._current(ticket)
        if listing is None:
            return False
        listing.found.extend(found)
        listing.options.clear()
        # A page token that doesn't change would be asked for again and again.
        moved = result.next_page != ticket.next_page and len(listing.found) < MOST_ENTRIES
        listing.next_page = (result.next_page or "") if moved else ""
        listing.state = "ready"
        return True

    def fail(self, ticket: Ticket, message: str, remedy: Remedy | None = None) -> bool:
        """Note that a request failed, with words for the user; False if that came too late to count."""
        listing = self._current(ticket)
        if listing is None:
            return False
        listing.state, listing.message, listing.remedy = "failed", message, remedy
        return True

    def prune(self, in_use: set[str]) -> None:
        """Let go of the oldest listings that no field shows, once there are many (every search text makes one)."""
        idle = [key for key in self._listings if key not in in_use]
        for key in idle[: max(0, len(idle) - MOST_LISTINGS)]:
            del self._listings[key]

    def forget(self) -> None:
        """Drop everything: another account sees other things."""
        self._epoch += 1
        self._listings.clear()

    def _current(self, ticket: Ticket) -> Listing | None:
        listing = self._listings.get(ticket.request.key)
        return listing if listing is not None and listing.generation == ticket.generation else None


def _embedded(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)
