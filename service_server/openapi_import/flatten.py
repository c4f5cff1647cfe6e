"""Makes a parameter's schema, of the five types that connectors have, out of a document's schema."""

import re
from collections.abc import Sequence
from typing import Any, TypeGuard

from attrs import Factory, define, evolve, field

from service_server.catalog.regular_expressions import problem_with
from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.operations import DEPRECATED
from service_server.openapi_import.schemas import (
    NULL,
    Schema,
    Shape,
    ShapeReader,
    combined,
    described,
    fitting,
    is_short,
    set_values,
    united,
    with_members,
)
from service_server.openapi_import.texts import description_of, title_of_text

_DEEPEST = 5
_MOST_FIELDS = 300
_MOST_ALTERNATIVES = 40
_LARGEST_NUMBER = 2**53  # larger ones are how wide a number is stored, and no form could hold them
_LONGEST_PATTERN = 200
_LONGEST_DESCRIPTION = 280
_FORMATS = {"date": "date", "date-time": "date-time", "email": "email", "uri": "uri", "url": "uri"}
_LIMITS = ("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "not")


@define
class Flat:
    """A flattened schema and what else the document says of the value; `samples` are its own values, best first."""

    schema: Schema
    samples: list[Any] = field(factory=list)
    is_read_only: bool = False
    is_deprecated: bool = False

    @property
    def constant(self) -> Any:
        """The only value there is, None where there are several, or it can't be written into a request as it is."""
        values = self.schema.get("enum", ())
        return values[0] if len(values) == 1 and "${" not in str(values[0]) else None


@define
class _Spot:
    """Where a schema stands: the field, the references around it, how deep, and whether its value is sent as text."""

    where: str
    as_text: bool
    around: frozenset[str] = frozenset()
    level: int = 0


@define
class Flattener:
    """
    Flattens the schemas of one function and keeps what was lost on the way: `notes` are pairs of the field and what was
    done, `lost` those that a call needs and a connector can't send, `limits` the keywords that connectors don't hold.
    `unneeded` are fields that nobody needs in a form, each with the rule; with `keeps_all` there are none.
    """

    document: Document
    keeps_all: bool = False
    notes: dict[tuple[str, str], None] = field(factory=dict)
    lost: dict[tuple[str, str], None] = field(factory=dict)
    limits: list[str] = field(factory=list)
    unneeded: dict[tuple[str, str], None] = field(factory=dict)
    _fields: int = 0
    reader: ShapeReader = field(init=False, default=Factory(lambda self: ShapeReader(self.document), takes_self=True))

    def flatten(self, part: Part, where: str, as_text: bool = False, titled: bool = False) -> Flat:
        """Flatten a schema; `as_text`: its value is sent as text; `titled`: its title is more than that of a type."""
        return self._flat([part], _Spot(where, as_text), titled)

    def spares(self, where: str, rule: str | None) -> bool:
        """Tell whether a field is left out by a rule (None: by none), and keep that it was."""
        if rule is None or self.keeps_all:
            return False
        self.unneeded[where, rule] = None
        return True

    def note(self, where: str, what: str, is_needed: bool = False) -> None:
        """Keep that something was lost, once; a call that needs it can't be made."""
        (self.lost if is_needed else self.notes)[where, what] = None

    def _flat(self, parts: Sequence[Part], spot: _Spot, titled: bool = False) -> Flat:
        shape = self.reader.read(parts, spot.around)
        spot = evolve(spot, around=spot.around | shape.references)
        if self.reader.left < 0:
            self.note(spot.where, "the document says too much of it; any object is taken")
            return Flat({"type": "object"})
        schema = self._own(shape, spot)
        for options in shape.alternatives:
            if found := self._alternatives(options, spot):
                schema = combined(schema, found) if schema else found
        if schema is None and not spot.as_text:
            self.note(spot.where, "the document doesn't say what it is; text is taken")
        self.limits.extend(key for key in _LIMITS if shape.keywords.get(key) not in (None, False, 0))
        return self._complete(shape, (schema or {"type": "string"}) | _annotations(shape, parts if titled else ()))

    def _own(self, shape: Shape, spot: _Spot) -> Schema | None:
        if shape.is_recursive:
            self.note(spot.where, "holds itself; any object is taken")
            return {"type": "object"}
        kind = _kind(shape)
        types = (shape.types or NULL) - NULL - ({"integer"} if "number" in (shape.types or ()) else NULL)
        if len(types) > 1:
            self.note(spot.where, f"takes several types ({' or '.join(sorted(types))}); {kind} is kept")
        if kind == "object":
            return self._object(shape, spot)
        if kind == "array":
            inside = evolve(spot, where=f"{spot.where}[]")
            items = self._flat(shape.items, inside).schema if shape.items else {"type": "string"}
            return {"type": "array", "items": items}
        if kind in ("number", "integer"):
            return self._number(shape, kind == "integer")
        return self._text(shape, spot.where) if kind == "string" else None if kind is None else {"type": kind}

    def _object(self, shape: Shape, spot: _Spot) -> Schema:
        if not shape.properties:
            return {"type": "object"}
        if spot.level >= _DEEPEST or self._fields > _MOST_FIELDS:
            why = "lies deep" if spot.level >= _DEEPEST else "is one of very many fields"
            self.note(spot.where, f"{why}; any object is taken")
            return {"type": "object"}
        is_open = shape.is_open
        properties: dict[str, Schema] = {}
        referring: dict[str, Schema] = {}
        for name, parts in shape.properties.items():
            self._fields += 1
            path = f"{spot.where}.{name}" if spot.where else name
            flat = self._flat(parts, evolve(spot, where=path, level=spot.level + 1), titled=True)
            is_name = name.isascii() and name.isidentifier()
            refers = flat.is_read_only and spot.where and name in shape.required and is_name
            old = flat.is_deprecated and name not in shape.required
            if (flat.is_read_only and not refers) or (old and self.spares(path, DEPRECATED)):
                continue
            if name in ("", "...") or (spot.where and not is_name):  # a body's own members get other names
                self.note(path, "can't be the name of a field; the object around it takes any keys")
                is_open = True
                continue
            if flat.constant is not None:
                flat.schema.setdefault("default", flat.constant)
            (referring if refers else properties)[name] = described(flat.schema, name)
        # What can only be read and has to be there refers to something else: its type and its id are sent.
        properties = properties or referring
        return with_members({"type": "object"}, properties, shape.required, is_open and bool(properties))

    def _number(self, shape: Shape, is_integer: bool) -> Schema:
        schema: Schema = {"type": "number"}
        if is_integer:
            schema["multipleOf"] = 1
        elif "multipleOf" in shape.keywords:
            self.limits.append("multipleOf")
        for key, step in (("minimum", 1), ("maximum", -1)):
            limit, exclusive = shape.keywords.get(key), shape.keywords.get(f"exclusive{key.capitalize()}")
            if _is_number(exclusive):  # as in JSON Schema
                limit, exclusive = exclusive, True
            if _is_number(limit) and abs(limit) < _LARGEST_NUMBER:
                schema[key] = limit + step if exclusive and is_integer else limit
        return schema

    def _text(self, shape: Shape, where: str) -> Schema:
        schema: Schema = {"type": "string"}
        form, pattern = shape.keywords.get("format"), shape.keywords.get("pattern")
        if isinstance(form, str) and form in _FORMATS:
            schema["format"] = _FORMATS[form]
        if isinstance(pattern, str) and len(pattern) <= _LONGEST_PATTERN and problem_with(pattern) is None:
            schema["pattern"] = pattern
        elif pattern is not None:
            self.limits.append("pattern")
        if form == "password" or (shape.keywords.get("writeOnly") is True and not where.endswith("[]")):
            schema["x-sensitive"] = True
        return schema

    def _alternatives(self, options: Sequence[Part], spot: _Spot) -> Schema | None:
        schemas: list[Schema] = []
        needed: dict[str, None] = {}
        if len(options) > _MOST_ALTERNATIVES:
            self.note(spot.where, f"has {len(options)} forms, of which the first {_MOST_ALTERNATIVES} are looked at")
        for option in options[:_MOST_ALTERNATIVES]:
            shape = self.reader.read([option], spot.around)
            if shape.types == NULL or shape.values == [None]:
                continue
            told = (shape.properties, shape.items, shape.alternatives, {"format", "pattern"} & shape.keywords.keys())
            if any(told) or shape.types is not None or shape.values is not None or shape.is_recursive:
                schemas.append(self._flat([option], spot).schema)
            elif shape.required:
                needed[" and ".join(shape.required)] = None
        if needed:
            self.note(spot.where or "the arguments", f"the app needs one of: {'; '.join(needed)}")
        where = spot.where or "the body"
        return united(schemas, lambda what: self.note(where, what), spot.as_text) if schemas else None

    def _complete(self, shape: Shape, schema: Schema) -> Flat:
        """Add the values that a schema lists or names as its default, as far as they fit it."""
        keywords = shape.keywords
        values = [value for value in shape.values or () if value is not None]
        if schema["type"] in ("string", "number") and values:
            set_values(schema, values, self.limits)
        default, several = keywords.get("default"), keywords.get("examples")
        several = several if isinstance(several, list) else []
        samples = fitting(schema, [keywords.get("example"), *several, default, *schema.get("enum", ())[:1]])
        if schema["type"] != "object" and default is not None and any(each is default for each in samples):
            schema["default"] = default
        given = next((value for value in samples if isinstance(value, str) and value != default), "")
        if keywords.get("format") == "uuid" and not given:
            given = "00000000-0000-4000-8000-000000000000"  # shows what is asked for
        if schema["type"] == "string" and not {"enum", "x-sensitive"} & schema.keys() and is_short(given):
            schema["x-placeholder"] = given
        return Flat(schema, samples, keywords.get("readOnly") is True, keywords.get("deprecated") is True)


def _annotations(shape: Shape, parts: Sequence[Part]) -> Schema:
    found: Schema = {}
    text = shape.keywords.get("description")
    # What a schema elsewhere is called is the name of a type, not of this field.
    titles = (each.value["title"] for each in parts if isinstance(each.value, dict) and "title" in each.value)
    title = next(titles, None)
    if isinstance(title, str) and re.fullmatch(r"[A-Z][a-z]+( [A-Za-z]+){0,4}", title.strip()):
        found["title"] = title_of_text(title)
    if isinstance(text, str) and (told := description_of(text, _LONGEST_DESCRIPTION)):
        found["description"] = told
    return found


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(shape: Shape) -> str | None:
    kinds = ("string", "object", "array", "number", "integer", "boolean")
    if kind := next((kind for kind in kinds if kind in (shape.types or ())), None):
        return kind
    if shape.properties or shape.is_open:
        return "object"
    if shape.items:
        return "array"
    values = [value for value in shape.values or () if value is not None]
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    if values and all(map(_is_number, values)):
        return "integer" if all(isinstance(value, int) for value in values) else "number"
    if values or {"format", "pattern"} & shape.keywords.keys():
        return "string"
    return "number" if {"minimum", "maximum"} & shape.keywords.keys() else None
