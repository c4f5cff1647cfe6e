"""Schemas are flattened to the five types that parameters have."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import (
    JSON_ANSWER,
    document,
    function_of,
    json_body,
    parameter,
    taken,
)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 1}, {"type": "number", "multipleOf": 1, "minimum": 1}),
        (
            {"type": "integer", "minimum": 1, "exclusiveMinimum": True},
            {"type": "number", "multipleOf": 1, "minimum": 2},
        ),
        ({"type": "integer", "exclusiveMaximum": 9}, {"type": "number", "multipleOf": 1, "maximum": 8}),
        ({"type": "number", "maximum": 2.5}, {"type": "number", "maximum": 2.5}),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        ({"type": "string", "format": "hostname"}, {"type": "string"}),
        (
            {"type": "string", "format": "uuid"},
            {"type": "string", "x-placeholder": "00000000-0000-4000-8000-000000000000"},
        ),
        ({"type": "string", "pattern": "^[a-z]+$"}, {"type": "string", "pattern": "^[a-z]+$"}),
        ({"type": "string", "pattern": "("}, {"type": "string"}),
        ({"type": ["string", "null"]}, {"type": "string"}),
        ({"type": "string", "nullable": True}, {"type": "string"}),
        ({"type": "string", "enum": ["a", "b", None, "a"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": [1, 2]}, {"type": "number", "multipleOf": 1, "enum": [1, 2]}),
        ({"type": "string", "enum": [True, 2]}, {"type": "string", "enum": ["true", "2"]}),
        ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
        ({"type": "integer", "default": "many"}, {"type": "number", "multipleOf": 1}),
        (
            {"type": "array", "items": {"type": "integer"}},
            {"type": "array", "items": {"type": "number", "multipleOf": 1}},
        ),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "object"}, {"type": "object"}),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"type": "object"}),
        ({"type": "string", "format": "password"}, {"type": "string", "x-sensitive": True}),
        ({"type": "string", "example": "octocat"}, {"type": "string", "x-placeholder": "octocat"}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string"}),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, {"type": "string"}),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {"type": "string", "enum": ["a", "b"]}),
        (
            {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            {"type": "array", "items": {"type": "string"}},
        ),
        ({"oneOf": [{"type": "object"}, {"type": "array", "items": {}}]}, {"type": "object"}),
        (
            {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "integer", "minimum": 1}]},
            {"type": "number", "multipleOf": 1, "minimum": 1},
        ),
        (
            {"allOf": [{"type": "integer", "minimum": 1}, {"minimum": 4}]},
            {"type": "number", "multipleOf": 1, "minimum": 4},
        ),
    ],
)
def test_one_value(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    """Each schema becomes the one of the five types that says most of it."""
    found = parameter(schema)

    assert expected == {key: found[key] for key in found if key not in ("title", "description", "x-typed-in")}


def test_objects_keep_what_they_need() -> None:
    """Nested objects keep their fields and which are required; read-only and deprecated ones are not sent."""
    found = parameter(
        {
            "type": "object",
            "required": ["street", "id"],
            "properties": {
                "street": {"type": "string"},
                "id": {"type": "string", "readOnly": True},
                "fax": {"type": "string", "deprecated": True},
            },
        }
    )

    assert {"street"} == set(found["properties"])
    assert ["street"] == found["required"]
    assert "additionalProperties" not in found


def test_forms_of_an_object_are_merged() -> None:
    """Objects of which one has to fit become one with the fields of all; what only some need is optional, and told."""
    card = {
        "type": "object",
        "required": ["kind", "number"],
        "properties": {"kind": {"const": "card"}, "number": {"type": "string"}},
    }
    bank = {
        "type": "object",
        "required": ["kind", "iban"],
        "properties": {"kind": {"const": "bank"}, "iban": {"type": "string"}},
    }
    imported = taken(
        document(
            {
                "/pay": {
                    "post": {
                        "requestBody": json_body(
                            {
                                "type": "object",
                                "required": ["by"],
                                "properties": {"by": {"oneOf": [card, bank]}, "sum": {"type": "number"}},
                            }
                        ),
                        "responses": JSON_ANSWER,
                    }
                }
            },
            openapi="3.1.0",
        )
    )
    [function] = imported.functions.values()
    found = function["parameters"]["properties"]["by"]

    assert ["card", "bank"] == found["properties"]["kind"]["enum"]
    assert ["kind"] == found["required"]
    assert {"number", "iban", "kind"} == set(found["properties"])
    assert ["by"] == [each.where for each in imported.report.flattened]


def test_all_of_is_joined_with_references() -> None:
    """`allOf` joins the fields of everything in it, through references and beside own fields."""
    schemas = {
        "Base": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string", "description": "Base."}},
        },
        "Thing": {
            "allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"size": {"type": "integer"}}}],
            "required": ["size"],
        },
    }
    function = function_of(
        "post",
        "/things",
        {"requestBody": json_body({"$ref": "#/components/schemas/Thing"})},
        components={"schemas": schemas},
    )

    assert ["name", "size"] == sorted(function["parameters"]["required"])
    assert {"name": "${args.name}", "size": "${args.size}"} == function["request"]["body"]


def test_recursive_schemas_are_cut() -> None:
    """A schema that holds itself becomes any object there, and the report says so."""
    schemas = {
        "Node": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "next": {"$ref": "#/components/schemas/Node"}},
        }
    }
    imported = taken(
        document(
            {
                "/nodes": {
                    "post": {"requestBody": json_body({"$ref": "#/components/schemas/Node"}), "responses": JSON_ANSWER}
                }
            },
            components={"schemas": schemas},
        )
    )
    [function] = imported.functions.values()

    assert {"type", "title", "description", "x-typed-in"} == set(function["parameters"]["properties"]["next"])
    assert [("next", "holds itself; any object is taken")] == [
        (each.where, each.what) for each in imported.report.flattened
    ]


def test_schemas_that_multiply_are_cut() -> None:
    """References that double with every level neither take long nor make a file that is too large."""
    schemas = {
        f"L{level}": {
            "type": "object",
            "properties": {side: {"$ref": f"#/components/schemas/L{level + 1}"} for side in "abcdefgh"},
        }
        for level in range(40)
    }
    schemas["L40"] = {"type": "string"}
    function = function_of(
        "post", "/x", {"requestBody": json_body({"$ref": "#/components/schemas/L0"})}, components={"schemas": schemas}
    )

    assert set("abcdefgh") == set(function["parameters"]["properties"])


def test_alternatives_that_multiply_are_cut() -> None:
    """Alternatives that double with every level are given up after a bounded number of schemas."""
    schemas: dict[str, Any] = {
        f"L{level}": {"oneOf": [{"$ref": f"#/components/schemas/L{level + 1}"}] * 6 + [{"type": "string"}]}
        for level in range(40)
    }
    schemas["L40"] = {"type": "string"}
    function = function_of(
        "post",
        "/x",
        {"requestBody": json_body({"type": "object", "properties": {"x": {"$ref": "#/components/schemas/L0"}}})},
        components={"schemas": schemas},
    )

    assert ["x"] == list(function["parameters"]["properties"])


@pytest.mark.parametrize(
    ("name", "schema", "sensitive"),
    [
        ("password", {"type": "string"}, True),
        ("client_secret", {"type": "string"}, True),
        ("access_token", {"type": "string"}, True),
        ("pin", {"type": "string", "writeOnly": True}, True),
        ("name", {"type": "string"}, False),
        ("token_count", {"type": "string"}, False),
    ],
)
def test_secrets_are_not_logged(name: str, schema: dict[str, Any], sensitive: bool) -> None:
    """A text that is called like a secret, or only ever written, is marked so that no log keeps it."""
    assert sensitive == parameter(schema, name=name).get("x-sensitive", False)


def test_titles_are_the_fields_own() -> None:
    """A field is called by its own title or its name, not by the type that it refers to."""
    schemas = {"Filter": {"title": "Single filter request", "type": "object", "properties": {"a": {"type": "string"}}}}
    members = {"query": {"$ref": "#/components/schemas/Filter"}, "sort": {"title": "Order", "type": "string"}}
    function = function_of(
        "post",
        "/x",
        {"requestBody": json_body({"type": "object", "properties": members})},
        components={"schemas": schemas},
    )

    assert ["Query", "Order"] == [field["title"] for field in function["parameters"]["properties"].values()]


def test_every_field_has_words() -> None:
    """A field without a title and description gets them from its name."""
    found = parameter({"type": "string"}, name="customer_id")

    assert ("Customer ID", "The ID of the customer.") == (found["title"], found["description"])
