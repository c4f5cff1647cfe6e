"""What a schema says of its value, with references followed and what has to hold together (`allOf`) joined."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from service_server.openapi_import.document import Document, Part, reference_of
from service_server.openapi_import.problems import BrokenDocument

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_ANNOTATIONS = frozenset(
    {"title", "description", "default", "example", "examples", "deprecated", "nullable", "readOnly"}
)
_FIRST_COUNTS = (
    *("title", "description", "default", "example", "examples", "format", "pattern", "deprecated", "readOnly"),
    *("writeOnly", "contentMediaType", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"),
)
_LIMITS = ("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "not")


@define
class Shape:
    """
    One schema, or several that hold together.

    `types` None means that it doesn't say; `is_recursive` that it leads back to a schema around it. `references` are
    those that were followed. `limits` names what it says that connectors don't hold.
    """

    types: frozenset[str] | None = None
    properties: dict[str, list[Part]] = field(factory=dict)
    required: list[str] = field(factory=list)
    items: list[Part] = field(factory=list)
    is_open: bool = False
    is_closed: bool = False
    values: list[Any] | None = None
    minimum: float | None = None
    maximum: float | None = None
    alternatives: list[list[Part]] = field(factory=list)
    keywords: dict[str, Any] = field(factory=dict)
    limits: list[str] = field(factory=list)
    references: frozenset[str] = frozenset()
    is_recursive: bool = False

    @property
    def is_closed_and_empty(self) -> bool:
        """Whether it is an object that can't have any fields."""
        return self.is_closed and not self.properties and not self.alternatives

    @property
    def says_nothing(self) -> bool:
        """Whether any value fits as far as types go."""
        return not (
            self.types is not None
            or self.properties
            or self.items
            or self.alternatives
            or self.values is not None
            or {"format", "pattern"} & set(self.keywords)
        )


@define
class ShapeReader:
    """Reads shapes; `left` is how many more schemas it reads, a guard against documents that never end."""

    document: Document
    left: int = 20_000

    def read(self, parts: Sequence[Part], around: frozenset[str] = frozenset()) -> Shape:
        """Return the shape of schemas that hold together; `around` are the references that led here."""
        shape = Shape()
        for part in parts:
            self._add(part, shape, around)
        return shape

    def _add(self, part: Part, shape: Shape, around: frozenset[str]) -> None:
        self.left -= 1
        if part.value is True or part.value is None or self.left < 0:
            return
        if part.value is False:
            shape.keywords.setdefault("readOnly", True)  # nothing fits, so nothing is sent
            return
        if not isinstance(part.value, Mapping):
            raise BrokenDocument(part.place, "must be a schema, which is an object")
        reference = reference_of(part)
        if reference is None:
            self._add_own(part, part.value, shape, around)
            return
        # OpenAPI 3.0 takes no notice of what stands beside a reference; what only describes does no harm.
        beside = {
            key: value
            for key, value in part.value.items()
            if key != "$ref" and (self.document.is_31 or key in _ANNOTATIONS)
        }
        self._add_own(part, beside, shape, around)
        if reference in around:
            shape.is_recursive = True
        elif reference not in shape.references:
            shape.references |= {reference}
            self._add(self.document.target(part.place, reference), shape, around)

    def _add_own(self, part: Part, value: Mapping[str, Any], shape: Shape, around: frozenset[str]) -> None:
        _add_types(part, value, shape)
        _add_values(part, value, shape)
        for key in _FIRST_COUNTS:
            if value.get(key) is not None:
                shape.keywords.setdefault(key, value[key])
        shape.limits.extend(key for key in _LIMITS if value.get(key) not in (None, False, 0))
        own = Part(value, part.place)
        for name, child in own.at("properties").members:
            shape.properties.setdefault(name, []).append(child)
        if isinstance(value.get("required"), list):  # in OpenAPI 2 times people wrote true at the property itself
            shape.required.extend(name for name in value["required"] if isinstance(name, str))
        additional = value.get("additionalProperties")
        if additional is True or isinstance(additional, Mapping) or "patternProperties" in value:
            shape.is_open = True
        shape.is_closed = shape.is_closed or additional is False or value.get("maxProperties") == 0
        _add_items(own, shape)
        for each in own.at("allOf").items:
            self._add(each, shape, around)
        for keyword in ("oneOf", "anyOf"):
            if options := own.at(keyword).items:
                shape.alternatives.append(options)


def _add_types(part: Part, value: Mapping[str, Any], shape: Shape) -> None:
    declared = value.get("type")
    if declared is None:
        return
    names = declared if isinstance(declared, list) else [declared]
    if not all(isinstance(name, str) for name in names):
        raise BrokenDocument((*part.place, "type"), "must be the name of a type, or a list of names")
    if "file" in names:
        names = ["string"]
        shape.keywords.setdefault("format", "binary")
    types = frozenset(names) & _TYPES
    if not types:
        return
    if shape.types is None:
        shape.types = types
        return
    both = shape.types & types
    if "integer" in shape.types | types and "number" in shape.types | types:
        both |= {"integer"}
    shape.types = both or shape.types


def _add_values(part: Part, value: Mapping[str, Any], shape: Shape) -> None:
    values: list[Any] | None = None
    if value.get("enum") is not None:
        values = [each.value for each in Part(value, part.place).at("enum").items]
    if "const" in value:
        values = [value["const"]]
    if values:
        shape.values = values if shape.values is None else [each for each in shape.values if each in values] or values
    for key in ("minimum", "maximum"):
        limit = value.get(key)
        if isinstance(limit, int | float) and not isinstance(limit, bool):
            known = getattr(shape, key)
            stricter = limit if known is None else max(known, limit) if key == "minimum" else min(known, limit)
            setattr(shape, key, stricter)


def _add_items(own: Part, shape: Shape) -> None:
    items = own.at("items")
    if isinstance(items.value, list):
        shape.items.extend(items.items[:1])
    elif items.value is not None:
        shape.items.append(items)
