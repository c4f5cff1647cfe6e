"""Schemas are flattened to the five types that parameters have."""

from typing import Any

import pytest

from service_server.openapi_import.report import Report
from tests.service_server.openapi_import.made_documents import (
    TEXT,
    document,
    holding,
    json_body,
    parameter,
    sending,
    taken,
)

WHOLE = {"type": "number", "multipleOf": 1}
INTEGER = {"type": "integer"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({**INTEGER, "minimum": 1}, {**WHOLE, "minimum": 1}),
        ({**INTEGER, "minimum": 1, "exclusiveMinimum": True}, {**WHOLE, "minimum": 2}),
        ({**INTEGER, "exclusiveMaximum": 9}, {**WHOLE, "maximum": 8}),
        ({"type": "number", "maximum": 2.5}, {"type": "number", "maximum": 2.5}),
        ({**TEXT, "format": "date-time"}, {**TEXT, "format": "date-time"}),
        ({**TEXT, "format": "hostname"}, TEXT),
        ({**TEXT, "format": "uuid"}, {**TEXT, "x-placeholder": "00000000-0000-4000-8000-000000000000"}),
        ({**TEXT, "pattern": "^[a-z]+$"}, {**TEXT, "pattern": "^[a-z]+$"}),
        ({**TEXT, "pattern": "("}, TEXT),
        ({"type": ["string", "null"]}, TEXT),
        ({**TEXT, "nullable": True}, TEXT),
        ({**TEXT, "enum": ["a", "b", None, "a"]}, {**TEXT, "enum": ["a", "b"]}),
        ({"enum": [1, 2]}, {**WHOLE, "enum": [1, 2]}),
        ({**TEXT, "enum": [True, 2]}, {**TEXT, "enum": ["true", "2"]}),
        ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
        ({**INTEGER, "default": "many"}, WHOLE),
        ({"type": "array", "items": INTEGER}, {"type": "array", "items": WHOLE}),
        ({"type": "array"}, {"type": "array", "items": TEXT}),
        ({"type": "object"}, {"type": "object"}),
        ({"type": "object", "additionalProperties": TEXT}, {"type": "object"}),
        ({**TEXT, "format": "password"}, {**TEXT, "x-sensitive": True}),
        ({**TEXT, "example": "octocat"}, {**TEXT, "x-placeholder": "octocat"}),
        ({"anyOf": [TEXT, {"type": "null"}]}, TEXT),
        ({"oneOf": [INTEGER, TEXT]}, TEXT),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {**TEXT, "enum": ["a", "b"]}),
        ({"oneOf": [TEXT, {"type": "array", "items": TEXT}]}, {"type": "array", "items": TEXT}),
        ({"oneOf": [{"type": "object"}, {"type": "array", "items": {}}]}, {"type": "object"}),
        ({"anyOf": [{**INTEGER, "minimum": 3}, {**INTEGER, "minimum": 1}]}, {**WHOLE, "minimum": 1}),
        ({"allOf": [{**INTEGER, "minimum": 1}, {"minimum": 4}]}, {**WHOLE, "minimum": 4}),
    ],
)
def test_one_value(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    """Each schema becomes the one of the five types that says most of it."""
    found = parameter(schema)

    assert expected == {key: found[key] for key in found if key not in ("title", "description", "x-typed-in")}


def test_objects_keep_what_they_need() -> None:
    """Nested objects keep their fields and which are required; read-only and deprecated ones are not sent."""
    left_out = {"id": {**TEXT, "readOnly": True}, "fax": {**TEXT, "deprecated": True}}
    found = parameter(holding("street", "id", street=TEXT, **left_out))

    assert {"street"} == set(found["properties"])
    assert ["street"] == found["required"]
    assert "additionalProperties" not in found


def imported_body(schema: dict[str, Any], **schemas: Any) -> tuple[dict[str, Any], Report]:
    """Import an operation whose body this is; returns its parameters, and the report."""
    paths = {"/things": {"post": {"requestBody": json_body(schema)}}}
    imported = taken(document(paths, openapi="3.1.0", components={"schemas": schemas}))
    [function] = imported.functions.values()
    return function["parameters"]["properties"], imported.report


def named(schema: str) -> dict[str, str]:
    """Refer to a schema of the document."""
    return {"$ref": f"#/components/schemas/{schema}"}


def test_forms_of_an_object_are_merged() -> None:
    """Objects of which one has to fit become one with the fields of all; what only some need is optional, and told."""
    card = holding("kind", "number", kind={"const": "card"}, number=TEXT)
    bank = holding("kind", "iban", kind={"const": "bank"}, iban=TEXT)
    fields, report = imported_body(holding("by", by={"oneOf": [card, bank]}, sum={"type": "number"}))
    found = fields["by"]

    assert ["card", "bank"] == found["properties"]["kind"]["enum"]
    assert ["kind"] == found["required"]
    assert {"number", "iban", "kind"} == set(found["properties"])
    assert ["by"] == [each.where for each in report.flattened]


def test_all_of_is_joined_with_references() -> None:
    """`allOf` joins the fields of everything in it, through references and beside own fields."""
    schemas = {
        "Base": holding("name", name={**TEXT, "description": "Base."}),
        "Thing": {"allOf": [named("Base"), {"properties": {"size": INTEGER}}], "required": ["size"]},
    }
    function = sending(named("Thing"), components={"schemas": schemas})

    assert ["name", "size"] == sorted(function["parameters"]["required"])
    assert {"name": "${args.name}", "size": "${args.size}"} == function["request"]["body"]


def test_recursive_schemas_are_cut() -> None:
    """A schema that holds itself becomes any object there, and the report says so."""
    fields, report = imported_body(named("Node"), Node=holding(name=TEXT, next=named("Node")))

    assert {"type", "title", "description", "x-typed-in"} == set(fields["next"])
    assert [("next", "holds itself; any object is taken")] == [(each.where, each.what) for each in report.flattened]


def test_schemas_that_multiply_are_cut() -> None:
    """References and alternatives that double with every level neither take long nor make a file that is too large."""
    levels = range(40)
    many = {f"L{level}": holding(**dict.fromkeys("abcdefgh", named(f"L{level + 1}"))) for level in levels}
    forms = {f"L{level}": {"oneOf": [*[named(f"L{level + 1}")] * 6, TEXT]} for level in levels}

    assert set("abcdefgh") == set(imported_body(named("L0"), **many, L40=TEXT)[0])
    assert ["x"] == list(imported_body(holding(x=named("L0")), **forms, L40=TEXT)[0])


@pytest.mark.parametrize(
    ("name", "schema", "sensitive"),
    [
        ("password", TEXT, True),
        ("client_secret", TEXT, True),
        ("access_token", TEXT, True),
        ("pin", {**TEXT, "writeOnly": True}, True),
        ("name", TEXT, False),
        ("token_count", TEXT, False),
    ],
)
def test_secrets_are_not_logged(name: str, schema: dict[str, Any], sensitive: bool) -> None:
    """A text that is called like a secret, or only ever written, is marked so that no log keeps it."""
    assert sensitive == parameter(schema, name=name).get("x-sensitive", False)


def test_titles_are_the_fields_own() -> None:
    """A field is called by its own title or its name, not by the type it refers to; every field has words."""
    filters = {"title": "Single filter request", **holding(a=TEXT)}
    members = holding(query=named("Filter"), sort={**TEXT, "title": "Order"}, customer_id=TEXT)
    fields, _ = imported_body(members, Filter=filters)

    assert ["Query", "Order", "Customer ID"] == [field["title"] for field in fields.values()]
    assert "The ID of the customer." == fields["customer_id"]["description"]
