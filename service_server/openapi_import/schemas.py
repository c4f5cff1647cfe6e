"""What schemas say, with references followed and `allOf` joined, and the schemas of fields: words, values, unions."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import jsonschema_rs
from attrs import define, field

from service_server.openapi_import.document import BrokenDocument, Document, Part, reference_of
from service_server.openapi_import.texts import title_of_name

Schema = dict[str, Any]
Note = Callable[[str], None]

NULL: Final = frozenset({"null"})
_TYPES = NULL | {"string", "number", "integer", "boolean", "array", "object"}
_ANNOTATIONS = ("title", "description", "default", "example", "examples", "deprecated", "nullable", "readOnly")
_STRUCTURE = frozenset({"type", "properties", "required", "items", "allOf", "oneOf", "anyOf", "enum", "const"})
_STRICTER: dict[str, Callable[[float, float], float]] = {"minimum": max, "maximum": min}
_WORDS = {"string": "text", "number": "a number", "boolean": "true or false", "array": "a list", "object": "an object"}
_MOST_VALUES = 300
_LONG_TEXTS = frozenset({"body", "content", "text", "message", "comment", "notes", "note", "markdown", "description"})
_SECRET = re.compile(r"(^|_)(passw(or)?d|passphrase|secret|private_key|api_?key|(access|refresh|auth)_?token)\Z", re.I)


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


def described(schema: Schema, name: str) -> Schema:
    """Return the schema of a field with the title and description that every field has, and hints for its form."""
    title = schema.get("title") or title_of_name(name)
    words = title.split(" ")
    is_of = len(words) > 1 and words[-1] in ("ID", "number", "key", "name") and name.lower() != words[-1]
    plain = f"The {words[-1]} of the {' '.join(words[:-1]).lower()}." if is_of else f"{title}."
    result: Schema = {"type": schema["type"], **schema, "title": title}
    result["description"] = schema.get("description") or plain
    if schema["type"] == "string" and not {"enum", "format", "pattern"} & set(schema):
        if _SECRET.search(name):
            result["x-sensitive"] = True
        elif name.lower() in _LONG_TEXTS:
            result["x-multiline"] = True
    order = ("type", "multipleOf", "minimum", "maximum", "format", "pattern", "title", "description")
    return {key: result[key] for key in (*(key for key in order if key in result), *result)}


def fitting(schema: Schema, values: Iterable[Any]) -> list[Any]:
    """Return those of the document's own values that fit a flattened schema."""
    found: list[Any] = []
    given = [value for value in values if value is not None]
    if given:
        with suppress(ValueError, jsonschema_rs.ValidationError):  # a schema that nothing can be compared with
            checked = {key: each for key, each in schema.items() if key != "default"}
            validator = jsonschema_rs.validator_for(checked, validate_formats=True)
            for value in given:
                with suppress(ValueError, OverflowError):  # a number or text that JSON doesn't have
                    found.extend([value] if validator.is_valid(value) else [])
    return found


def set_values(schema: Schema, values: list[Any], limits: list[str]) -> None:
    """List the values of a schema, as far as they are of its type; `limits` gets what there is no room for."""
    if schema["type"] == "string":
        simple = [value for value in values if isinstance(value, str | int | float)]
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in simple]
        values = [text for text in texts if "".join(text.splitlines()) == text]
    else:
        values = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    different = list(dict.fromkeys(values))
    for key in ("pattern", "minimum", "maximum", "format"):
        schema.pop(key, None)
    if 0 < len(different) <= _MOST_VALUES:
        schema["enum"] = different
    elif different:
        limits.append("enum")


def is_short(text: str) -> bool:
    """Tell whether a text can stand in an empty field."""
    return 0 < len(text) <= 60 and text.isprintable()


def united(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    """Return a schema for what any of several holds for, as far as there is one; `as_text` where it is sent as text."""
    different = [each for index, each in enumerate(schemas) if each not in schemas[:index]]
    if len(different) == 1:
        return different[0]
    kinds = list(dict.fromkeys(schema["type"] for schema in different))
    if len(kinds) == 1:
        return _widest(different, note, as_text)
    lists = [schema for schema in different if schema["type"] == "array"]
    scalar = next((kind for kind in kinds if kind != "array"), "")
    of_scalars = [each for each in lists if each["items"]["type"] == scalar]
    if len(kinds) == 2 and of_scalars and scalar != "object":
        note("takes one value or a list of them; a list is sent")
        return united(of_scalars, note, as_text)
    kept = next((kind for kind in ("string", "object") if kind in kinds), kinds[0])
    note(f"takes {' or '.join(_WORDS[kind] for kind in kinds)}; only {_WORDS[kept]} is kept")
    chosen = united([schema for schema in different if schema["type"] == kept], note, as_text)
    if as_text and kept == "string" and {"number", "boolean"} & set(kinds):  # a number and its digits are the same
        chosen = {key: value for key, value in chosen.items() if key not in ("enum", "pattern", "format", "default")}
    return chosen


def combined(base: Schema, other: Schema) -> Schema:
    """Return a schema for what both hold for; where they say different things of one keyword, the first is kept."""
    if base["type"] != other["type"]:
        return base
    result = {**other, **base}
    if base["type"] != "object":
        return result
    properties = dict(base.get("properties", {}))
    for name, schema in other.get("properties", {}).items():
        properties[name] = combined(properties[name], schema) if name in properties else schema
    required = (*base.get("required", ()), *other.get("required", ()))
    return with_members(result, properties, required, any(each.get("additionalProperties") for each in (base, other)))


def _widest(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    """Return what all of one type allow: what they say in the same words, the widest bounds, and the fields of all."""
    result = {key: each for key, each in schemas[0].items() if all(other.get(key) == each for other in schemas)}
    for key in ("title", "description", "x-placeholder"):  # those of the first
        result |= next(({key: each[key]} for each in schemas if key in each), {})
    for key, widest in _WIDEST.items():
        if all(key in each for each in schemas):
            result[key] = widest([each[key] for each in schemas])
    if schemas[0]["type"] == "array":
        result["items"] = united([each["items"] for each in schemas], note, as_text)
    if schemas[0]["type"] != "object":
        return result
    if not all("properties" in each for each in schemas):
        note(f"has {len(schemas)} forms, of which one is any object; so any is taken")
        return {key: each for key, each in result.items() if key not in ("properties", "required")}
    note(f"has {len(schemas)} forms; their fields are merged, and what only some of them need is optional")
    names = dict.fromkeys(name for each in schemas for name in each["properties"])
    several = {name: [each["properties"][name] for each in schemas if name in each["properties"]] for name in names}
    properties = {name: united(each, note, as_text) for name, each in several.items()}
    required = [name for name in names if all(name in each.get("required", ()) for each in schemas)]
    return with_members(result, properties, required, any(each.get("additionalProperties") for each in schemas))


def with_members(base: Schema, properties: Schema, required: Iterable[str], is_open: bool) -> Schema:
    """Return a schema with these fields, of which some may be required; `is_open` tells that it takes any more."""
    needed = [name for name in dict.fromkeys(required) if name in properties]
    members = {"properties": properties, "required": needed, "additionalProperties": is_open}
    return {key: each for key, each in {**base, **members}.items() if key not in members or each}


_WIDEST: dict[str, Callable[[list[Any]], Any]] = {
    "enum": lambda several: list(dict.fromkeys(value for values in several for value in values)),
    "minimum": min,
    "maximum": max,
}
