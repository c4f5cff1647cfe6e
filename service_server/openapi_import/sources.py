"""Proposes source functions: for an identifier that a function takes, the list that it is found in."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from service_server.openapi_import.draft import Argument, Draft, argument_name, nouns_of
from service_server.openapi_import.operations import IN_BRACES, without_names
from service_server.openapi_import.schemas import Schema, Shape, described
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
_IN_SOURCE = re.compile(r"\$\{args\.(\w+)\}")
_MOST_ADDED = 3  # arguments that narrow the choices of one other
_NARROWS = "Where to look; it only narrows the choices."


@frozen
class _Listing:
    """A function that lists things; `nouns` say what, in the singular: of `…/sub_issues`, sub and issue."""

    draft: Draft
    nouns: list[str]

    def source(self, value: str, given: Mapping[str, str]) -> dict[str, Any]:
        """Return what an argument says of its choices; `given` are the list's arguments by this function's names."""
        item, arguments = self.draft.answer.item, self.draft.arguments
        label = next((each for each in _LABELS if each in item and _is(item[each], "string")), value)
        texts = {key for key, each in arguments.items() if key not in given and each.schema["type"] == "string"}
        search = next((each for each in _SEARCHES if each in texts), None)
        source: dict[str, Any] = {"function": self.draft.stem}
        if needed := [each.name for each in self.draft.required if each.name in given]:
            source["args"] = {key: f"${{args.{given[key]}}}" for key in needed}
        return source | {"value": value, "label": label} | ({"search": search} if search else {})


def propose_sources(drafts: Sequence[Draft]) -> int:
    """
    Give every argument that identifies something the function that lists such things; return how many have one.

    Where the list is of one project, say, and the function takes none, it gets an argument that only narrows the list.
    """
    proposer = _Proposer(drafts)
    for draft, argument in _all(drafts):
        if argument.location:
            _chosen(argument.schema).pop("x-source", None)
        else:
            draft.remove(argument)
    for draft, argument in _all(drafts):
        proposer.take_digits(draft, argument)
    for draft, argument in _all(drafts):
        proposer.propose(draft, argument)
    return sum("x-source" in _chosen(argument.schema) for _, argument in _all(drafts))


def _all(drafts: Sequence[Draft]) -> list[tuple[Draft, Argument]]:
    return [(draft, argument) for draft in drafts for argument in draft.arguments.values()]


class _Proposer:
    """Knows the lists among functions; of two at one place, the first."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.done: set[tuple[str, str]] = set()
        self.by_place: dict[str, _Listing] = {}
        self.by_noun: dict[str, list[_Listing]] = defaultdict(list)
        lists = [each for each in drafts if each.operation.method == "get" and each.answer.is_list and each.answer.item]
        for draft in lists:
            words = [] if draft.operation.ends_with_parameter else words_of(draft.operation.last_segment)
            listing = _Listing(draft, [*words[:-1], *map(singular, words[-1:])])
            if self.by_place.setdefault(without_names(draft.operation.place), listing) is listing and words:
                self.by_noun[listing.nouns[-1]].append(listing)

    def take_digits(self, draft: Draft, argument: Argument) -> None:
        """Make text of a number that a path or query holds, where the lists of such things have their ids as texts."""
        schema = argument.schema
        is_id = schema["type"] == "number" and words_of(argument.sent)[-1:] in (["id"], ["number"])
        if not is_id or {"enum", "default"} & set(schema) or argument.location not in ("path", "query"):
            return
        lists = [listing for listing, _ in self._candidates(draft, argument)]
        has = {kind: any(_value_of(argument, each, kind) for each in lists) for kind in ("number", "string")}
        if has["string"] and not has["number"]:
            kept = {key: schema[key] for key in ("title", "description")}
            argument.schema = described({"type": "string", "pattern": r"^-?\d+$", **kept}, argument.name)
            argument.samples = [str(each) for each in argument.samples]

    def propose(self, draft: Draft, argument: Argument) -> None:
        """Give an argument its choices, where a list has them."""
        schema = _chosen(argument.schema)
        one = schema.get("items", schema)
        if (draft.stem, argument.name) in self.done or one["type"] not in ("string", "number"):
            return
        self.done.add((draft.stem, argument.name))
        if {"enum", "format", "x-source"} & {*one, *schema}:
            return
        others = [each for each in self._candidates(draft, argument) if each[0].draft is not draft]
        fitting = [(*each, value) for each in others if (value := _value_of(argument, each[0], one["type"]))]
        for most in range(_MOST_ADDED + 1 if argument.required else 1):
            for listing, given, value in fitting:
                if self._has_all(draft, argument.name, listing.draft, given, most):
                    schema["x-source"] = listing.source(value, given)
                    return

    def _candidates(self, draft: Draft, argument: Argument) -> Iterator[tuple[_Listing, dict[str, str]]]:
        """Yield lists an identifier may stand in, the likeliest first, with what this function gives them."""
        if in_path := argument.location == "path":
            before, inside, after = draft.operation.place.partition(f"{{{argument.sent}}}")
            if not inside or not before.endswith("/") or after[:1] not in ("", "/"):
                return
            listing = self.by_place.get(without_names(before))
            if listing is not None and not after.startswith("/{"):
                pairs = zip(_path_arguments(listing.draft), _path_arguments(draft), strict=False)
                yield listing, {their.name: our.name for their, our in pairs if their and our}
            if before.endswith("}/"):
                return
        elif not _identifies(argument):
            return
        nouns = _nouns(draft, argument)
        found = [each for each in self.by_noun.get(nouns[-1], ()) if each.nouns == nouns[-len(each.nouns) :]]
        # What a body names is mostly not yet below what the path names: it is looked for where most is.
        sign = -1 if in_path else 1
        yield from sorted(
            ((each, _given(draft, argument, each.draft)) for each in found),
            key=lambda each: (-len(each[0].nouns), sign * len(each[1]), each[0].draft.operation.path),
        )

    def _has_all(self, draft: Draft, before: str, listing: Draft, given: dict[str, str], most: int) -> bool:
        """Whether a list has what it needs; `given` gets up to `most` arguments more, each with its choices."""
        had = set(given)
        missing = [each.name for each in listing.required if each.name not in given]
        has_all = len(missing) <= most and all(self._add(draft, before, listing, each, given, most) for each in missing)
        if has_all and len(given) - len(had) <= most:
            return True
        for each in set(given) - had:
            draft.remove(draft.arguments[given.pop(each)])
        return False

    def _add(self, draft: Draft, before: str, listing: Draft, needed: str, given: dict[str, str], most: int) -> bool:
        """Add an argument with the choices that a list itself has for what it needs."""
        if needed in given:
            return True
        theirs = listing.arguments[needed]
        self.propose(listing, theirs)
        if most < 1 or "x-source" not in theirs.schema or theirs.schema["type"] == "array":
            return False
        source = theirs.schema["x-source"]
        referred = {key: _IN_SOURCE.sub(r"\1", value) for key, value in source.get("args", {}).items()}
        if not all(self._add(draft, before, listing, each, given, most - 1) for each in referred.values()):
            return False
        is_told = nouns_of(theirs.sent) != words_of(theirs.sent)
        name = argument_name(theirs.sent if is_told else f"{'_'.join(_nouns(listing, theirs))}_id")
        if name in draft.arguments:
            return False
        args = {"args": {key: f"${{args.{given[each]}}}" for key, each in referred.items()}} if referred else {}
        shown = {"title": title_of_name(name), "description": _NARROWS, "x-source": source | args}
        arguments = list(draft.arguments.values())
        place = list(draft.arguments).index(before)
        arguments.insert(place, Argument(name, "", name, {"type": theirs.schema["type"], **shown}))
        draft.arguments = {each.name: each for each in arguments}
        given[needed] = name
        return True


def _path_arguments(draft: Draft) -> list[Argument | None]:
    """Return the arguments in a path, in its order; None stands for what has one value only."""
    found = {each.sent: each for each in draft.arguments.values() if each.location == "path"}
    return [found.get(name) for name in IN_BRACES.findall(draft.operation.place)]


def _chosen(schema: Schema) -> Schema:
    """Return the schema that gets the choices: an argument's, or where it only refers to something, of the id in it."""
    members: Schema = schema.get("items", schema).get("properties", {})
    return members["id"] if "id" in members and members.keys() <= {"id", "type"} else schema


def _value_of(argument: Argument, listing: _Listing, kind: str) -> str | None:
    """Return the key of a list's items that holds what an argument takes."""
    if not (words := words_of(argument.sent)):  # a name of signs alone
        return None
    tail = words[len(nouns_of(argument.sent)) :]
    last = tail[-1].removesuffix("s") if tail else words[-1]
    candidates: Sequence[str] = _IDS
    if tail or argument.location == "path":
        names = () if last in ("id", "number", "uuid", "gid", "sid") else _NAMES
        candidates = [argument.sent, "_".join(words), last, *names]
    item = listing.draft.answer.item
    return next((key for key in candidates if key in item and _is(item[key], kind)), None)


def _identifies(argument: Argument) -> bool:
    """Whether what a query or body holds is an id, by its name, form or description: the gid of a workspace."""
    if _IDENTIFIES.search(argument.sent) or _chosen(argument.schema) is not argument.schema:
        return True
    may_be = argument.location == "body" or (argument.location == "query" and argument.required)
    told = _TOLD_TO_IDENTIFY.search(argument.schema["description"])
    samples = [each for each in argument.samples if isinstance(each, str)]
    return may_be and bool(told or any(map(_LOOKS_LIKE_ONE.fullmatch, samples)))


def _given(draft: Draft, argument: Argument, listing: Draft) -> dict[str, str]:
    """Return the arguments that say the same as those that a list needs, by the list's names."""
    found: dict[str, str] = {}
    for needed in listing.required:
        wanted = _nouns(listing, needed)
        for own in sorted(draft.arguments.values(), key=lambda each: not each.location):  # those that were added, last
            identifies = own.location == "path" or _IDENTIFIES.search(own.sent)
            is_same = own.sent == needed.sent or (identifies and _nouns(draft, own) == wanted)
            if is_same and own.schema["type"] == needed.schema["type"]:
                if _may_narrow(draft, own, argument):
                    found[needed.name] = own.name
                break
    return found


def _may_narrow(draft: Draft, own: Argument, argument: Argument) -> bool:
    """Whether an argument may narrow the choices of another: in a path, only what stands before it does."""
    if argument.location == "path":
        names = list(draft.arguments)
        return own.location in ("path", "") and names.index(own.name) < names.index(argument.name)
    depends = own.schema.get("x-source", {}).get("args", {}).values()
    return own is not argument and f"${{args.{argument.name}}}" not in depends


def _nouns(draft: Draft, argument: Argument) -> list[str]:
    """Return what an argument names, in the singular; for a bare `id` in a path, what the segment before says."""
    words = nouns_of(argument.sent)
    if argument.location == "path" and words in (["id"], ["gid"], ["sid"], ["uuid"], ["key"], ["slug"]):
        before = draft.operation.place.partition(f"/{{{argument.sent}}}")[0].rpartition("/")[2]
        words = words_of(before) or words
    return [*words[:-1], *map(singular, words[-1:])] or [""]


def _is(shape: Shape, kind: str) -> bool:
    types = (shape.types or frozenset()) - {"null"}
    return bool(types) and types <= ({"number", "integer"} if kind == "number" else {kind})
