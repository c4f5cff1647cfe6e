"""Finds out what an operation answers: whether a list, where in the answer it stands, and what its items are like."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from attrs import define, field, frozen

from service_server.openapi_import.document import Document, ImportRefused, Part
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.schemas import NULL, Shape, ShapeReader
from service_server.openapi_import.texts import words_of

_LIST_NAMES = re.compile("data|items|results|records|values|entries|rows|list|content|elements|resources")
_HOLDERS = ("data", "result", "response", "_embedded", "payload")
_DEEPEST = 4
_MOST_FIELDS = 300
_ENVELOPE: Final = re.compile(
    r"_?(total|count|page|per|limit|offset|size|next|prev|previous|has|more|cursor|link|meta|metadata|pagination|paging"
    r"|incomplete|ok|success|status|error|message|warning|request|response|object|type|kind|etag|self|first|last|start"
    r"|max|skip|sort|order|query|url|uri|result|info|included|is|number|empty|code|version)s?\Z"
)
_LISTS_OF_ENVELOPES = (["errors"], ["warnings"], ["links"])
_GOOD = ("200", "201", "203", "206", "2XX", "2xx", "default")
_SKIPPED = frozenset({"$schema", "@odata.context", "@odata.nextLink"})


@frozen
class Answer:
    """
    A successful answer: `path` leads to the list, or to the one object that an envelope holds; None where there is
    neither. `item` has the members of the list's items or of the object, `fields` those of the whole answer by their
    dotted paths; `headers` are the declared ones in lower case.
    """

    is_list: bool = False
    path: tuple[str, ...] | None = None
    item: Mapping[str, Shape] = field(factory=dict, repr=False)
    fields: Mapping[str, Shape] = field(factory=dict, repr=False)
    headers: frozenset[str] = frozenset()


def read_answer(document: Document, operation: Operation) -> Answer:
    """Return what an operation answers; nothing where the document doesn't say, or says it wrongly."""
    try:
        return _Reading(operation, ShapeReader(document, left=3000)).answer()
    except ImportRefused:  # answers only help to find lists and pages, so a fault in one stops nothing
        return Answer()


@define
class _Reading:
    operation: Operation
    reader: ShapeReader

    def answer(self) -> Answer:
        responses = self.operation.part.at("responses")
        status = next((each for each in _GOOD if each in responses.object), "200")
        response = self.reader.document.followed(responses.at(status))
        headers = frozenset(name.lower() for name in response.at("headers").object)
        content = response.at("content").members
        schema = next((media.at("schema") for kind, media in content if "json" in kind or kind == "*/*"), None)
        if schema is None or schema.value is None:
            return Answer(headers=headers)
        whole = self._shape([schema], frozenset())
        fields = dict(islice(self._fields(whole, "", 0), _MOST_FIELDS))
        if found := self._list_in(whole):
            return Answer(True, found[0], self._item(found[1]), fields, headers)
        members = self._members(whole)
        held = [name for name, each in members.items() if each.properties and not self._is_envelope(name, each)]
        is_envelope = len(members) == len(held) == 1
        return Answer(False, tuple(members) if is_envelope else None, members, fields, headers)

    def _shape(self, parts: Sequence[Part], around: frozenset[str]) -> Shape:
        """Return a shape, and where it only has one form that isn't null, that form's."""
        shape = self.reader.read(parts, around)
        if shape.properties or shape.items or shape.is_recursive:
            return shape
        around |= shape.references
        options = (option for several in shape.alternatives for option in several[:20])
        forms = (self.reader.read([option], around) for option in options)
        return next((form for form in forms if form.types != NULL), shape)

    def _members(self, shape: Shape) -> dict[str, Shape]:
        first = islice(shape.properties.items(), 200)
        return {name: self._shape(parts, shape.references) for name, parts in first if name not in _SKIPPED}

    def _item(self, rows: Shape) -> dict[str, Shape]:
        return self._members(self._shape(rows.items, rows.references))

    def _list_in(self, shape: Shape, path: tuple[str, ...] = ()) -> tuple[tuple[str, ...], Shape] | None:
        """Find the one list that an envelope holds, or that an answer is."""
        if _is_list(shape) and not path:
            return (), shape
        if self.operation.ends_with_parameter or len(path) > 1:
            return None
        members = self._members(shape)
        lists = {name: each for name, each in members.items() if _is_list(each) and not self._is_envelope(name, each)}
        for name, each in lists.items():
            others = [(other, member) for other, member in members.items() if other != name]
            named = _LIST_NAMES.fullmatch(name) or self._nouns == set(words_of(name))
            # All others hold simple values, such as the reasons of something.
            is_it = named and (len(lists) == 1 or [name] == [key for key, rows in lists.items() if self._item(rows)])
            if is_it or all(self._is_envelope(*other) for other in others):
                return (*path, name), each
        held = (self._list_in(members[name], (*path, name)) for name in _HOLDERS if name in members)
        return next(filter(None, held), None)

    @property
    def _nouns(self) -> set[str]:
        return set(words_of(self.operation.last_segment))

    def _is_envelope(self, name: str, shape: Shape) -> bool:
        """Whether a member is about the answer; of lists, links and what went wrong are, unless they are asked for."""
        words = words_of(name)
        is_list = _is_list(shape) and (words[:1] not in _LISTS_OF_ENVELOPES or self._nouns.issuperset(words))
        return not words or (_ENVELOPE.match(words[0]) is not None and not is_list)

    def _fields(self, shape: Shape, prefix: str, level: int) -> Iterator[tuple[str, Shape]]:
        for name, member in self._members(shape).items():
            if re.fullmatch(r"[A-Za-z0-9_-]+", name):
                yield f"{prefix}{name}", member
                if level + 1 < _DEEPEST and not _is_list(member):
                    yield from self._fields(member, f"{prefix}{name}.", level + 1)


def _is_list(shape: Shape) -> bool:
    return "array" in (shape.types or ()) or (shape.types is None and bool(shape.items))
