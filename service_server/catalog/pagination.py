"""How the pages of an app's lists are asked for: where the position goes, and where the next one is found."""

import json
import re
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import parse_qs, urljoin, urlsplit

from attrs import evolve, field, frozen

from service_server.catalog.expressions import ABSENT, Reference, stringify
from service_server.catalog.requests import header_value, with_headers, with_query
from service_server.onward.values import OnwardRequest, OnwardResponse

_LONGEST_NUMBER = 18  # digits; Python itself refuses to read thousands of them

Place: TypeAlias = Literal["query", "header", "body"]
JsonValue: TypeAlias = str | int | float | bool | list[Any] | dict[str, Any] | None


@frozen(kw_only=True)
class Following:
    """
    What comes after a page.

    `position` None means no more pages. With `certain` False the app doesn't tell whether there are more: the next
    page may be empty. `past_end` marks an answer that itself lies behind the last page: its output is an empty list.
    """

    position: JsonValue = None
    certain: bool = True
    past_end: bool = False


class Strategy(Protocol):
    """One way of paging; the position is a JSON value that only the strategy understands."""

    @property
    def sent_query(self) -> str | None:
        """The query parameter that holds the position, None when it goes elsewhere."""
        ...

    @property
    def goes_by(self) -> str:
        """What of the answer tells whether there are more pages."""
        ...

    def apply(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Return the request for the page at a position."""
        ...

    def following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, output: Any
    ) -> Following:
        """Return what comes after a page that was answered with a 2xx status."""
        ...


@frozen(kw_only=True)
class Pagination:
    """
    A named paging strategy of an app.

    `size` is sent as the query parameter `limit` on every page; `end_statuses` are those with which the app answers
    a page behind the last one.
    """

    strategy: Strategy
    limit: str | None = None
    size: int | None = None
    end_statuses: frozenset[int] = frozenset()

    @property
    def sent_query(self) -> str | None:
        """The query parameter that holds the position, None when it goes elsewhere."""
        return self.strategy.sent_query

    @property
    def goes_by(self) -> str:
        """What of an answer tells whether there are more pages."""
        return self.strategy.goes_by

    def apply(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Return the request for a page; position None is the first one."""
        if self.limit is not None and self.size is not None and query_value(request, self.limit) is None:
            request = with_query(request, {self.limit: str(self.size)})
        return request if position is None else self.strategy.apply(request, position)

    def following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, output: Any
    ) -> Following:
        """
        Return what comes after a page.

        `position` and `request` are those of the page, `body` its whole parsed body, `output` the part relayed.
        A next position that is a URL isn't checked here: the caller applies the app's host rules before sending.
        """
        if position is not None and response.status in self.end_statuses:
            return Following(past_end=True)
        if not 200 <= response.status < 300:
            return Following()
        return self.strategy.following(position, request, response, body, output)


@frozen(kw_only=True)
class CursorPaging:
    """The answer holds a cursor (in its body or a header) that the next request sends back."""

    send_in: Place
    send_as: str
    next: Reference
    more: Reference | None = None

    @property
    def sent_query(self) -> str | None:
        """The query parameter that holds the position."""
        return self.send_as if self.send_in == "query" else None

    @property
    def goes_by(self) -> str:
        """What of the answer tells whether there are more pages."""
        return _places(self.more, self.next)

    def apply(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Put the cursor where the app expects it."""
        return with_position(request, self.send_in, self.send_as, position)

    def following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, output: Any
    ) -> Following:
        """Take the cursor from the answer; the same one again would be an endless loop, so it ends the list."""
        if self.more is not None and _find(self.more, response, body) in (ABSENT, False, 0, ""):
            return Following()
        cursor = _find(self.next, response, body)
        if not isinstance(cursor, str | int | float) or cursor is False or cursor in ("", position):
            return Following()
        return Following(position=cursor)


@frozen(kw_only=True)
class NumberPaging:
    """
    Pages are asked for by number, or by the offset of their first item.

    Whether more pages exist is read from `more` (a flag) or `total` (items, or pages when counting pages) where the
    app gives them. Otherwise a page shorter than the size is the last one, and after a full one nobody can tell.
    """

    counts: Literal["pages", "items"]
    send_in: Place = "query"
    send_as: str
    first: int
    size: int | None = None
    limit: str | None = None
    more: Reference | None = None
    total: Reference | None = None

    @property
    def sent_query(self) -> str | None:
        """The query parameter that holds the position."""
        return self.send_as if self.send_in == "query" else None

    @property
    def goes_by(self) -> str:
        """What of the answer tells whether there are more pages."""
        return _places(self.more, self.total) or "the number of its items"

    def apply(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Send the number of the page or of its first item."""
        return with_position(request, self.send_in, self.send_as, position)

    def following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, output: Any
    ) -> Following:
        """Count on from this page, unless it was the last."""
        received = len(output) if isinstance(output, list) else 0
        current = position if isinstance(position, int) else self.first
        following = current + (1 if self.counts == "pages" else received)
        if received == 0:
            return Following()
        if self.more is not None:
            goes_on = _find(self.more, response, body) not in (ABSENT, False, 0, "")
            return Following(position=following) if goes_on else Following()
        if self.total is not None:
            total = _number(_find(self.total, response, body))
            if total is not None:
                return Following(position=following) if following - self.first < total else Following()
        size = self._size(request)
        if size is not None and received < size:
            return Following()
        return Following(position=following, certain=False)

    def _size(self, request: OnwardRequest) -> int | None:
        asked = query_value(request, self.limit) if self.limit is not None else None
        return int(asked) if asked is not None and asked.isdecimal() else self.size


@frozen(kw_only=True)
class UrlPaging:
    """The answer holds the whole URL of the next page: in a Link header (RFC 8288), another header, or the body."""

    relation: str | None = field(default=None)
    next: Reference | None = None

    @property
    def sent_query(self) -> str | None:
        """None: the position is a whole URL."""
        return None

    @property
    def goes_by(self) -> str:
        """What of the answer tells whether there are more pages."""
        return _places(self.next) or f"its Link header, rel={self.relation or 'next'}"

    def apply(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Ask that URL instead."""
        return evolve(request, url=str(position))

    def following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, output: Any
    ) -> Following:
        """Take the URL from the answer, relative to the one that was asked."""
        if self.next is not None:
            link: Any = _find(self.next, response, body)
        else:
            link = link_targets(response.headers.get("link", "")).get(self.relation or "next")
        if not isinstance(link, str) or not link:
            return Following()
        try:
            url = urljoin(request.url, link)
        except ValueError:  # not a URL, so there is nowhere to go on
            return Following()
        return Following() if url == request.url else Following(position=url)


def _places(*references: Reference | None) -> str:
    return " and ".join(str(reference) for reference in references if reference is not None)


# Every alternative starts with another character, so that a hostile header can't make matching slow.
_LINK = re.compile(r'<([^<>]*)>((?:[^<"]|"[^"]*")*)')
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;"]*)))?')


def link_targets(header: str) -> dict[str, str]:
    """Read a Link header (RFC 8288) to its targets by relation; the first of each relation counts."""
    targets: dict[str, str] = {}
    for target, written in _LINK.findall(header):
        parameters: dict[str, str] = {}
        for name, quoted, plain in _PARAMETER.findall(written):
            parameters.setdefault(name.lower(), quoted or plain)
        # Sentry names a page behind the last one, too, and says of it that it has no results.
        if parameters.get("results") != "false":
            for relation in parameters.get("rel", "").lower().split():
                targets.setdefault(relation, target.strip())
    return targets


def with_position(request: OnwardRequest, place: Place, name: str, position: JsonValue) -> OnwardRequest:
    """Return the request with a position in its query, in a header, or at a dotted path of its JSON body."""
    if place == "query":
        return with_query(request, {name: stringify(position)})
    if place == "header":
        return with_headers(request, {name: header_value(name, stringify(position))})
    content = json.loads(request.body or b"{}")
    *parents, last = name.split(".")
    inner = content
    for parent in parents:
        inner = inner.setdefault(parent, {})
    inner[last] = position
    with_body = evolve(request, body=json.dumps(content, separators=(",", ":")).encode())
    return with_headers(with_body, {"content-type": "application/json"})


def query_value(request: OnwardRequest, name: str) -> str | None:
    """Return the first value of a query parameter of a request's URL, None when it has none."""
    values = parse_qs(urlsplit(request.url).query).get(name)
    return values[0] if values else None


def _find(reference: Reference, response: OnwardResponse, body: Any) -> Any:
    return reference.find({"body": body, "header": response.headers, "status": response.status})


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) <= _LONGEST_NUMBER:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
