"""Proposes source functions: for an identifier that a function takes, the list that it is found in."""

import re
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from service_server.openapi_import.alternatives import Schema
from service_server.openapi_import.answers import Answer
from service_server.openapi_import.draft import Draft, nouns_of
from service_server.openapi_import.shapes import Shape
from service_server.openapi_import.texts import singular, words_of

_LABELS = (
    *("name", "title", "display_name", "displayName", "full_name", "fullName", "label", "summary", "subject", "login"),
    *("username", "email", "path", "description", "slug", "key"),
)
_NAMES = ("login", "username", "slug", "key", "code", "name", "id")
_SEARCHES = ("search", "q", "query", "search_query", "text")
_IDENTIFIES = re.compile(r"(_id|_ids|Id|Ids|_key|_slug|_uuid|_gid|_number)\Z")
_PARAMETER = re.compile(r"\{([^{}]*)\}")


@frozen
class _Listing:
    """A function that lists things, by the path it lists them at."""

    draft: Draft
    answer: Answer

    @property
    def parents(self) -> list[str]:
        """The document's names of the path's parameters, in their order."""
        return _PARAMETER.findall(self.draft.operation.place)

    @property
    def nouns(self) -> list[str]:
        """What it lists, in the singular: of `…/sub_issues`, sub and issue."""
        words = words_of(self.draft.operation.last_segment)
        return [*words[:-1], singular(words[-1])] if words else []


def propose_sources(drafts: Sequence[Draft], answers: Sequence[Answer]) -> int:
    """Give every argument that identifies something the function that lists such things; returns how many have one."""
    listings: dict[str, _Listing] = {}
    for draft, answer in zip(drafts, answers, strict=True):
        if draft.type == "query" and draft.operation.method == "get" and answer.is_list and answer.item:
            listings.setdefault(_shape(draft.operation.place), _Listing(draft, answer))
    found = 0
    for draft in drafts:
        for name, schema in draft.properties.items():
            source = _source(draft, name, schema, listings)
            if source is not None:
                schema["x-source"] = source
                found += 1
    return found


def _source(draft: Draft, name: str, schema: Schema, listings: dict[str, _Listing]) -> dict[str, Any] | None:
    one = schema["items"] if schema["type"] == "array" else schema
    if one["type"] not in ("string", "number") or {"enum", "format"} & set(one) or "enum" in schema:
        return None
    origin = draft.origins[name]
    if origin.location == "path":
        before, inside, after = draft.operation.place.partition(f"{{{origin.name}}}")
        is_alone = inside and before.endswith("/") and not after.startswith("/{") and after[:1] in ("", "/")
        listing = listings.get(_shape(before)) if is_alone else None
        return None if listing is None else _offered(draft, name, one, listing, _PARAMETER.findall(before))
    if not _IDENTIFIES.search(origin.name):
        return None
    *first, last = nouns_of(origin.name)
    nouns = [*first, singular(last)]
    for listing in sorted(listings.values(), key=lambda each: (-len(each.parents), each.draft.operation.path)):
        if (
            listing.nouns
            and listing.nouns == nouns[-len(listing.nouns) :]
            and all(draft.argument("path", parent) for parent in listing.parents)
        ):
            offered = _offered(draft, name, one, listing, listing.parents)
            if offered is not None:
                return offered
    return None


def _offered(draft: Draft, name: str, one: Schema, listing: _Listing, parents: Sequence[str]) -> dict[str, Any] | None:
    """Return the source that a listing is; `parents` are this function's names of the listing's path parameters."""
    if listing.draft is draft:
        return None
    value = _value_key(draft.origins[name].name, one, listing)
    if value is None:
        return None
    arguments: dict[str, str] = {}
    for theirs, ours in zip(listing.parents, parents, strict=True):
        argument, needed = draft.argument("path", ours), listing.draft.argument("path", theirs)
        if needed is None:  # the listing has a constant there
            continue
        if argument is None or argument == name:
            return None
        arguments[needed] = f"${{args.{argument}}}"
    if any(each not in arguments for each in listing.draft.required):
        return None
    texts = (each for each in _LABELS if each in listing.answer.item and _is(listing.answer.item[each], "string"))
    label = next(texts, value)
    source: dict[str, Any] = {"function": listing.draft.stem}
    if arguments:
        source["args"] = arguments
    source |= {"value": value, "label": label}
    search = next((each for each in _SEARCHES if listing.draft.properties.get(each, {}).get("type") == "string"), None)
    return source | ({"search": search} if search and search not in arguments else {})


def _value_key(name: str, one: Schema, listing: _Listing) -> str | None:
    """Return the key of the listing's items that holds what an argument takes."""
    words = words_of(name)
    tail = words[len(nouns_of(name)) :] or words[-1:]
    last = tail[-1].removesuffix("s") if tail[-1] in ("ids",) else tail[-1]
    by_suffix = last != words[0] or len(words) == 1
    candidates = [name, "_".join(words), last] if by_suffix else [name]
    if last not in ("id", "number", "uuid", "gid"):
        candidates += _NAMES
    for key in candidates:
        shape = listing.answer.item.get(key)
        if shape is not None and _is(shape, one["type"]):
            return key
    return None


def _is(shape: Shape, kind: str) -> bool:
    types = (shape.types or frozenset()) - {"null"}
    wanted = {"number", "integer"} if kind == "number" else {kind}
    return bool(types) and types <= wanted


def _shape(path: str) -> str:
    """Return a path without the names of its parameters, which differ from one operation to the next."""
    return _PARAMETER.sub("{}", path.rstrip("/"))
