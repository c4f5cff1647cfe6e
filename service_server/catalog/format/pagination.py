"""The ways of paging."""

from typing import Annotated, Literal

from attrs import frozen

from service_server.catalog.format.keys import AnswerPath, Keywords, Statuses, key

Next = Annotated[
    AnswerPath,
    Keywords(description="Where what leads to the next page stands in the answer: body.path.to.it or header.name."),
]
More = Annotated[AnswerPath, Keywords(description="Where the answer says whether there are more pages.")]


@frozen(kw_only=True)
class DeclaredPaging:
    """What all ways of paging have."""

    limit: Annotated[str, Keywords(pattern=r"^query\.[^.]+$")] | None = key(
        "The query parameter that holds the page's size.", None
    )
    size: Annotated[int, Keywords(minimum=1, maximum=10000)] | None = key("How many items a page has.", None)
    end_status: Statuses | None = key("The status with which the app answers a page behind the last one.", None)


@frozen(kw_only=True)
class PagingByCursor(DeclaredPaging):
    """Pages that are asked for by a cursor."""

    type: Literal["cursor"] = key("cursor: the answer holds what the next request sends back.")
    send: Annotated[str, Keywords(pattern=r"^((query|header)\.[^.]+|body(\.[^.]+)+)$")] = key(
        "Where the cursor goes: query.name, header.name or body.path.to.it."
    )
    next: Next = key()
    more: More | None = key(default=None)


@frozen(kw_only=True)
class PagingByNumber(DeclaredPaging):
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


@frozen(kw_only=True)
class PagingByLink(DeclaredPaging):
    """Pages whose addresses stand in Link headers."""

    type: Literal["link"] = key("link: the next page is in a Link header (RFC 8288).")
    rel: str = key("The relation in the Link header (default next).", "next")


@frozen(kw_only=True)
class PagingByUrl(DeclaredPaging):
    """Pages whose addresses stand elsewhere in the answer."""

    type: Literal["body_url", "header_url"] = key(
        "body_url or header_url: the answer holds the whole address of the next page."
    )
    next: Next = key()


AnyPaging = PagingByCursor | PagingByNumber | PagingByLink | PagingByUrl
