"""The `pagination` entries of a connector: compiled to paging strategies."""

from service_server.catalog.expressions import Reference, parse_path
from service_server.catalog.format.keys import several
from service_server.catalog.format.pagination import AnyPaging, PagingByCursor, PagingByLink, PagingByNumber
from service_server.catalog.pagination import CursorPaging, NumberPaging, Pagination, Place, Strategy, UrlPaging


def compile_pagination(declared: AnyPaging) -> Pagination:
    """Compile one strategy."""
    return Pagination(
        strategy=_strategy(declared),
        limit=_query_name(declared.limit),
        size=declared.size,
        end_statuses=frozenset(() if declared.end_status is None else several(declared.end_status)),
    )


def _strategy(declared: AnyPaging) -> Strategy:
    if isinstance(declared, PagingByCursor):
        place, name = _place(declared.send)
        return CursorPaging(send_in=place, send_as=name, next=parse_path(declared.next), more=_path(declared.more))
    if isinstance(declared, PagingByLink):
        return UrlPaging(relation=declared.rel.lower())
    if not isinstance(declared, PagingByNumber):
        return UrlPaging(next=parse_path(declared.next))
    counts_pages = declared.type == "page"
    place, name = _place(declared.send)
    return NumberPaging(
        counts="pages" if counts_pages else "items",
        send_in=place,
        send_as=name,
        first=int(counts_pages) if declared.first is None else declared.first,
        size=declared.size,
        limit=_query_name(declared.limit),
        more=_path(declared.more),
        total=_path(declared.total),
    )


def _place(text: str) -> tuple[Place, str]:
    place, _, name = text.partition(".")
    return {"query": "query", "header": "header"}.get(place, "body"), name  # type: ignore[return-value]


def _path(text: str | None) -> Reference | None:
    return None if text is None else parse_path(text)


def _query_name(text: str | None) -> str | None:
    return None if text is None else text.partition(".")[2]
