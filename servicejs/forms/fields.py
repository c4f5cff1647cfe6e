"""The fields of a form, made from a function's parameters and its meta."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import attrs
from attrs import field as attribute
from attrs import frozen

from service_client.models import DynamicFields, FieldMeta, Function, Source
from servicejs.forms.options import Option, options_from

Kind = Literal["string", "number", "boolean", "array", "object", "json"]
Control = Literal[
    "text",
    "multiline",
    "date",
    "datetime",
    "time",
    "number",
    "checkbox",
    "tristate",
    "choice",
    "source",
    "file",
    "choices",
    "list",
    "group",
    "json",
]

DEEPEST = 8
"""Objects and arrays nested deeper than this are edited as JSON text."""

_CONTROL_OF_FORMAT: dict[str, Control] = {"date": "date", "date-time": "datetime", "time": "time", "file": "file"}
_CONTROL_OF_WIDGET: dict[str, Control] = {
    "multiline": "multiline",
    "textarea": "multiline",
    "date": "date",
    "datetime": "datetime",
    "date-time": "datetime",
    "time": "time",
    "json": "json",
}
_FORMAT_OF_WIDGET = {
    "email": "email",
    "url": "uri",
    "date": "date",
    "datetime": "date-time",
    "date-time": "date-time",
    "time": "time",
}


@frozen(kw_only=True)
class Limits:
    """What JSON Schema says of a value besides its type; None where it says nothing."""

    integer: bool = False
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None
    multiple_of: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    pattern: str = ""
    format: str = ""


@frozen(kw_only=True)
class Field:
    """
    One field of a form.

    Objects have `members`, arrays an `item`. An array whose control is `choices` holds values of a list, and has its
    item's `source`. A `json` field is edited as JSON text; `expects` says what it must hold (`object`, `array`, or
    nothing in particular).
    """

    name: str
    kind: Kind
    control: Control
    title: str
    description: str = ""
    required: bool = False
    placeholder: str = ""
    default: Any = None
    options: tuple[Option, ...] = ()
    limits: Limits = attribute(factory=Limits)
    members: "tuple[Field, ...]" = ()
    item: "Field | None" = None
    source: Source | None = None
    dynamic: DynamicFields | None = None
    expects: Literal["object", "array", ""] = ""


def function_field(function: Function) -> Field:
    """Make the object field whose members are the function's parameters."""
    meta = function.meta.fields if function.meta else {}
    parameters = function.parameters
    return Field(
        name="",
        kind="object",
        control="group",
        title=function.meta.title if function.meta else function.name,
        required=True,
        members=_members(parameters.properties, parameters.required, meta, "", 0),
    )


def field_from_schema(
    name: str, schema: Any, meta: Mapping[str, FieldMeta], *, template: str = "", required: bool = False, depth: int = 0
) -> Field:
    """
    Make a field from one property's schema.

    `template` is the field's path in `meta` (`a`, `a.b`, `a[].b`). If the schema is wrong or says too little, the field
    can still be filled in, as JSON text if need be.
    """
    schema = schema if isinstance(schema, dict) else {}
    field_meta = meta.get(template)
    plain = Field(
        name=name,
        kind="json",
        control="json",
        title=_title(name, schema, field_meta),
        description=_description(schema, field_meta),
        required=required,
        placeholder=field_meta.placeholder if field_meta else "",
        default=schema.get("default", field_meta.default if field_meta else None),
        limits=limits_from_schema(schema),
    )
    match schema.get("type") if depth < DEEPEST else None:
        case "array":
            return _array(plain, schema, meta, template, depth)
        case "object":
            return _object(plain, schema, meta, template, depth)
        case "string" | "number" | "integer" | "boolean" as kind:
            return _scalar(plain, kind, schema, field_meta)
    return plain


def as_json(field: Field) -> Field:
    """Return the same field, edited as JSON text."""
    expects: Literal["object", "array", ""] = field.kind if field.kind in ("object", "array") else ""
    return attrs.evolve(field, kind="json", control="json", expects=expects, source=None, dynamic=None)


def words_of_name(name: str) -> str:
    """Turn a parameter's name into words: `project_id` → `Project id`."""
    words = name.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] if words else name


def limits_from_schema(schema: Mapping[str, Any]) -> Limits:
    """Read the keywords that limit a value, leaving out those that make no sense."""
    multiple = _number(schema.get("multipleOf"))
    integer = schema.get("type") == "integer" or multiple == 1
    return Limits(
        integer=integer,
        minimum=_number(schema.get("minimum")),
        maximum=_number(schema.get("maximum")),
        exclusive_minimum=_number(schema.get("exclusiveMinimum")),
        exclusive_maximum=_number(schema.get("exclusiveMaximum")),
        multiple_of=multiple if multiple and multiple > 0 and not integer else None,
        min_length=_count(schema.get("minLength")),
        max_length=_count(schema.get("maxLength")),
        min_items=_count(schema.get("minItems")),
        max_items=_count(schema.get("maxItems")),
        pattern=_text(schema.get("pattern")),
        format=_text(schema.get("format")),
    )


def _members(
    properties: Any, required: Any, meta: Mapping[str, FieldMeta], template: str, depth: int
) -> tuple[Field, ...]:
    if not isinstance(properties, dict):
        return ()
    needed = set(required) if isinstance(required, list | tuple) else set()
    prefix = f"{template}." if template else ""
    return tuple(
        field_from_schema(name, schema, meta, template=prefix + name, required=name in needed, depth=depth)
        for name, schema in properties.items()
    )


def _object(plain: Field, schema: dict[str, Any], meta: Mapping[str, FieldMeta], template: str, depth: int) -> Field:
    field_meta = meta.get(template)
    dynamic = field_meta.dynamic_fields if field_meta else None
    members = _members(schema.get("properties"), schema.get("required"), meta, template, depth + 1)
    if not members and dynamic is None:
        return attrs.evolve(plain, expects="object")
    return attrs.evolve(plain, kind="object", control="group", members=members, dynamic=dynamic)


def _array(plain: Field, schema: dict[str, Any], meta: Mapping[str, FieldMeta], template: str, depth: int) -> Field:
    if not isinstance(schema.get("items"), dict):
        return attrs.evolve(plain, expects="array")
    item = field_from_schema("", schema["items"], meta, template=f"{template}[]", depth=depth + 1)
    field_meta = meta.get(template)
    if item.title == "" or item.title.endswith("[]"):  # nobody gave it a name of its own
        item = attrs.evolve(item, title=plain.title)
    if field_meta and item.kind in ("string", "number"):
        # Choices of a list are choices of its items: meta has no path of its own for bare items.
        if field_meta.source and not item.source:
            item = attrs.evolve(item, source=field_meta.source, control="source")
        elif field_meta.options and not item.options:
            item = attrs.evolve(item, options=options_from(field_meta.options), control="choice")
    if item.control in ("choice", "source"):
        return attrs.evolve(plain, kind="array", control="choices", item=item, source=item.source)
    return attrs.evolve(plain, kind="array", control="list", item=item)


def _scalar(plain: Field, kind: str, schema: dict[str, Any], field_meta: FieldMeta | None) -> Field:
    if kind == "boolean":
        return attrs.evolve(plain, kind="boolean", control="checkbox" if plain.required else "tristate")
    enum = schema.get("enum")
    options = _options(enum if isinstance(enum, list | tuple) else (), field_meta)
    source = field_meta.source if field_meta else None
    widget = field_meta.widget if field_meta else ""
    limits = plain.limits
    if kind == "string" and not limits.format:
        limits = attrs.evolve(limits, format=_FORMAT_OF_WIDGET.get(widget, ""))
    control: Control
    if options:
        control = "choice"
    elif source:
        control = "source"
    elif kind != "string":
        control = "number"
    else:
        control = _CONTROL_OF_FORMAT.get(limits.format) or _CONTROL_OF_WIDGET.get(widget, "text")
        control = "text" if control == "json" else control
    return attrs.evolve(
        plain,
        kind="string" if kind == "string" else "number",
        control=control,
        options=options,
        source=None if options else source,
        limits=limits,
    )


def _options(enum: Iterable[Any], field_meta: FieldMeta | None) -> tuple[Option, ...]:
    """The schema says which values are allowed; meta may have better words for them."""
    shown = options_from(field_meta.options or ()) if field_meta else ()
    allowed = options_from(enum)
    if not allowed:
        return shown
    words = {option.text: option.label for option in shown}
    return tuple(attrs.evolve(option, label=words.get(option.text, option.label)) for option in allowed)


def _title(name: str, schema: Mapping[str, Any], field_meta: FieldMeta | None) -> str:
    return (field_meta.title if field_meta else "") or _text(schema.get("title")) or words_of_name(name)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _description(schema: dict[str, Any], meta: FieldMeta | None) -> str:
    """The description for people: without the sentence that tells programs which function to call for the values."""
    if meta is not None and meta.help is not None:
        return meta.help
    text = _text(schema.get("description"))
    for listing in (meta.source, meta.dynamic_fields) if meta else ():
        if listing is not None:
            text = re.sub(rf"\s*\bCall {re.escape(listing.function)}\b[^.]*\.", "", text).strip()
    return text


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
