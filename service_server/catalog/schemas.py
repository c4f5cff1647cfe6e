"""Checks the form of connector files by the JSON Schemas that editors use too, and says plainly what is wrong."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import jsonschema_rs

from service_server.catalog.expressions import parse_path
from service_server.catalog.format.json_schema import CLASSES, FileKind, Schema, schema_of
from service_server.catalog.format.read import read
from service_server.catalog.output import compile_output
from service_server.catalog.problems import Report, nearest
from service_server.catalog.regular_expressions import problem_with
from service_server.onward.target import parse_target
from service_server.onward.values import HostPattern

_WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "empty",
}


def _check_expression(text: str) -> None:
    if (problem := problem_with(text)) is not None:
        raise ValueError(f"is not a regular expression: {problem}")


_FORMATS: Final[Mapping[str, Callable[[str], object]]] = {
    "dotted-path": parse_path,
    "host-pattern": HostPattern.parse,
    "jmespath": compile_output,
    "regex": _check_expression,
    "uri": parse_target,
}
"""What raises ValueError, and says why, for a text that isn't of a form."""

# What stands below these keywords is about another value; items are what their list is said to hold.
_INNER = frozenset({"properties", "additionalProperties", "$defs"})


def read_form(report: Report, kind: FileKind) -> Any:
    """Return what a file of a kind says; None where its form is wrong, and what is wrong with it is reported."""
    errors = list(_validator(kind).iter_errors(report.document.value))
    for error in errors:
        _report(report, error, *_around(schema_of(kind), error.schema_path[:-1]))
    return None if errors else read(CLASSES[kind], report.document.value)


@cache
def _validator(kind: FileKind) -> jsonschema_rs.Validator:
    formats: dict[str, Callable[..., bool]] = {form: partial(_passes, check) for form, check in _FORMATS.items()}
    return jsonschema_rs.validator_for(schema_of(kind), validate_formats=True, formats=formats)


def _passes(check: Callable[[str], object], text: str) -> bool:
    try:
        check(text)
    except ValueError:
        return False
    return True


def _report(report: Report, error: jsonschema_rs.ValidationError, schema: Schema, explained: str) -> None:
    path = tuple(error.instance_path)
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.AdditionalProperties(unexpected):
            known = schema["properties"]
            for name in unexpected:
                hint = nearest(name, known) or f"; known are {', '.join(known)}"
                report.add((*path, name), f"unknown key '{name}'{hint}")
        case jsonschema_rs.ValidationErrorKind.Required(name):
            report.add(path, f"the key '{name}' is missing")
        case jsonschema_rs.ValidationErrorKind.PropertyNames(wrong):
            report.add(path, f"the name '{wrong.instance}' must match {schema['pattern']}{explained}")
        case jsonschema_rs.ValidationErrorKind.Format(form):
            with report.telling(path):
                _FORMATS[form](str(error.instance))
        case _:
            report.add(path, _message(error, schema) + explained)


def _message(error: jsonschema_rs.ValidationError, schema: Schema) -> str:
    match str(error.schema_path[-1]):
        case "oneOf":
            return f"needs exactly one of {', '.join(name for each in schema['oneOf'] for name in each['required'])}"
        case "enum" | "const":
            allowed = schema.get("enum", [schema.get("const")])
            texts = [each if isinstance(each, str) else json.dumps(each) for each in allowed]
            hint = nearest(error.instance, texts) if isinstance(error.instance, str) else ""
            return f"must be one of {', '.join(texts)}{hint}"
        case "type":
            wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            return f"must be {' or '.join(_WORDS[word] for word in wanted)}"
        case "pattern":
            return f"must match {schema['pattern']}"
        case _:
            return error.message


def _around(schema: Schema, path: list[str | int]) -> tuple[Schema, str]:
    """Return the part of the schema at a path, and in brackets what it, or one around it, says of the value."""
    found: Any = schema
    said, is_name = "", False
    for key in path:
        found = found[key]
        is_other = is_name or key in _INNER
        is_name = key in ("properties", "$defs") and not is_name
        if isinstance(found, dict):
            said = found.get("description", "" if is_other else said)
    return found, f" ({said})" if said else ""
