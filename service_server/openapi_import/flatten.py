"""Makes a parameter's schema, of the five types that connectors have, out of a document's schema."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from service_server.openapi_import.alternatives import Schema, combined, united
from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.fields import NAME, described, fitting, is_pattern, is_short, set_values
from service_server.openapi_import.shapes import Shape, ShapeReader
from service_server.openapi_import.texts import description_of, title_of_text
from service_server.openapi_import.unneeded import DEPRECATED

UNKNOWN: Final = object()

_DEEPEST = 5
_MOST_FIELDS = 300
_MOST_ALTERNATIVES = 40
_LARGEST_NUMBER = 2**53  # larger ones are how wide a number is stored, and no form could hold them
_LONGEST_PATTERN = 200
_LONGEST_DESCRIPTION = 280
_FORMATS = {"date": "date", "date-time": "date-time", "email": "email", "uri": "uri", "url": "uri"}


@define
class Flat:
    """
    A flattened schema and what else the document says of the value.

    `constant` is the only value there is (`UNKNOWN` where there are several), `samples` are the document's own values,
    best first.
    """

    schema: Schema
    samples: list[Any] = field(factory=list)
    constant: Any = UNKNOWN
    is_read_only: bool = False
    is_deprecated: bool = False


@define
class Flattener:
    """
    Flattens the schemas of one function and keeps what was lost on the way.

    `notes` are pairs of the field and what was done, `lost` those that a call needs and a connector can't send;
    `limits` the keywords that connectors don't hold. `unneeded` are fields that nobody needs in a form, each with the
    rule; with `keeps_all` there are none.
    """

    document: Document
    keeps_all: bool = False
    notes: list[tuple[str, str]] = field(factory=list)
    lost: list[tuple[str, str]] = field(factory=list)
    limits: list[str] = field(factory=list)
    unneeded: list[tuple[str, str]] = field(factory=list)
    _fields: int = 0
    _reader: ShapeReader = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reader = ShapeReader(self.document)

    def flatten(self, part: Part, where: str, as_text: bool = False) -> Flat:
        """Flatten a schema; `as_text` tells that the value is sent as text: in a path, a query or a header."""
        return self._flat([part], where, frozenset(), 0, as_text)

    def shape(self, part: Part) -> Shape:
        """Return what a schema says."""
        return self._reader.read([part])

    def lose(self, where: str, what: str) -> None:
        """Keep that something which a call needs can't be sent."""
        self.lost.append((where, what))

    def spares(self, where: str, rule: str | None) -> bool:
        """Tell whether a field is left out by a rule (None: by none), and keep that it was."""
        if rule is None or self.keeps_all:
            return False
        if (where, rule) not in self.unneeded:
            self.unneeded.append((where, rule))
        return True

    def note(self, where: str, what: str) -> None:
        """Keep that something was lost, once."""
        if (where, what) not in self.notes:
            self.notes.append((where, what))

    def _flat(self, parts: Sequence[Part], where: str, around: frozenset[str], level: int, as_text: bool) -> Flat:
        shape = self._reader.read(parts, around)
        inside = around | shape.references
        if self._reader.left < 0:
            self.note(where, "the document says too much of it; any object is taken")
            return Flat({"type": "object"})
        schema = self._own(shape, where, inside, level, as_text)
        for options in shape.alternatives:
            found = self._alternatives(options, where, inside, level, as_text)
            if found is not None:
                schema = found if schema is None else combined(schema, found)
        if schema is None:
            schema = {"type": "string"}
            if shape.is_recursive:
                schema = {"type": "object"}
            elif not as_text:
                self.note(where, "the document doesn't say what it is; text is taken")
        schema = {**schema, **self._annotations(shape, parts)}
        self.limits.extend(shape.limits)
        return self._complete(shape, schema)

    def _own(self, shape: Shape, where: str, inside: frozenset[str], level: int, as_text: bool) -> Schema | None:
        """Return the schema without its alternatives, None where there is nothing else."""
        if shape.is_recursive:
            self.note(where, "holds itself; any object is taken")
            return {"type": "object"}
        kind = _kind(shape)
        if (
            shape.types is not None
            and len(shape.types - {"null"}) > 1
            and shape.types - {"null"} != {"integer", "number"}
        ):
            names = " or ".join(sorted(shape.types - {"null"}))
            self.note(where, f"takes several types ({names}); {kind} is kept")
        match kind:
            case None:
                return None
            case "object":
                return self._object(shape, where, inside, level, as_text)
            case "array":
                items = self._flat(shape.items, f"{where}[]", inside, level, as_text).schema if shape.items else None
                if items is None:
                    items = {"type": "string"}
                return {"type": "array", "items": {key: value for key, value in items.items() if key != "title"}}
            case "boolean":
                return {"type": "boolean"}
            case "integer" | "number":
                return self._number(shape, kind == "integer")
            case _:
                return self._text(shape, where)

    def _object(self, shape: Shape, where: str, inside: frozenset[str], level: int, as_text: bool) -> Schema:
        if not shape.properties:
            return {"type": "object"}
        if level >= _DEEPEST or self._fields > _MOST_FIELDS:
            why = "lies deep" if level >= _DEEPEST else "is one of very many fields"
            self.note(where, f"{why}; any object is taken")
            return {"type": "object"}
        is_open = shape.is_open
        properties: dict[str, Schema] = {}
        referring: dict[str, Schema] = {}
        for name, parts in shape.properties.items():
            self._fields += 1
            path = f"{where}.{name}" if where else name
            flat = self._flat(parts, path, inside, level + 1, as_text)
            old = flat.is_deprecated and name not in shape.required
            refers = flat.is_read_only and where and name in shape.required and NAME.match(name)
            if (flat.is_read_only and not refers) or (old and self.spares(path, DEPRECATED)):
                continue
            if name in ("", "...") or (where and not NAME.match(name)):  # a body's own members get names as arguments
                self.note(path, "can't be the name of a field; the object around it takes any keys")
                is_open = True
                continue
            if flat.constant is not UNKNOWN and "enum" in flat.schema:
                flat.schema.setdefault("default", flat.constant)
            (referring if refers else properties)[name] = described(flat.schema, name)
        schema: Schema = {"type": "object"}
        # What can only be read and has to be there refers to something else: its type and its id are sent.
        if properties := properties or referring:
            schema["properties"] = properties
            if required := [name for name in dict.fromkeys(shape.required) if name in properties]:
                schema["required"] = required
            if is_open:
                schema["additionalProperties"] = True
        return schema

    def _number(self, shape: Shape, is_integer: bool) -> Schema:
        schema: Schema = {"type": "number"}
        if is_integer:
            schema["multipleOf"] = 1
        elif shape.keywords.get("multipleOf") is not None:
            self.limits.append("multipleOf")
        for key, limit, step in (("minimum", shape.minimum, 1), ("maximum", shape.maximum, -1)):
            exclusive = shape.keywords.get(f"exclusive{key.capitalize()}")
            if isinstance(exclusive, int | float) and not isinstance(exclusive, bool):
                limit, exclusive = exclusive, True
            if limit is not None and abs(limit) < _LARGEST_NUMBER:
                schema[key] = limit + step if exclusive and is_integer else limit
        return schema

    def _text(self, shape: Shape, where: str) -> Schema:
        schema: Schema = {"type": "string"}
        form = shape.keywords.get("format")
        if isinstance(form, str) and form in _FORMATS:
            schema["format"] = _FORMATS[form]
        pattern = shape.keywords.get("pattern")
        if isinstance(pattern, str) and len(pattern) <= _LONGEST_PATTERN and is_pattern(pattern):
            schema["pattern"] = pattern
        elif pattern is not None:
            self.limits.append("pattern")
        if form == "password" or (shape.keywords.get("writeOnly") is True and not where.endswith("[]")):
            schema["x-sensitive"] = True
        return schema

    def _alternatives(
        self, options: Sequence[Part], where: str, inside: frozenset[str], level: int, as_text: bool
    ) -> Schema | None:
        schemas, needed = [], []
        if len(options) > _MOST_ALTERNATIVES:
            self.note(where, f"has {len(options)} forms, of which the first {_MOST_ALTERNATIVES} are looked at")
        for option in options[:_MOST_ALTERNATIVES]:
            shape = self._reader.read([option], inside)
            if shape.types == frozenset({"null"}) or shape.values == [None]:
                continue
            if shape.says_nothing and not shape.is_recursive:
                needed.extend([" and ".join(shape.required)] if shape.required else [])
                continue
            schemas.append(without_title(self._flat([option], where, inside, level, as_text)).schema)
        if needed:
            self.note(where or "the arguments", f"the app needs one of: {'; '.join(dict.fromkeys(needed))}")
        if not schemas:
            return None
        return united(schemas, lambda what: self.note(where or "the body", what), as_text)

    def _annotations(self, shape: Shape, parts: Sequence[Part]) -> Schema:
        found: Schema = {}
        text = shape.keywords.get("description")
        # What a schema elsewhere is called is the name of a type, not of this field.
        title = next((p.value["title"] for p in parts if isinstance(p.value, Mapping) and "title" in p.value), None)
        if isinstance(title, str) and re.fullmatch(r"[A-Z][a-z]+( [A-Za-z]+){0,4}", title.strip()):
            found["title"] = title_of_text(title)
        if isinstance(text, str) and (told := description_of(text, _LONGEST_DESCRIPTION)):
            found["description"] = told
        return found

    def _complete(self, shape: Shape, schema: Schema) -> Flat:
        """Add the values that a schema lists or names as its default, as far as they fit it."""
        values = [value for value in shape.values or () if value is not None]
        if schema["type"] in ("string", "number") and values:
            set_values(schema, values, self.limits)
        flat = Flat(
            schema,
            is_read_only=shape.keywords.get("readOnly") is True,
            is_deprecated=shape.keywords.get("deprecated") is True,
        )
        if len(values) == 1 and schema["type"] in ("string", "number", "boolean"):
            flat.constant = schema["enum"][0] if "enum" in schema else values[0]
        default = shape.keywords.get("default")
        examples = shape.keywords.get("examples")
        candidates = [
            shape.keywords.get("example"),
            *(examples if isinstance(examples, list) else ()),
            default,
            *schema.get("enum", ())[:1],
        ]
        flat.samples = fitting(schema, candidates)
        if schema["type"] != "object" and default is not None and any(each is default for each in flat.samples):
            schema["default"] = default
        given = next((value for value in flat.samples if isinstance(value, str) and value != default), "")
        if shape.keywords.get("format") == "uuid" and not given:
            given = "00000000-0000-4000-8000-000000000000"  # shows what is asked for
        if schema["type"] == "string" and not {"enum", "x-sensitive"} & set(schema) and is_short(given):
            schema["x-placeholder"] = given
        return flat


def without_title(flat: Flat) -> Flat:
    """Return a flattened schema without the title that it has as a type of its own."""
    return evolve(flat, schema={key: value for key, value in flat.schema.items() if key != "title"})


def _kind(shape: Shape) -> str | None:
    types = (shape.types or frozenset()) - {"null"}
    for kind in ("string", "object", "array", "number", "integer", "boolean"):
        if kind in types:
            return kind
    if shape.properties or shape.is_open:
        return "object"
    if shape.items:
        return "array"
    if values := [value for value in shape.values or () if value is not None]:
        if all(isinstance(value, bool) for value in values):
            return "boolean"
        if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
            return "integer" if all(isinstance(value, int) for value in values) else "number"
        return "string"
    if {"format", "pattern"} & set(shape.keywords):
        return "string"
    if (shape.minimum, shape.maximum) != (None, None):
        return "number"
    return None
