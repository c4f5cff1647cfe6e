"""Proposes source functions: for an identifier that a function takes, the list that it is found in."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from service_server.openapi_import.alternatives import Schema
from service_server.openapi_import.draft import Draft, Origin, argument_name, nouns_of
from service_server.openapi_import.fields import described
from service_server.openapi_import.shapes import Shape
from service_server.openapi_import.texts import singular, title_of_name, words_of

_LABELS = (
    *("name", "title", "display_name", "displayName", "full_name", "fullName", "label", "summary", "subject", "login"),
    *("username", "email", "path", "description", "slug", "key"),
)
_NAMES = ("login", "username", "slug", "key", "code", "name", "id")
_IDS = ("gid", "id", "sid", "uuid")
_SEARCHES = ("search", "q", "query", "search_query", "text")
_IDENTIFIES = re.compile(r"(_(id|gid|sid|uuid|key)s?|(Id|Gid|Sid|Uuid|Key)s?|_slug|_number)\Z")
_TOLD_TO_IDENTIFY = re.compile(r"\b(g?ids?|sids?|uuids?|identifiers?)\b", re.IGNORECASE)
_LOOKS_LIKE_ONE = re.compile(r"\d{4,}|(?=.*\d)[0-9a-f-]{16,}")
_PARAMETER = re.compile(r"\{([^{}]*)\}")
_IN_SOURCE = re.compile(r"\$\{args\.(\w+)\}")
_MOST_ADDED = 3  # arguments that narrow the choices of one other
_NARROWS = "Where to look; it only narrows the choices."


@frozen
class _Listing:
    """A function that lists things; `nouns` say what, in the singular: of `…/sub_issues`, sub and issue."""

    draft: Draft
    nouns: Sequence[str]

    def source(self, value: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        """Return what an argument says of its choices; `arguments` are the list's by this function's names."""
        item = self.draft.answer.item
        label = next((each for each in _LABELS if each in item and _is(item[each], "string")), value)
        types = {key: each["type"] for key, each in self.draft.properties.items() if key not in arguments}
        search = next((each for each in _SEARCHES if types.get(each) == "string"), None)
        source: dict[str, Any] = {"function": self.draft.stem}
        if needed := [key for key in self.draft.required if key in arguments]:
            source["args"] = {key: f"${{args.{arguments[key]}}}" for key in needed}
        return source | {"value": value, "label": label} | ({"search": search} if search else {})


def propose_sources(drafts: Sequence[Draft]) -> int:
    """
    Give every argument that identifies something the function that lists such things; returns how many have one.

    Where the list of what has to be given is of one project only, say, and the function takes no project, it gets an
    argument for the project, which only narrows the choices. What was proposed before is proposed again.
    """
    proposer = _Proposer.of(drafts)
    for draft in drafts:
        for added in [each for each in draft.origins.values() if each.location == ""]:
            draft.remove("", added.name)
        for name in draft.properties:
            _chosen(draft, name).pop("x-source", None)
    for draft in drafts:
        for name in draft.properties:
            proposer.take_digits(draft, name)
    for draft in drafts:
        for name in list(draft.properties):
            proposer.propose(draft, name)
    return sum("x-source" in _chosen(draft, name) for draft in drafts for name in draft.properties)


@frozen
class _Proposer:
    by_place: Mapping[str, _Listing] = field(repr=False)
    by_noun: Mapping[str, Sequence[_Listing]] = field(repr=False)
    done: set[tuple[str, str]] = field(factory=set, repr=False)

    @classmethod
    def of(cls, drafts: Sequence[Draft]) -> "_Proposer":
        """Return one that knows the lists among functions; of two at one place, the first."""
        by_place: dict[str, _Listing] = {}
        by_noun: dict[str, list[_Listing]] = defaultdict(list)
        for draft in drafts:
            operation = draft.operation
            if operation.method != "get" or not (draft.answer.is_list and draft.answer.item):
                continue
            listing = _Listing(draft, () if operation.ends_with_parameter else _in_singular(operation.last_segment))
            if by_place.setdefault(_shape(operation.place), listing) is listing and listing.nouns:
                by_noun[listing.nouns[-1]].append(listing)
        return cls(by_place, by_noun)

    def take_digits(self, draft: Draft, name: str) -> None:
        """Make text of a number that a path or query holds, where the lists of such things have their ids as texts."""
        schema, origin = draft.properties[name], draft.origins[name]
        is_id = schema["type"] == "number" and words_of(origin.name)[-1:] in (["id"], ["number"])
        if not is_id or {"enum", "default"} & set(schema) or origin.location not in ("path", "query"):
            return
        lists = [listing for listing, _ in self._candidates(draft, name, schema)]
        has = {kind: any(_value_of(origin, each, kind) for each in lists) for kind in ("number", "string")}
        if has["string"] and not has["number"]:
            kept = {key: schema[key] for key in ("title", "description")}
            draft.properties[name] = described({"type": "string", "pattern": r"^-?\d+$", **kept}, name)
            draft.samples[name] = [str(each) for each in draft.samples[name]]

    def propose(self, draft: Draft, name: str) -> None:
        """Give an argument its choices, where a list has them."""
        schema = _chosen(draft, name)
        one = schema["items"] if schema["type"] == "array" else schema
        if (draft.stem, name) in self.done or one["type"] not in ("string", "number"):
            return
        self.done.add((draft.stem, name))
        if {"enum", "format", "x-source"} & {*one, *schema}:
            return
        fitting = [
            (listing, value, given, [each for each in listing.draft.required if each not in given])
            for listing, given in self._candidates(draft, name, schema)
            if listing.draft is not draft and (value := _value_of(draft.origins[name], listing, one["type"]))
        ]
        for most in range(_MOST_ADDED + 1 if name in draft.required else 1):
            for listing, value, given, missing in fitting:
                if len(missing) <= most and self._narrows(draft, name, listing, given, missing, most):
                    schema["x-source"] = listing.source(value, given)
                    return

    def _candidates(
        self, draft: Draft, name: str, schema: Mapping[str, Any]
    ) -> Iterator[tuple[_Listing, dict[str, str]]]:
        """Yield lists an identifier may stand in, the likeliest first, with what this function gives them."""
        origin = draft.origins[name]
        if origin.location == "path":
            before, inside, after = draft.operation.place.partition(f"{{{origin.name}}}")
            if not inside or not before.endswith("/") or after[:1] not in ("", "/"):
                return
            listing = None if after.startswith("/{") else self.by_place.get(_shape(before))
            if listing is not None:
                theirs, ours = _PARAMETER.findall(listing.draft.operation.place), _PARAMETER.findall(before)
                pairs = zip(theirs, ours, strict=True)
                yield (
                    listing,
                    {
                        needed: own
                        for their, our in pairs
                        if (needed := listing.draft.argument("path", their)) and (own := draft.argument("path", our))
                    },
                )
            if before.endswith("}/"):
                return
        elif schema is draft.properties[name] and not (
            _IDENTIFIES.search(origin.name) or _is_told_to_identify(draft, name, schema)
        ):
            return
        nouns = _nouns(draft, name)
        found = [each for each in self.by_noun.get(nouns[-1], ()) if list(each.nouns) == nouns[-len(each.nouns) :]]
        # What a body names is mostly not yet below what the path names: it is looked for where most is.
        sign = -1 if origin.location == "path" else 1
        yield from sorted(
            ((each, _given(draft, name, each.draft)) for each in found),
            key=lambda each: (-len(each[0].nouns), sign * len(each[1]), each[0].draft.operation.path),
        )

    def _narrows(
        self, draft: Draft, name: str, listing: _Listing, given: dict[str, str], missing: Sequence[str], most: int
    ) -> bool:
        """Add arguments to `given` for what a list needs besides, each with its choices; tells whether it has all."""
        before = dict(given)
        if (
            all(each in given or self._add(draft, name, listing.draft, each, given, most) for each in missing)
            and len(given) - len(before) <= most
        ):
            return True
        for each in set(given) - set(before):
            draft.remove("", given.pop(each))
        return False

    def _add(self, draft: Draft, before: str, listing: Draft, needed: str, given: dict[str, str], most: int) -> bool:
        """Add an argument with the choices that a list itself has for what it needs."""
        self.propose(listing, needed)
        theirs = listing.properties[needed]
        if "x-source" not in theirs or theirs["type"] == "array":
            return False
        referred = {key: _IN_SOURCE.sub(r"\1", value) for key, value in theirs["x-source"].get("args", {}).items()}
        if most < 1 or not all(
            each in given or self._add(draft, before, listing, each, given, most - 1) for each in referred.values()
        ):
            return False
        told = listing.origins[needed].name
        name = argument_name(told if nouns_of(told) != words_of(told) else f"{'_'.join(_nouns(listing, needed))}_id")
        if name in draft.properties:
            return False
        source = dict(theirs["x-source"])
        if referred:
            source["args"] = {key: f"${{args.{given[each]}}}" for key, each in referred.items()}
        schema = {"type": theirs["type"], "title": title_of_name(name), "description": _NARROWS, "x-source": source}
        draft.insert(before, name, Origin("", name), schema)
        given[needed] = name
        return True


def _chosen(draft: Draft, name: str) -> Schema:
    """Return the schema that gets the choices: an argument's, or where it only refers to something, of the id in it."""
    schema = draft.properties[name]
    members: Schema = schema.get("items", schema).get("properties", {})
    return members["id"] if "id" in members and members.keys() <= {"id", "type"} else schema


def _value_of(origin: Origin, listing: _Listing, kind: str) -> str | None:
    """Return the key of a list's items that holds what an argument takes."""
    words = words_of(origin.name)
    tail = words[len(nouns_of(origin.name)) :]
    last = tail[-1].removesuffix("s") if tail else words[-1]
    if not tail and origin.location != "path":
        candidates: Sequence[str] = _IDS
    elif last == words[0] and len(words) > 1:
        candidates = [origin.name]
    else:
        names = () if last in ("id", "number", "uuid", "gid", "sid") else _NAMES
        candidates = [origin.name, "_".join(words), last, *names]
    item = listing.draft.answer.item
    return next((key for key in candidates if key in item and _is(item[key], kind)), None)


def _is_told_to_identify(draft: Draft, name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a description says that an argument is an id, as of `workspace`: the gid of a workspace."""
    location = draft.origins[name].location
    may_be = location == "body" or (location == "query" and name in draft.required)
    samples = [each for each in draft.samples[name] if isinstance(each, str)]
    return may_be and bool(
        _TOLD_TO_IDENTIFY.search(schema.get("description", "")) or any(map(_LOOKS_LIKE_ONE.fullmatch, samples))
    )


def _given(draft: Draft, name: str, listing: Draft) -> dict[str, str]:
    """Return the arguments that say the same as those that a list needs, by the list's names."""
    found: dict[str, str] = {}
    for needed in listing.required:
        wanted = _nouns(listing, needed)
        for own, origin in draft.origins.items():
            is_same = origin.name == listing.origins[needed].name or (
                _nouns(draft, own) == wanted and (origin.location == "path" or _IDENTIFIES.search(origin.name))
            )
            if is_same and draft.properties[own]["type"] == listing.properties[needed]["type"]:
                if _may_narrow(draft, own, name):
                    found[needed] = own
                break
    return found


def _may_narrow(draft: Draft, own: str, name: str) -> bool:
    """Whether an argument may narrow the choices of another: in a path, only what stands before it does."""
    if draft.origins[name].location == "path":
        names = list(draft.properties)
        return draft.origins[own].location in ("path", "") and names.index(own) < names.index(name)
    return own != name and name not in _leads_to(draft, own)


def _leads_to(draft: Draft, name: str) -> set[str]:
    """Return the arguments that the choices of another depend on, however many are between them."""
    found, waiting = set[str](), [name]
    while waiting:
        arguments = draft.properties[waiting.pop()].get("x-source", {}).get("args", {})
        fresh = {match[1] for value in arguments.values() if (match := _IN_SOURCE.match(value))} - found
        found |= fresh
        waiting.extend(fresh)
    return found


def _nouns(draft: Draft, name: str) -> list[str]:
    """Return what an argument names, in the singular; for a bare `id` in a path, what the segment before says."""
    origin = draft.origins[name]
    words = nouns_of(origin.name)
    if origin.location == "path" and words in (["id"], ["gid"], ["sid"], ["uuid"], ["key"], ["slug"]):
        before = draft.operation.place.partition(f"/{{{origin.name}}}")[0].rpartition("/")[2]
        words = words_of(before) or words
    return [*words[:-1], singular(words[-1])] if words else [""]


def _in_singular(segment: str) -> list[str]:
    words = words_of(segment)
    return [*words[:-1], singular(words[-1])] if words else []


def _is(shape: Shape, kind: str) -> bool:
    types = (shape.types or frozenset()) - {"null"}
    wanted = {"number", "integer"} if kind == "number" else {kind}
    return bool(types) and types <= wanted


def _shape(path: str) -> str:
    """Return a path without the names of its parameters, which differ from one operation to the next."""
    return _PARAMETER.sub("{}", path.rstrip("/"))
