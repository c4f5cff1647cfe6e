"""Recognises how an operation's list is given in pages."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.openapi_import.alternatives import Schema
from service_server.openapi_import.answers import Answer
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.shapes import Shape
from service_server.openapi_import.unneeded import PAGE_SIZE


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_PAGES = _names("page page_number pagenumber page_no page_num pageno page_index pageindex page[number]")
_OFFSETS = _names("offset start skip start_at startat start_index startindex page[offset] $skip from")
_SIZES = _names(
    "per_page perpage page_size pagesize limit size max_results maxresults count page[size] page_limit pagelen max take"
    " top $top rows items_per_page results_per_page page[limit]"
)
_CURSORS = _names(
    "cursor page_token pagetoken next_token nexttoken next_page_token start_cursor starting_after after after_cursor"
    " page_cursor next_cursor continuation_token continuationtoken marker page_after page[after] page[cursor] bookmark"
    " scroll_id offset"
)
_BACKWARDS = _names("before before_cursor ending_before prev_cursor page[before] previous_token end_before")
_NEXT_CURSOR = re.compile(
    r"(?:.*\.)?(?:next_?cursor|next_?page_?token|next_?token|end_?cursor|continuation_?token|next_?marker|next_?page_?id|"
    r"cursors?\.(?:after|next)|paging\.next\.after|pages\.next\.starting_after|after_?cursor|next_?page_?cursor|"
    r"(?:paging|pagination|meta)\.(?:cursor|after|next)|cursor|after|scroll_id|bookmark|next_offset|offset)\Z",
    re.IGNORECASE,
)
_NEXT_URL = re.compile(
    r"(?:(?:.*\.)?(?:_?links|paging|pagination|meta|pages)\.next(?:\.href|\.url|_?url|_?link|_?uri)?|(?:next|next_?(?:page_?)?(?:url|link|uri)))\Z",
    re.IGNORECASE,
)
_TOTAL_ITEMS = re.compile(
    r"(?:.*\.)?(?:total|total_?count|total_?results|total_?items|total_?size|total_?records)\Z", re.I
)
_TOTAL_PAGES = re.compile(
    r"(?:.*\.)?(?:total_?pages|page_?count|last_?page|num_?pages|pages_?total|total_?page)\Z", re.I
)
_MORE = re.compile(
    r"(?:.*\.)?(?:has_?more|has_?next|has_?next_?page|more|more_?items_?in_?collection|is_?truncated)\Z", re.I
)
_MAXIMUM = re.compile(r"\bmax(?:imum)?\b\D{0,40}?(\d{2,4})|\bup to (\d{2,4})\b", re.IGNORECASE)
_LARGEST_PAGE = 100

Declared = dict[str, Any]


def find_paging(draft: Draft) -> Declared | None:
    """
    Return how the pages of a list are asked for, as a connector declares it, None where the document doesn't tell.

    The arguments that paging itself sends are taken out of the function.
    """
    answer = draft.answer
    if draft.type != "query" or not answer.is_list:
        return None
    for find in (_by_link, _by_header, _by_cursor, _by_url, _by_number):
        declared = find(draft, answer)
        if declared is not None:
            _add_size(draft, declared)
            _drop_positions(draft, declared)
            _drop_sizes(draft)
            return declared
    return None


def _by_link(draft: Draft, answer: Answer) -> Declared | None:
    return {"type": "link"} if "link" in answer.headers else None


def _by_header(draft: Draft, answer: Answer) -> Declared | None:
    """Find the next page in a header of its own: its URL, or its number."""
    if "next-page" in answer.headers:
        return {"type": "header_url", "next": "header.next-page"}
    name = _named(draft, "query", _PAGES)
    if "x-next-page" in answer.headers and name is not None and _is_position(draft, "query", name):
        return {"type": "cursor", "send": f"query.{name}", "next": "header.x-next-page"}
    return None


def _by_cursor(draft: Draft, answer: Answer) -> Declared | None:
    for location in ("query", "body"):
        if location == "body" and draft.body_kind != "body":
            continue
        name = _named(draft, location, _CURSORS)
        if name is None or not _is_position(draft, location, name):
            continue
        following = _next_of(answer, name)
        if following is None or not _fits(draft, location, name, answer.fields[following]):
            continue
        declared = {"type": "cursor", "send": f"{location}.{name}", "next": f"body.{following}"}
        more = _field(answer, _MORE)
        return declared | ({"more": f"body.{more}"} if more else {})
    return None


def _fits(draft: Draft, location: str, name: str, following: Shape) -> bool:
    """Whether what an answer holds can be sent back: a text can't where a number is asked for."""
    asked = draft.properties[draft.argument(location, name) or ""]["type"]
    return asked != "number" or (following.types is not None and "string" not in following.types)


def _next_of(answer: Answer, sent: str) -> str | None:
    """Return where in an answer the cursor of the next page stands: best under the very name it is sent by."""
    fitting = [path for path, shape in answer.fields.items() if _NEXT_CURSOR.match(path) and _is_scalar(shape)]
    if sent == "offset":  # mostly a number that is counted on; a cursor only where the answer calls it so
        fitting = [path for path in fitting if path.rpartition(".")[2] in ("offset", "next_offset")]
        fitting = [path for path in fitting if "string" in (answer.fields[path].types or ())]
    return min(fitting, key=lambda path: ("next" not in path.lower(), path.count("."), path), default=None)


def _by_url(draft: Draft, answer: Answer) -> Declared | None:
    fitting = [path for path, shape in answer.fields.items() if _NEXT_URL.match(path) and _is_text(shape)]
    path = min(fitting, key=lambda each: (each.count("."), each), default=None)
    return None if path is None else {"type": "body_url", "next": f"body.{path}"}


def _by_number(draft: Draft, answer: Answer) -> Declared | None:
    for kind, names, total in (("page", _PAGES, _TOTAL_PAGES), ("offset", _OFFSETS, _TOTAL_ITEMS)):
        name = _named(draft, "query", names)
        if name is None or not _is_position(draft, "query", name):
            continue
        argument = draft.argument("query", name) or ""
        schema = draft.properties[argument]
        if schema["type"] != "number" or (kind == "offset" and _named(draft, "query", _SIZES) is None):
            continue
        needed = argument in draft.required
        first = _first(schema, 1 if kind == "page" else 0)
        declared: Declared = {"type": kind, "send": f"query.{name}"}
        if first != (1 if kind == "page" else 0):
            declared["first"] = first
        if more := _field(answer, _MORE):
            declared["more"] = f"body.{more}"
        elif found := _field(answer, total):
            declared["total"] = f"body.{found}"
        draft.remove("query", name)
        if needed:
            draft.query[name] = first
        return declared
    return None


def _first(schema: Schema, usual: int) -> int:
    for key in ("default", "minimum"):
        if schema.get(key) in (0, 1):
            return int(schema[key])
    return usual


def _add_size(draft: Draft, declared: Declared) -> None:
    name = _named(draft, "query", _SIZES)
    if name is None:
        return
    schema = draft.properties[draft.argument("query", name) or ""]
    if schema["type"] != "number" or "enum" in schema:
        return
    size = _size(schema)
    required = draft.argument("query", name) in draft.required
    if size is None and (required or declared["type"] in ("page", "offset")):
        size = 20 if required else None
    draft.remove("query", name)
    if size is not None:
        declared |= {"limit": f"query.{name}", "size": size}


def _size(schema: Schema) -> int | None:
    told = _MAXIMUM.search(schema.get("description", ""))
    largest = schema.get("maximum") or (int(told[1] or told[2]) if told else None) or schema.get("default")
    if not isinstance(largest, int | float) or largest < 1:
        return None
    return max(int(min(largest, _LARGEST_PAGE)), int(schema.get("minimum", 1)), 1)


def _drop_positions(draft: Draft, declared: Declared) -> None:
    """Take out what asks for a page, which paging itself does from now on."""
    sent = str(declared.get("send", ""))
    location, _, name = sent.partition(".")
    if declared["type"] == "cursor":
        draft.remove(location, name)
    names = {*_CURSORS, *_BACKWARDS, *_PAGES} - {"offset"} | ({"token"} if declared["type"] == "header_url" else set())
    if declared["type"] in ("link", "body_url", "header_url"):
        names |= {"offset"}
    for origin in list(draft.origins.values()):
        if origin.location == "query" and _plain(origin.name) in names and _is_position(draft, "query", origin.name):
            argument = draft.argument("query", origin.name)
            if argument not in draft.required:
                draft.remove("query", origin.name)


def _drop_sizes(draft: Draft) -> None:
    """Take out what else asks for a number of items: the app's own choice does, since all pages can be read."""
    for location in ("query", "body"):
        name = _named(draft, location, _SIZES)
        argument = None if name is None else draft.argument(location, name)
        if name is None or argument is None or argument in draft.required:
            continue
        is_sent_alone = location == "query" or (isinstance(draft.body, dict) and name in draft.body)
        if is_sent_alone and draft.flattener.spares(name, PAGE_SIZE):
            draft.remove(location, name)


def _named(draft: Draft, location: str, names: Sequence[str]) -> str | None:
    given = {_plain(each.name): each.name for each in draft.origins.values() if each.location == location}
    return next((given[name] for name in names if name in given), None)


def _plain(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().lstrip("_")


def _is_position(draft: Draft, location: str, name: str) -> bool:
    """Tell a position in a list from a moment or a filter of the same name, such as `before` a date."""
    argument = draft.argument(location, name)
    if argument is None or (location == "body" and name not in (draft.body if isinstance(draft.body, dict) else ())):
        return False
    schema: Mapping[str, Any] = draft.properties[argument]
    if schema["type"] not in ("string", "number") or schema.get("format") or "enum" in schema:
        return False
    told = schema["description"].lower()
    if name.lower() in ("after", "before", "start", "from", "marker", "max"):
        return schema["type"] == "number" or any(
            word in told for word in ("cursor", "page", "position", "token", "offset")
        )
    return True


def _field(answer: Answer, pattern: re.Pattern[str]) -> str | None:
    fitting = [path for path, shape in answer.fields.items() if pattern.match(path) and _is_scalar(shape)]
    return min(fitting, key=lambda path: (path.count("."), path), default=None)


def _is_scalar(shape: Shape) -> bool:
    return not shape.properties and not shape.items and not {"object", "array"} & (shape.types or frozenset())


def _is_text(shape: Shape) -> bool:
    return _is_scalar(shape) and (shape.types is None or "string" in shape.types)
