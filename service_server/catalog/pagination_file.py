"""The `pagination` entries of a connector: compiled to paging strategies."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.expressions import Reference, parse_path
from service_server.catalog.pagination import CursorPaging, NumberPaging, Pagination, Place, Strategy, UrlPaging


def compile_pagination(declared: Mapping[str, Any]) -> Pagination:
    """Compile one strategy, whose form is right."""
    statuses = declared.get("end_status", [])
    return Pagination(
        strategy=_strategy(declared),
        limit=_query_name(declared.get("limit")),
        size=declared.get("size"),
        end_statuses=frozenset(statuses if isinstance(statuses, list) else [statuses]),
    )


def _strategy(declared: Mapping[str, Any]) -> Strategy:
    if declared["type"] == "cursor":
        place, name = _place(declared["send"])
        return CursorPaging(
            send_in=place, send_as=name, next=parse_path(declared["next"]), more=_path(declared.get("more"))
        )
    if declared["type"] == "link":
        return UrlPaging(relation=declared.get("rel", "next").lower())
    if declared["type"] in ("body_url", "header_url"):
        return UrlPaging(next=parse_path(declared["next"]))
    counts_pages = declared["type"] == "page"
    place, name = _place(declared["send"])
    return NumberPaging(
        counts="pages" if counts_pages else "items",
        send_in=place,
        send_as=name,
        first=declared.get("first", 1 if counts_pages else 0),
        size=declared.get("size"),
        limit=_query_name(declared.get("limit")),
        more=_path(declared.get("more")),
        total=_path(declared.get("total")),
    )


def _place(text: str) -> tuple[Place, str]:
    place, _, name = text.partition(".")
    return {"query": "query", "header": "header"}.get(place, "body"), name  # type: ignore[return-value]


def _path(text: str | None) -> Reference | None:
    return None if text is None else parse_path(text)


def _query_name(text: str | None) -> str | None:
    return None if text is None else text.partition(".")[2]
