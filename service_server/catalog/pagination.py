"""How the pages of an app's lists are asked for: where the position goes, and where the next one is found."""

import json
import re
from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import parse_qs, urljoin, urlsplit

from attrs import evolve, frozen

from service_server.catalog.expressions import ABSENT, parse_path, stringify
from service_server.catalog.format.keys import AnswerPath, Keywords, Statuses, key, several
from service_server.catalog.requests import header_value, with_headers, with_query
from service_server.onward.values import OnwardRequest, OnwardResponse

_LONGEST_NUMBER = 18  # digits; Python itself refuses to read thousands of them

JsonValue: TypeAlias = str | int | float | bool | list[Any] | dict[str, Any] | None

Next = Annotated[
    AnswerPath,
    Keywords(description="Where what leads to the next page stands in the answer: body.path.to.it or header.name."),
]
More = Annotated[AnswerPath, Keywords(description="Where the answer says whether there are more pages.")]


@frozen(kw_only=True)
class Following:
    """
    What comes after a page.

    `position` None means no more pages. Where the app doesn't tell whether there are more, the next page may be empty.
    `past_end` marks an answer that itself lies behind the last page: its output is an empty list.
    """

    position: JsonValue = None
    past_end: bool = False


@frozen(kw_only=True)
class Pagination(ABC):
    """What all ways of paging have; the position is a JSON value that only the way itself understands."""

    limit_place: Annotated[str, Keywords(pattern=r"^query\.[^.]+$")] | None = key(
        "The query parameter that holds the page's size.", None, name="limit"
    )
    size: Annotated[int, Keywords(minimum=1, maximum=10000)] | None = key("How many items a page has.", None)
    end_status: Statuses | None = key("The status with which the app answers a page behind the last one.", None)

    @property
    def limit(self) -> str | None:
        """The name of the query parameter that holds the page's size; it is sent with every page."""
        return None if self.limit_place is None else self.limit_place.partition(".")[2]

    @property
    def sent_query(self) -> str | None:
        """The query parameter that holds the position, None when it goes elsewhere."""
        return None

    @property
    def goes_by(self) -> str:
        """What of an answer tells whether there are more pages."""
        paths = (getattr(self, name, None) for name in ("more", "total", "next"))
        return " and ".join(str(parse_path(path)) for path in paths if path) or "the number of its items"

    def apply(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Return the request for a page; position None is the first one."""
        if self.limit is not None and self.size is not None and query_value(request, self.limit) is None:
            request = with_query(request, {self.limit: str(self.size)})
        return request if position is None else self._at(request, position)

    def following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, items: Any
    ) -> Following:
        """
        Return what comes after a page.

        `position` and `request` are those of the page, `body` its whole parsed body, `items` all that it lists.
        A next position that is a URL isn't checked here: the caller applies the app's host rules before sending.
        """
        ends = () if self.end_status is None else several(self.end_status)
        if position is not None and response.status in ends:
            return Following(past_end=True)
        if not 200 <= response.status < 300:
            return Following()
        return self._following(position, request, response, body, items)

    @abstractmethod
    def _at(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        """Return the request for the page at a position."""

    @abstractmethod
    def _following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, items: Any
    ) -> Following:
        """Return what comes after a page that was answered with a 2xx status."""


@frozen(kw_only=True)
class SentPaging(Pagination):
    """Ways of paging that send the position."""

    send: str = key()

    @property
    def sent_query(self) -> str | None:
        """The query parameter that holds the position."""
        place, _, name = self.send.partition(".")
        return name if place == "query" else None

    def _at(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        place, _, name = self.send.partition(".")
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


@frozen(kw_only=True)
class CursorPaging(SentPaging):
    """Pages that are asked for by a cursor."""

    type: Literal["cursor"] = key("cursor: the answer holds what the next request sends back.")
    send: Annotated[str, Keywords(pattern=r"^((query|header)\.[^.]+|body(\.[^.]+)+)$")] = key(
        "Where the cursor goes: query.name, header.name or body.path.to.it."
    )
    next: Next = key()
    more: More | None = key(default=None)

    def _following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, items: Any
    ) -> Following:
        """Take the cursor from the answer; the same one again would be an endless loop, so it ends the list."""
        if self.more is not None and _find(self.more, response, body) in (ABSENT, False, 0, ""):
            return Following()
        cursor = _find(self.next, response, body)
        if not isinstance(cursor, str | int | float) or cursor is False or cursor in ("", position):
            return Following()
        return Following(position=cursor)


@frozen(kw_only=True)
class NumberPaging(SentPaging):
    """Pages that are asked for by a number."""

    type: Literal["page", "offset"] = key(
        "page or offset: pages are asked for by their number, or by the position of their first item."
    )
    send: Annotated[str, Keywords(pattern=r"^(query\.[^.]+|body(\.[^.]+)+)$")] = key(
        "Where the page's number or the offset goes: query.name or body.path.to.it."
    )
    first: Annotated[int, Keywords(minimum=0, maximum=1)] | None = key(
        "The number of the first page (default 1) or item (default 0).", None
    )
    more: More | None = key(default=None)
    total: AnswerPath | None = key("Where the number of all pages, or of all items, stands.", None)

    def _following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, items: Any
    ) -> Following:
        """
        Count on from this page, unless it was the last.

        Where the app tells by no flag (`more`) and no number (`total`) whether there are more, a page shorter than the
        size is the last one, and after a full one nobody can tell.
        """
        received = len(items) if isinstance(items, list) else 0
        counts_pages = self.type == "page"
        first = int(counts_pages) if self.first is None else self.first
        current = position if isinstance(position, int) else first
        following = current + (1 if counts_pages else received)
        total = None if self.total is None else _number(_find(self.total, response, body))
        if self.more is not None:
            goes_on = _find(self.more, response, body) not in (ABSENT, False, 0, "")
        elif total is not None:
            goes_on = following - first < total
        else:
            asked = query_value(request, self.limit) if self.limit is not None else None
            size = int(asked) if asked is not None and asked.isdecimal() else self.size
            goes_on = size is None or received >= size
        return Following(position=following if goes_on and received > 0 else None)


@frozen(kw_only=True)
class AddressPaging(Pagination):
    """Ways of paging in which an answer holds the whole address of the next page."""

    def _at(self, request: OnwardRequest, position: JsonValue) -> OnwardRequest:
        return evolve(request, url=str(position))

    def _following(
        self, position: JsonValue, request: OnwardRequest, response: OnwardResponse, body: Any, items: Any
    ) -> Following:
        """Take the address from the answer, relative to the one that gave it, perhaps after redirects."""
        link = self._link(response, body)
        if not isinstance(link, str) or not link:
            return Following()
        try:
            url = urljoin(response.url, _behind_the_gateway(link, response.url))
        except ValueError:  # not a URL, so there is nowhere to go on
            return Following()
        return Following() if url in (request.url, response.url) else Following(position=url)

    @abstractmethod
    def _link(self, response: OnwardResponse, body: Any) -> Any:
        """Return what stands where the address should."""


@frozen(kw_only=True)
class LinkPaging(AddressPaging):
    """Pages whose addresses stand in Link headers."""

    type: Literal["link"] = key("link: the next page is in a Link header (RFC 8288).")
    rel: str = key("The relation in the Link header (default next).", "next")

    @property
    def goes_by(self) -> str:
        """What of the answer tells whether there are more pages."""
        return f"its Link header, rel={self.rel.lower()}"

    def _link(self, response: OnwardResponse, body: Any) -> Any:
        return link_targets(response.headers.get("link", "")).get(self.rel.lower())


@frozen(kw_only=True)
class UrlPaging(AddressPaging):
    """Pages whose addresses stand elsewhere in the answer."""

    type: Literal["body_url", "header_url"] = key(
        "body_url or header_url: the answer holds the whole address of the next page."
    )
    next: Next = key()

    def _link(self, response: OnwardResponse, body: Any) -> Any:
        return _find(self.next, response, body)


AnyPaging = CursorPaging | NumberPaging | LinkPaging | UrlPaging


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


def _behind_the_gateway(link: str, asked: str) -> str:
    """
    Return a link with what the path that was asked has before it.

    An app doesn't know of a gateway before it, such as Atlassian's `/ex/confluence/ID`: its path from the top is the
    end of the one that was asked.
    """
    path = urlsplit(link).path
    whole = urlsplit(asked).path
    is_below = link.startswith("/") and not link.startswith("//") and path != "/" and whole.endswith(path)
    return f"{whole.removesuffix(path)}{link}" if is_below else link


def query_value(request: OnwardRequest, name: str) -> str | None:
    """Return the first value of a query parameter of a request's URL, None when it has none."""
    values = parse_qs(urlsplit(request.url).query).get(name)
    return values[0] if values else None


def _find(path: str, response: OnwardResponse, body: Any) -> Any:
    return parse_path(path).find({"body": body, "header": response.headers, "status": response.status})


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) <= _LONGEST_NUMBER:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
