"""Checks connector files against their JSON Schemas, the ones that editors use too, and says plainly what is wrong."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import jsonschema_rs

from service_server.catalog.problems import Report, dotted, nearest

SCHEMAS = Path(__file__).parent / "schema"

FileKind: TypeAlias = Literal["connector", "function"]

_KINDS: tuple[FileKind, ...] = ("connector", "function")
_WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "empty",
}


def check_form(report: Report, kind: FileKind) -> bool:
    """Report whatever in the document doesn't follow the schema of its kind; tell whether it all does."""
    errors = list(_validator(kind).iter_errors(report.document.value))
    for error in errors:
        _report(report, kind, error)
    return not errors


@cache
def schema_of(kind: FileKind) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{kind}.schema.json").read_text(encoding="utf-8"))
    return schema


@cache
def _validator(kind: FileKind) -> jsonschema_rs.Validator:
    registry = jsonschema_rs.Registry([(f"file:///{each}.schema.json", schema_of(each)) for each in _KINDS])
    return jsonschema_rs.validator_for(schema_of(kind), base_uri=f"file:///{kind}.schema.json", registry=registry)


def _report(report: Report, kind: FileKind, error: jsonschema_rs.ValidationError) -> None:
    path = tuple(error.instance_path)
    keyword = str(error.schema_path[-1]) if error.schema_path else ""
    schema = _around(kind, error.schema_path)
    details = error.kind
    if isinstance(details, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        known = schema.get("properties", {})
        for name in details.unexpected:
            hint = nearest(name, known) or (f"; known are {', '.join(known)}" if known else "")
            report.add((*path, name), f"unknown key '{name}'{hint}")
        return
    if isinstance(details, jsonschema_rs.ValidationErrorKind.Required):
        report.add(path, f"the key '{details.property}' is missing")
    elif isinstance(details, jsonschema_rs.ValidationErrorKind.PropertyNames):
        pattern = schema.get("propertyNames", {}).get("pattern", "")
        report.add(path, f"{details.error.message}: names here must match {pattern}")
    elif keyword == "oneOf":
        names = [name for option in schema["oneOf"] for name in option.get("required", ())]
        report.add(path, f"needs exactly one of {', '.join(names)}")
    elif keyword == "enum":
        report.add(path, _enum_message(schema["enum"], report, path))
    elif keyword == "type":
        wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        report.add(path, f"must be {' or '.join(_WORDS[word] for word in wanted)}")
    elif keyword == "pattern":
        report.add(path, f"must match {schema['pattern']}{_explained(schema)}")
    elif keyword == "anyOf":
        report.add(path, f"must be {_alternatives(kind, schema)}{_explained(schema)}")
    else:
        report.add(path, f"{error.message}{_explained(schema)}")


def _explained(schema: dict[str, Any]) -> str:
    description = schema.get("description")
    return "" if description is None else f" ({description})"


def _alternatives(kind: FileKind, schema: dict[str, Any]) -> str:
    """Say what a value may be, of which there are several kinds."""
    words: list[str] = []
    for option in schema["anyOf"]:
        if "$ref" in option:
            name = option["$ref"].rpartition("/")[2]
            found = next(each["$defs"][name] for each in map(schema_of, _KINDS) if name in each["$defs"])
            option = {"type": "object"} if "properties" in found else found
        if "const" in option:
            words.append(json.dumps(option["const"]))
        elif "anyOf" in option:
            words.append(_alternatives(kind, option))
        else:
            kinds = option["type"] if isinstance(option["type"], list) else [option["type"]]
            words.extend(_WORDS[each] for each in kinds)
    return " or ".join(dict.fromkeys(words))


def _enum_message(allowed: list[Any], report: Report, path: tuple[str | int, ...]) -> str:
    value = report.document.value
    for key in path:
        value = value[key]
    hint = nearest(value, [text for text in allowed if isinstance(text, str)]) if isinstance(value, str) else ""
    return f"must be one of {', '.join(map(str, allowed))}{hint}"


def _around(kind: FileKind, path: list[str | int]) -> dict[str, Any]:
    """Return the part of the schema that holds the keyword an error is about."""
    for schema in (schema_of(kind), schema_of("function"), schema_of("connector")):
        found: Any = schema
        try:
            for key in path[:-1]:
                found = found[key]
        except (KeyError, IndexError, TypeError):
            continue
        if isinstance(found, dict):
            return found
    raise LookupError(f"no schema at {dotted(path)}")
