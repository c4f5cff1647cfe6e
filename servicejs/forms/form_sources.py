"""What a form needs from source functions: which calls are due, and the state of each field's choices."""

from collections.abc import Iterator

from service_client.models import CallResult
from servicejs.forms.fields import Field
from servicejs.forms.lookup import node_at, parent_value
from servicejs.forms.paths import Path
from servicejs.forms.sources import Listing, Listings, MissingParentError, Remedy, Request, Ticket, references
from servicejs.forms.values import Group, Leaf, Node, Rows, walk


class FormSources:
    """
    The source functions of a form's fields, without any I/O: `due` says what to call, and answers come back by tickets.

    `waiting` says what has to happen before any can be called ("" when nothing has).
    """

    def __init__(self, root: Group) -> None:
        self.waiting = ""
        self._root = root
        self._listings = Listings()
        self._settling: set[Path] = set()

    # Looking

    def request_for(self, path: Path, *, searching: bool = False) -> Request | None:
        """
        Say which call lists the choices (or the fields) of a field; None when it has no source function.

        Raises `MissingParentError` while a value the call needs is missing.
        """
        node = node_at(self._root, path)
        listed = node.field.source or node.field.dynamic
        if listed is None:
            return None
        arguments = parent_value(self._root, path, listed.arguments, self.is_settled)
        source = node.field.source
        if searching and source and source.search and isinstance(node, Leaf | Rows) and node.search:
            arguments[source.search] = node.search
        return self._listings.request(listed.function, arguments)

    def listing_for(self, path: Path, *, searching: bool = False) -> Listing | None:
        """Return what is known of a field's choices; None before they were asked for."""
        try:
            request = self.request_for(path, searching=searching)
        except MissingParentError:
            return None
        return self._listings.get(request) if request else None

    def listing_key(self, path: Path) -> str:
        """Name the listing that a field's choices come from; "" while it can't be asked for."""
        try:
            request = self.request_for(path)
        except MissingParentError:
            return ""
        return request.key if request else ""

    def is_settled(self, path: Path, node: Node) -> bool:
        """Whether a chosen value has been compared with the current choices after a change elsewhere."""
        if not isinstance(node, Leaf) or not node.text or not node.checked_against or path in self._settling:
            return True
        self._settling.add(path)  # fields that would wait for each other don't wait
        try:
            key, listing = self.listing_key(path), self.listing_for(path)
        finally:
            self._settling.discard(path)
        return key in ("", node.checked_against) or (listing is not None and listing.state != "loading")

    def is_loading(self, path: Path, node: Node) -> bool:
        """Whether the fields of an object, or the choices in which a text is looked up, are still on their way."""
        awaits = bool(node.field.dynamic) if isinstance(node, Group) else bool(node.search)
        listing = self.listing_for(path, searching=True) if awaits else None
        return listing is not None and listing.state == "loading"

    # Calling

    def due(self) -> list[Ticket]:
        """Begin every request that a field needs and nobody has sent; the caller sends them."""
        if self.waiting:
            return []
        tickets: list[Ticket] = []
        in_use: set[str] = set()
        for request in self._requests():
            in_use.add(request.key)
            if self._listings.get(request) is None:
                tickets.append(self._listings.begin(request))
        self._listings.prune(in_use)
        return tickets

    def again(self, path: Path) -> Ticket | None:
        """Begin a field's request again: after a failure, or for the next page."""
        try:
            request = self.request_for(path, searching=True)
        except MissingParentError:
            return None
        listing = self._listings.get(request) if request else None
        if request is None or listing is None or listing.state == "loading":
            return None
        return self._listings.begin(request) if listing.state == "failed" or listing.next_page else None

    def refresh(self, path: Path) -> None:
        """Forget a field's choices, so that `due` asks for them again; what was chosen stays."""
        for searching in (False, True):
            try:
                request = self.request_for(path, searching=searching)
            except MissingParentError:
                return
            if request is not None:
                self._listings.drop(request)

    def arrive(self, ticket: Ticket, result: CallResult) -> bool:
        """Take the answer to a ticket; False if it came too late to count."""
        return self._listings.arrive(ticket, result)

    def fail(self, ticket: Ticket, message: str, remedy: Remedy | None = None) -> Listing | None:
        """Note that a request failed, and what would help other than trying again; returns what is known about it."""
        self._listings.fail(ticket, message, remedy)
        return self._listings.get(ticket.request)

    def following(self, ticket: Ticket) -> list[Ticket]:
        """Begin the request for the next page if an answer lists the fields of an object, all of which are needed."""
        listing = self._listings.get(ticket.request)
        more = listing is not None and listing.state == "ready" and listing.next_page
        return [self._listings.begin(ticket.request)] if more and self._lists_fields(ticket.request) else []

    def forget(self) -> None:
        """Drop every answer: another account sees other things."""
        self._listings.forget()

    def _requests(self) -> Iterator[Request]:
        """Each field's own request, and with a search text the searching one too."""
        for path, node in list(walk(self._root)):
            searching = not isinstance(node, Group) and bool(node.search)
            for wanted in (False, True) if searching else (False,):
                try:
                    request = self.request_for(path, searching=wanted)
                except MissingParentError:
                    break
                if request is not None:
                    yield request

    def _lists_fields(self, request: Request) -> bool:
        paths = (path for path, node in walk(self._root) if node.field.dynamic)
        return any(self.listing_for(path) is self._listings.get(request) for path in paths)


def needed_by(field: Field) -> set[str]:
    """Return the parameters that choices of other fields are listed by."""
    listed = field.source or field.dynamic
    below = (*field.members, *((field.item,) if field.item is not None else ()))
    return (references(listed.arguments) if listed is not None else set()).union(*map(needed_by, below))
