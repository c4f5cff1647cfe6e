"""Strategies for the functions that the form tests fill in."""

from datetime import datetime
from typing import Any

from hypothesis import strategies as st

from examples.gallery.functions import function
from service_client.models import Function

_names = st.text(min_size=1, max_size=8)
_FORMATS = ["date", "date-time", "time", "email", "uri"]
_texts = st.text(min_size=1, max_size=20)
_numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
_json = st.recursive(
    st.none() | st.booleans() | _numbers | st.text(max_size=10),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=8,
)


@st.composite
def schemas(draw: st.DrawFn, depth: int = 0) -> dict[str, Any]:
    """Any property schema that the contract allows."""
    kinds = ["string", "integer", "number", "boolean", "enum", "numbers", "json", *_FORMATS]
    kind = draw(st.sampled_from(kinds + (["array", "object"] if depth < 3 else [])))
    match kind:
        case "enum":
            return {"type": "string", "enum": draw(st.lists(_texts, min_size=1, max_size=4, unique=True))}
        case "numbers":
            return {"type": "number", "enum": draw(st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True))}
        case "integer":
            return {"type": "number", "multipleOf": 1, "minimum": -(10**20), "maximum": 10**20}
        case _ if kind in _FORMATS:
            return {"type": "string", "format": kind}
        case "json":
            return {"type": "object", "properties": {}}
        case "array":
            return {"type": "array", "items": draw(schemas(depth=depth + 1))}
        case "object":
            properties = draw(st.dictionaries(_names, schemas(depth=depth + 1), min_size=1, max_size=4))
            required = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
            return {"type": "object", "properties": properties, "required": required}
    return {"type": kind}


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Any valid value of a schema but empty texts, which a form can't tell from nothing typed."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"], schema.get("format"):
        case "string", "date":
            return st.dates().map(lambda day: day.isoformat())
        case "string", "date-time":
            return st.datetimes(timezones=st.timezones() | st.none()).map(_moment).filter(bool)
        case "string", "time":
            return st.from_regex(r"\A([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?\Z")
        case "string", "email":
            return st.from_regex(r"\A[a-z0-9]{1,9}@[a-z]{1,9}\.example\Z")
        case "string", "uri":
            return st.from_regex(r"\Ahttps?://[a-z]{1,9}\.example/[a-z0-9/]{0,9}\Z")
        case "string", _:
            return _texts
        case "number", _:
            return st.integers(-(10**20), 10**20) if schema.get("multipleOf") else _numbers
        case "boolean", _:
            return st.booleans()
        case "array", _:
            return st.lists(values(schema["items"]), max_size=3)
    if not schema["properties"]:
        return st.dictionaries(st.text(max_size=5), _json, max_size=3)
    required = set(schema.get("required", ()))
    members = {name: values(below) for name, below in schema["properties"].items()}
    return st.fixed_dictionaries(
        {name: member for name, member in members.items() if name in required},
        optional={name: member for name, member in members.items() if name not in required},
    )


def _moment(moment: datetime) -> str:
    """Write a moment with an offset of whole minutes, as JSON Schema wants it; "" where history had odd seconds."""
    offset = moment.utcoffset()
    if offset is None:
        return f"{moment.isoformat()}Z"
    return "" if offset.total_seconds() % 60 else moment.isoformat()


@st.composite
def functions_with_arguments(draw: st.DrawFn) -> tuple[Function, dict[str, Any]]:
    """Any function, and arguments that are valid for it."""
    properties = draw(st.dictionaries(_names, schemas(), max_size=5))
    required = tuple(draw(st.lists(st.sampled_from(sorted(properties)), unique=True))) if properties else ()
    arguments = draw(
        values({"type": "object", "properties": properties, "required": required}) if properties else st.just({})
    )
    return function(properties, required), arguments
