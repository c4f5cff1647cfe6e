"""Finds out what an operation answers: whether a list, where in the answer it stands, and what its items are like."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.problems import ImportRefused
from service_server.openapi_import.shapes import Shape, ShapeReader
from service_server.openapi_import.texts import words_of

_LIST_NAMES = (
    *("data", "items", "results", "records", "values", "entries", "rows", "list", "content", "elements"),
    "resources",
)
_HOLDERS = ("data", "result", "response", "_embedded", "payload")
_DEEPEST = 4
_ENVELOPE: Final = re.compile(
    r"_?(total|count|page|pages|per|limit|offset|size|next|prev|previous|has|more|cursor|links?|meta|metadata|pagination"
    r"|paging|incomplete|ok|success|status|error|errors|message|messages|warnings?|request|response|object|type|kind|etag"
    r"|self|first|last|start|max|skip|sort|order|query|self|url|uri|result|info|included|is|number|empty|code|version)s?\Z"
)
_LISTS_OF_ENVELOPES = ("errors", "warnings", "links")
_NULL = frozenset({"null"})
_SKIPPED = frozenset({"$schema", "@odata.context", "@odata.nextLink"})


@frozen
class Answer:
    """
    What a successful answer is like; `is_known` tells whether the document says so.

    `path` leads to the list, or to the one object that an envelope holds; None where there is neither. `item` has the
    members of the list's items or of the object, `fields` those of the whole answer by their dotted paths; `headers`
    are the declared ones in lower case.
    """

    is_known: bool = False
    is_list: bool = False
    path: tuple[str, ...] | None = None
    item: Mapping[str, Shape] = field(factory=dict, repr=False)
    fields: Mapping[str, Shape] = field(factory=dict, repr=False)
    headers: frozenset[str] = frozenset()

    @property
    def output(self) -> str:
        """The JMESPath of the path; empty for the whole answer."""
        return ".".join(key if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key) else f'"{key}"' for key in self.path or ())


def read_answer(document: Document, operation: Operation) -> Answer:
    """Return what an operation answers; nothing where the document doesn't say, or says it wrongly."""
    try:
        return _Reading(document, operation).answer()
    except ImportRefused:  # answers only help to find lists and pages, so a fault in one stops nothing
        return Answer()


class _Reading:
    def __init__(self, document: Document, operation: Operation) -> None:
        self._document = document
        self._operation = operation
        self._nouns = set(words_of(operation.last_segment))
        self._reader = ShapeReader(document, left=3000)

    def answer(self) -> Answer:
        """Return what the operation answers."""
        response = self._response()
        headers = frozenset(name.lower() for name in response.at("headers").object)
        schema = self._json_schema(response)
        if schema is None:
            return Answer(headers=headers)
        whole = self._shape([schema], frozenset())
        if _is_list(whole):
            return Answer(is_known=True, is_list=True, path=(), item=self._item(whole), headers=headers)
        found = self._list_in(whole, ())
        fields: dict[str, Shape] = {}
        self._collect(whole, "", fields, 0)
        if found is not None:
            path, rows = found
            return Answer(is_known=True, is_list=True, path=path, item=self._item(rows), fields=fields, headers=headers)
        return Answer(
            is_known=bool(fields),
            path=self._one_object(whole),
            item=self._members(whole),
            fields=fields,
            headers=headers,
        )

    def _response(self) -> Part:
        responses = self._operation.part.at("responses")
        for status in ("200", "201", "203", "206", "2XX", "2xx", "default"):
            if status in responses.object:
                return self._document.followed(responses.at(status))
        return Part({}, responses.place)

    def _json_schema(self, response: Part) -> Part | None:
        for media_type, media in response.at("content").members:
            if "json" in media_type or media_type == "*/*":
                schema = media.at("schema")
                return None if schema.value is None else schema
        return None

    def _shape(self, parts: Sequence[Part], around: frozenset[str]) -> Shape:
        """Return a shape, and where it only has one form that isn't null, that form's."""
        shape = self._reader.read(parts, around)
        if shape.properties or shape.items or shape.is_recursive:
            return shape
        for options in shape.alternatives:
            shapes = [self._reader.read([option], around | shape.references) for option in options[:20]]
            shapes = [each for each in shapes if each.types != _NULL]
            if shapes:
                return shapes[0]
        return shape

    def _members(self, shape: Shape) -> dict[str, Shape]:
        return {
            name: self._shape(parts, shape.references)
            for name, parts in list(shape.properties.items())[:200]
            if name not in _SKIPPED
        }

    def _item(self, rows: Shape) -> dict[str, Shape]:
        if not rows.items:
            return {}
        return self._members(self._shape(rows.items, rows.references))

    def _list_in(self, shape: Shape, path: tuple[str, ...]) -> tuple[tuple[str, ...], Shape] | None:
        """Find the one list that an envelope holds."""
        if self._operation.ends_with_parameter or len(path) > 1:
            return None
        members = self._members(shape)
        lists = {
            name: member for name, member in members.items() if _is_list(member) and not self._is_envelope(name, member)
        }
        for name, member in lists.items():
            others = [each for each in members if each != name]
            named = name in _LIST_NAMES or self._nouns == set(words_of(name))
            if (named and self._is_the_only_one(name, lists)) or all(
                self._is_envelope(each, members[each]) for each in others
            ):
                return (*path, name), member
        for name in _HOLDERS:
            if name in members and members[name].properties:
                found = self._list_in(members[name], (*path, name))
                if found is not None:
                    return found
        return None

    def _is_the_only_one(self, name: str, lists: Mapping[str, Shape]) -> bool:
        """Whether a list holds objects and all others hold simple values, such as the reasons of something."""
        others = [each for key, each in lists.items() if key != name]
        return not others or (bool(self._item(lists[name])) and not any(self._item(each) for each in others))

    def _one_object(self, shape: Shape) -> tuple[str, ...] | None:
        members = self._members(shape)
        held = [name for name, each in members.items() if each.properties and not self._is_envelope(name, each)]
        return (held[0],) if len(held) == 1 and len(members) == 1 else None

    def _is_envelope(self, name: str, shape: Shape) -> bool:
        """Whether a member is about the answer; of lists, links and what went wrong are, unless they are asked for."""
        words = words_of(name)
        if not words or not _ENVELOPE.match(words[0]):
            return not words
        return not _is_list(shape) or (words[0] in _LISTS_OF_ENVELOPES and not self._nouns.issuperset(words))

    def _collect(self, shape: Shape, prefix: str, fields: dict[str, Shape], level: int) -> None:
        if level >= _DEEPEST or len(fields) > 200:
            return
        for name, member in self._members(shape).items():
            if re.fullmatch(r"[A-Za-z0-9_-]+", name):
                fields[f"{prefix}{name}"] = member
                if not _is_list(member):
                    self._collect(member, f"{prefix}{name}.", fields, level + 1)


def _is_list(shape: Shape) -> bool:
    return "array" in (shape.types or ()) or (shape.types is None and bool(shape.items))
