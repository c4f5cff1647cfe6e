"""What a schema says of its value, with references followed and what has to hold together (`allOf`) joined."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field

from service_server.openapi_import.document import BrokenDocument, Document, Part, reference_of

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_ANNOTATIONS = ("title", "description", "default", "example", "examples", "deprecated", "nullable", "readOnly")
_STRUCTURE = frozenset({"type", "properties", "required", "items", "allOf", "oneOf", "anyOf", "enum", "const"})
_STRICTER: dict[str, Callable[[float, float], float]] = {"minimum": max, "maximum": min}


@define
class Shape:
    """
    Schemas that hold together. `types` None means that they don't say; whole numbers are among numbers. `is_recursive`
    tells that one leads back to a schema around it; `references` are those that were followed. Of other `keywords` the
    first of each counts, and of bounds the stricter.
    """

    types: frozenset[str] | None = None
    properties: dict[str, list[Part]] = field(factory=dict)
    required: list[str] = field(factory=list)
    items: list[Part] = field(factory=list)
    is_open: bool = False
    values: list[Any] | None = None
    alternatives: list[list[Part]] = field(factory=list)
    keywords: dict[str, Any] = field(factory=dict)
    references: frozenset[str] = frozenset()
    is_recursive: bool = False


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
            self._add_own(part, shape, around)
            return
        # OpenAPI 3.0 takes no notice of what stands beside a reference; what only describes does no harm.
        taken = part.value.keys() - {"$ref"} if self.document.is_31 else _ANNOTATIONS
        beside = {key: value for key, value in part.value.items() if key in taken}
        self._add_own(Part(beside, part.place), shape, around)
        if reference in around:
            shape.is_recursive = True
        elif reference not in shape.references:
            shape.references |= {reference}
            self._add(self.document.target(part.place, reference), shape, around)

    def _add_own(self, part: Part, shape: Shape, around: frozenset[str]) -> None:
        value = part.value
        _add_types(part, shape)
        values = [value["const"]] if "const" in value else [each.value for each in part.at("enum").items]
        if values:
            shape.values = [each for each in shape.values or () if each in values] or values
        for key, each in value.items():
            if each is None or key in _STRUCTURE:
                continue
            known = shape.keywords.setdefault(key, each)
            if key in _STRICTER and isinstance(known, int | float) and isinstance(each, int | float):
                shape.keywords[key] = _STRICTER[key](known, each)
        for name, child in part.at("properties").members:
            shape.properties.setdefault(name, []).append(child)
        if isinstance(value.get("required"), list):  # in OpenAPI 2 times people wrote true at the property itself
            shape.required.extend(name for name in value["required"] if isinstance(name, str))
        additional = value.get("additionalProperties")
        shape.is_open |= additional is True or isinstance(additional, Mapping) or "patternProperties" in value
        items = part.at("items")
        if items.value is not None:
            shape.items.extend(items.items[:1] if isinstance(items.value, list) else [items])
        for each in part.at("allOf").items:
            self._add(each, shape, around)
        shape.alternatives.extend(options for key in ("oneOf", "anyOf") if (options := part.at(key).items))


def _add_types(part: Part, shape: Shape) -> None:
    declared = part.value.get("type")
    names = declared if isinstance(declared, list) else [] if declared is None else [declared]
    if not all(isinstance(name, str) for name in names):
        raise BrokenDocument((*part.place, "type"), "must be the name of a type, or a list of names")
    if "file" in names:
        names = ["string"]
        shape.keywords.setdefault("format", "binary")
    types = _TYPES.intersection(names) | ({"integer"} if "number" in names else frozenset())
    if types:
        shape.types = types if shape.types is None else (shape.types & types) or shape.types
