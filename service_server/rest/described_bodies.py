"""
What the description says of POST bodies.

Handlers read bodies themselves, because a form is read by the schema of what it is for; so the framework sees none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar.openapi.spec import Encoding, OpenAPIMediaType, OpenAPIResponse, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIType

from service_server.rest.bodies import FORM
from service_server.rest.fields import Field

_BYTES = "application/octet-stream"
_KEYWORDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "min_length",
    "maxLength": "max_length",
    "maxItems": "max_items",
    "maxProperties": "max_properties",
    "pattern": "pattern",
}


def taking_arguments() -> type[Operation]:
    """An operation whose body is an object of a function's arguments."""
    schema = Schema(type=OpenAPIType.OBJECT, additional_properties=True, description="The parameters as keys.")
    return _taking(schema, required=False)


def taking_fields(fields: Mapping[str, Field]) -> type[Operation]:
    """An operation whose body holds these fields and no others."""
    required = [name for name, field in fields.items() if field.required]
    schema = Schema(
        type=OpenAPIType.OBJECT,
        properties={name: _schema(field) for name, field in fields.items()},
        required=required or None,
        additional_properties=False,
    )
    return _taking(schema, required=bool(required))


def taking_json(schema: Schema, *, required: bool) -> type[Operation]:
    """An operation whose body is JSON and never a form."""
    return _taking(schema, required=required, forms=("application/json",))


def taking_bytes() -> type[Operation]:
    """An operation whose body is a file, of whatever media type."""
    schema = Schema(type=OpenAPIType.STRING, content_media_type=_BYTES, description="The file, as it is.")
    return _taking(schema, required=False, forms=(_BYTES,))


def giving_files(*media_types: str) -> type[Operation]:
    """An operation whose answer is a file of one of these media types."""

    @dataclass
    class WithFile(Operation):
        """An operation with this answer."""

        def __post_init__(self) -> None:
            """Say what the answer is."""
            answer = (self.responses or {})["200"]
            assert isinstance(answer, OpenAPIResponse)  # noqa: S101  the framework makes one
            answer.content = {each: OpenAPIMediaType() for each in media_types}

    return WithFile


def _of_objects(schema: Schema) -> dict[str, Encoding] | None:
    """How a form holds objects: as name[key]=value."""
    objects = [
        name
        for name, each in (schema.properties or {}).items()
        if isinstance(each, Schema) and each.type == OpenAPIType.OBJECT
    ]
    return {name: Encoding(content_type=None, style="deepObject", explode=True) for name in objects} or None


def _taking(schema: Schema, *, required: bool, forms: Sequence[str] = ("application/json", FORM)) -> type[Operation]:
    content = {
        form: OpenAPIMediaType(schema=schema, encoding=_of_objects(schema) if form == FORM else None) for form in forms
    }
    body = RequestBody(content=content, required=required)

    @dataclass
    class WithBody(Operation):
        """An operation with this body."""

        def __post_init__(self) -> None:
            """Add the body."""
            self.request_body = body

    return WithBody


def _schema(field: Field) -> Schema:
    return _as_described(field.schema)


def _as_described(schema: Mapping[str, Any]) -> Schema:
    keywords = {_KEYWORDS[name]: value for name, value in schema.items() if name in _KEYWORDS}
    items = _as_described(schema["items"]) if "items" in schema else None
    if "additionalProperties" in schema:
        keywords["additional_properties"] = _as_described(schema["additionalProperties"])
    if "propertyNames" in schema:
        keywords["property_names"] = _as_described(schema["propertyNames"])
    return Schema(type=OpenAPIType(schema["type"]), items=items, **keywords)
