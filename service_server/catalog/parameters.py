"""A function's parameters: what is published of them, what checks the arguments, and what must not be logged."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jsonschema_rs

from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import references
from service_server.catalog.formats import FORMATS
from service_server.catalog.problems import Report, nearest
from service_server.catalog.templates import is_open

_FOR_TYPES = {
    "items": {"array"},
    "properties": {"object"},
    "required": {"object"},
    "additionalProperties": {"object"},
    "format": {"string"},
    "pattern": {"string"},
    "minimum": {"number"},
    "maximum": {"number"},
    "multipleOf": {"number"},
    "enum": {"string", "number"},
    "x-fields": {"object"},
    "x-source": {"string", "number", "array"},
    "x-labels": {"string", "number"},
    "x-multiline": {"string"},
}


def check_parameters(report: Report, path: KeyPath, schema: Mapping[str, Any]) -> None:
    """Report what the form of a parameter schema allows but which means nothing, at every depth."""
    kind = schema["type"]
    before = len(report.problems)
    for keyword in schema:
        types = _FOR_TYPES.get(keyword)
        if types is not None and kind not in types:
            report.add((*path, keyword), f"'{keyword}' means nothing for the type {kind}")
    if kind == "array" and "items" not in schema:
        report.add(path, "an array needs 'items' with the type of its items")
    properties = schema.get("properties", {})
    for index, name in enumerate(schema.get("required", ())):
        if name not in properties:
            report.add((*path, "required", index), f"'{name}' is not in 'properties'{nearest(name, properties)}")
    for name, child in properties.items():
        check_parameters(report, (*path, "properties", name), child)
    if kind == "array" and "items" in schema:
        for keyword in ("x-source", "x-sensitive"):
            if keyword in schema["items"]:
                report.add((*path, "items", keyword), f"'{keyword}' stands on the array, not on its items")
        check_parameters(report, (*path, "items"), schema["items"])
    _check_file(report, path, schema)
    _check_labels(report, path, schema)
    if len(report.problems) == before:
        _check_values(report, path, schema)


def _check_file(report: Report, path: KeyPath, schema: Mapping[str, Any]) -> None:
    if schema.get("format") != "file":
        return
    depth = len([key for key in path if key in ("properties", "items")])
    listed = path[-1:] == ("items",)
    if depth > 1 + listed:
        report.add((*path, "format"), "a file is a parameter of the function itself, or an item of one that is a list")
    for keyword in ("enum", "default", "x-source", "x-multiline"):
        if keyword in schema:
            report.add((*path, keyword), f"'{keyword}' means nothing for a file")


def _check_labels(report: Report, path: KeyPath, schema: Mapping[str, Any]) -> None:
    values = [str(value) for value in schema.get("enum", ())]
    for value in schema.get("x-labels", {}):
        if value not in values:
            report.add((*path, "x-labels", value), f"'{value}' is not in 'enum'{nearest(value, values)}")


def file_parameters(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the parameters that take a file, or a list of files."""
    properties = schema.get("properties", {})
    return tuple(
        name for name, each in properties.items() if "file" in (each.get("format"), each.get("items", {}).get("format"))
    )


def _check_values(report: Report, path: KeyPath, schema: Mapping[str, Any]) -> None:
    validator = arguments_validator(schema)
    for key, values in (
        ("default", [schema["default"]] if "default" in schema else []),
        ("enum", schema.get("enum", [])),
    ):
        for value in values:
            error = next(validator.iter_errors(value), None)
            if error is not None:
                report.add((*path, key), error.message)


def published_schema(
    schema: Mapping[str, Any],
    describe: Callable[[Mapping[str, Any]], str] = lambda field: field.get("description", ""),
    closes: bool = False,
) -> dict[str, Any]:
    """
    Return what the wire carries of a schema: no `x-` keys, no openness, and the keys clients count on.

    `describe` gives the published description of a field. With `closes`, objects that list their keys take no others.
    """
    published: dict[str, Any] = {
        key: value for key, value in schema.items() if not key.startswith("x-") and key != "additionalProperties"
    }
    if description := describe(schema):
        published["description"] = description
    if schema["type"] == "object":
        published["properties"] = {
            name: published_schema(child, describe, closes) for name, child in schema.get("properties", {}).items()
        }
        if closes and not is_open(schema):
            published["additionalProperties"] = False
    if schema["type"] == "array":
        published["items"] = published_schema(schema["items"], describe, closes)
    return published


def arguments_validator(schema: Mapping[str, Any]) -> jsonschema_rs.Validator:
    """Return what checks values against a parameter schema, their formats too."""
    return jsonschema_rs.validator_for(published_schema(schema, closes=True), validate_formats=True, formats=FORMATS)


def walk_fields(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every field below an object with its path (`a`, `a.b`, `a[].b`), parents first."""
    for name, child in schema.get("properties", {}).items():
        below = f"{path}.{name}" if path else name
        yield below, child
        while child["type"] == "array":
            child, below = child["items"], f"{below}[]"
        yield from walk_fields(child, below)


def sensitive_paths(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the paths of the fields whose values must never be logged."""
    return frozenset(path for path, field in walk_fields(schema) if field.get("x-sensitive"))


def sent_defaults(templates: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the defaults of what nobody has to give and yet a request always sends: `${args.name}` without a `?`."""
    insisted = {
        reference.keys[0]
        for _, reference in references(templates)
        if reference.root == "args" and reference.keys and not reference.optional
    }
    return {
        name: schema["default"]
        for name, schema in parameters["properties"].items()
        if "default" in schema and name in insisted.difference(parameters.get("required", ()))
    }


def with_defaults_required(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as a request finds their values: none that has a default is absent."""
    there = [name for name, schema in parameters["properties"].items() if "default" in schema]
    return {**parameters, "required": [*parameters.get("required", ()), *there]}
