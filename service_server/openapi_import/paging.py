"""Recognises how an operation's list is given in pages."""

import re
from collections.abc import Sequence
from typing import Any

from service_server.openapi_import.answers import Answer
from service_server.openapi_import.draft import Argument, Draft
from service_server.openapi_import.operations import PAGE_SIZE
from service_server.openapi_import.texts import numbered

# Names are compared without their case, underscores, brackets and other signs: `pageSize`, `page_size`, `page[size]`.
_PAGES = "page pagenumber pageno pagenum pageindex"
_OFFSETS = "offset start skip startat startindex pageoffset from"
_SIZES = "perpage pagesize limit size maxresults count pagelimit pagelen max take top rows itemsperpage resultsperpage"
_CURSORS = (
    "cursor pagetoken nexttoken nextpagetoken startcursor startingafter after aftercursor pagecursor nextcursor"
    " continuationtoken marker pageafter bookmark scrollid offset"
)
_ALSO_OTHERWISE = ("after", "before", "start", "from", "marker", "max")  # moments, or bounds of a filter
_BACKWARDS = "before beforecursor endingbefore prevcursor pagebefore previoustoken endbefore"
_NEXT_CURSOR = re.compile(
    r"(.*\.)?(next(cursor|(page)?token|marker|pageid|pagecursor|offset)|endcursor|continuationtoken|cursors?\.(after|next)"
    r"|paging\.next\.after|pages\.next\.startingafter|aftercursor|(paging|pagination|meta)\.(cursor|after|next)|cursor"
    r"|after|scrollid|bookmark|offset)"
)
_NEXT_URL = re.compile(
    r"((.*\.)?(links|paging|pagination|meta|pages)\.next(\.href|\.url|url|link|uri)?|next((page)?(url|link|uri))?)"
)
_TOTAL_ITEMS = re.compile(r"(.*\.)?total(count|results|items|size|records)?")
_TOTAL_PAGES = re.compile(r"(.*\.)?(totalpages?|pagecount|lastpage|numpages|pagestotal)")
_MORE = re.compile(r"(.*\.)?(hasmore|hasnext(page)?|more(itemsincollection)?|istruncated)")
_MAXIMUM = re.compile(r"\bmax(?:imum)?\b\D{0,40}?(\d{2,4})|\bup to (\d{2,4})\b", re.IGNORECASE)
_LARGEST_PAGE = 100

Declared = dict[str, Any]
_NAMES = {"link": "links", "page": "pages", "cursor": "cursor", "offset": "offset"}


def paginate(drafts: Sequence[Draft]) -> dict[str, Declared]:
    """Find how lists are given in pages, take out the arguments that paging sends, and return the ways by name."""
    ways: dict[str, Declared] = {}
    for draft in drafts:
        path = draft.answer.path if draft.operation.looks else ()
        keys = (key if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key) else f'"{key}"' for key in path or ())
        draft.output = ".".join(keys)  # JMESPath
        if draft.operation.looks and draft.answer.is_list and (declared := _find(draft, draft.answer)):
            _add_size(draft, declared)
            _drop_positions(draft, declared)
            _drop_sizes(draft)
            names = numbered(_NAMES.get(declared["type"], "next_url"))
            draft.paginate = next(name for name in names if ways.setdefault(name, declared) == declared)
    return ways


def _find(draft: Draft, answer: Answer) -> Declared | None:
    if "link" in answer.headers:
        return {"type": "link"}
    if "next-page" in answer.headers:
        return {"type": "header_url", "next": "header.next-page"}
    page = _position(draft, "query", _PAGES)
    if "x-next-page" in answer.headers and page is not None:
        return {"type": "cursor", "send": f"query.{page.sent}", "next": "header.x-next-page"}
    if cursor := _by_cursor(draft, answer):
        return cursor
    following = _field(answer, _NEXT_URL)
    if following is not None and "string" in (answer.fields[following].types or ("string",)):
        return {"type": "body_url", "next": f"body.{following}"}
    return _by_number(draft, answer)


def _by_cursor(draft: Draft, answer: Answer) -> Declared | None:
    for location in ("query", "body"):
        cursor = _position(draft, location, _CURSORS)
        if cursor is not None and (following := _next_of(answer, cursor)):
            declared = {"type": "cursor", "send": f"{location}.{cursor.sent}", "next": f"body.{following}"}
            more = _field(answer, _MORE)
            return declared | ({"more": f"body.{more}"} if more else {})
    return None


def _next_of(answer: Answer, cursor: Argument) -> str | None:
    """Return where in an answer the cursor of the next page stands, of a type that can be sent back."""
    fitting = _fields(answer, _NEXT_CURSOR)
    if _plain(cursor.sent) == "offset":
        # Mostly a number that is counted on; it is a cursor only where the answer calls it so.
        texts = [path for path in fitting if "string" in (answer.fields[path].types or ())]
        fitting = [path for path in texts if _plain(path.rpartition(".")[2]) in ("offset", "nextoffset")]
    following = min(fitting, key=lambda path: ("next" not in path.lower(), path.count("."), path), default=None)
    if following is None or cursor.schema["type"] != "number":
        return following
    types = answer.fields[following].types
    return None if types is None or "string" in types else following


def _by_number(draft: Draft, answer: Answer) -> Declared | None:
    for kind, names, total, usual in (("page", _PAGES, _TOTAL_PAGES, 1), ("offset", _OFFSETS, _TOTAL_ITEMS, 0)):
        position = _position(draft, "query", names)
        is_sized = kind == "page" or _named(draft, "query", _SIZES) is not None
        if position is None or position.schema["type"] != "number" or not is_sized:
            continue
        declared: Declared = {"type": kind, "send": f"query.{position.sent}"}
        told = (position.schema.get(key) for key in ("default", "minimum"))
        first = next((int(each) for each in told if each in (0, 1)), usual)
        if first != usual:
            declared["first"] = first
        if more := _field(answer, _MORE):
            declared["more"] = f"body.{more}"
        elif found := _field(answer, total):
            declared["total"] = f"body.{found}"
        draft.remove(position)
        if position.required:
            draft.query[position.sent] = first
        return declared
    return None


def _add_size(draft: Draft, declared: Declared) -> None:
    found = _named(draft, "query", _SIZES)
    if found is None or found.schema["type"] != "number" or "enum" in found.schema:
        return
    schema, told = found.schema, _MAXIMUM.search(found.schema["description"])
    largest = schema.get("maximum") or (int(told[1] or told[2]) if told else None) or schema.get("default")
    draft.remove(found)
    if isinstance(largest, int | float) and largest >= 1:
        size = max(int(min(largest, _LARGEST_PAGE)), int(schema.get("minimum", 1)), 1)
        declared |= {"limit": f"query.{found.sent}", "size": size}
    elif found.required:
        declared |= {"limit": f"query.{found.sent}", "size": 20}


def _drop_positions(draft: Draft, declared: Declared) -> None:
    """Take out what asks for a page, which paging itself does from now on."""
    location, _, sent = str(declared.get("send", "")).partition(".")
    names = {*f"{_CURSORS} {_BACKWARDS} {_PAGES}".split()} - {"offset"}
    names |= {"token"} if declared["type"] == "header_url" else set()
    names |= {"offset"} if declared["type"] in ("link", "body_url", "header_url") else set()
    for each in list(draft.arguments.values()):
        is_cursor = declared["type"] == "cursor" and (each.location, each.sent) == (location, sent)
        asks = each.location == "query" and _plain(each.sent) in names and _is_position(draft, each)
        if is_cursor or (asks and not each.required):
            draft.remove(each)


def _drop_sizes(draft: Draft) -> None:
    """Take out what else asks for a number of items: the app's own choice does, since all pages can be read."""
    for location in ("query", "body"):
        found = _named(draft, location, _SIZES)
        is_spare = found is not None and not found.required and _is_sent_alone(draft, found)
        if found is not None and is_spare and draft.flattener.spares(found.sent, PAGE_SIZE):
            draft.remove(found)


def _named(draft: Draft, location: str, names: str) -> Argument | None:
    """Return the argument with the first of several names, however it is written."""
    given = {_plain(each.sent): each for each in draft.arguments.values() if each.location == location}
    return next((given[name] for name in names.split() if name in given), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", name.lower())


def _position(draft: Draft, location: str, names: str) -> Argument | None:
    found = _named(draft, location, names)
    return found if found is not None and _is_position(draft, found) else None


def _is_position(draft: Draft, argument: Argument) -> bool:
    """Tell a position in a list from a moment or a filter of the same name, such as `before` a date."""
    schema = argument.schema
    is_simple = schema["type"] in ("string", "number") and not schema.get("format") and "enum" not in schema
    is_clear = schema["type"] == "number" or _plain(argument.sent) not in _ALSO_OTHERWISE
    told = re.search("cursor|page|position|token|offset", schema["description"], re.IGNORECASE)
    return is_simple and _is_sent_alone(draft, argument) and (is_clear or told is not None)


def _is_sent_alone(draft: Draft, argument: Argument) -> bool:
    """Whether an argument has a place of its own in the query or the body's fields, which paging could fill."""
    in_body = draft.body_kind == "body" and isinstance(draft.body, dict) and argument.sent in draft.body
    return argument.location == "query" or in_body


def _field(answer: Answer, pattern: re.Pattern[str]) -> str | None:
    """Return the outermost field of an answer that a pattern names."""
    return min(_fields(answer, pattern), key=lambda path: (path.count("."), path), default=None)


def _fields(answer: Answer, pattern: re.Pattern[str]) -> list[str]:
    found = [(path, shape) for path, shape in answer.fields.items() if pattern.fullmatch(_plain(path))]
    inner = {"object", "array"}
    return [path for path, each in found if not (each.properties or each.items or inner & (each.types or set()))]
