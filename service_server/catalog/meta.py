"""How the fields of a function are shown: made from its parameter schema."""

from collections.abc import Mapping
from typing import Any

from service_client.models import FieldMeta
from service_server.catalog.parameters import walk_fields
from service_server.catalog.sources import dynamic_fields_of, source_of

_WIDGETS_OF_FORMATS = {
    "date": "date",
    "date-time": "datetime",
    "time": "time",
    "email": "email",
    "file": "file",
    "uri": "url",
}
_WIDGETS_OF_TYPES = {"string": "text", "number": "number", "boolean": "checkbox", "array": "list", "object": "group"}


def field_metas(app_name: str, parameters: Mapping[str, Any]) -> dict[str, FieldMeta]:
    """Return what a form needs to know of every field, by path (`a`, `a.b`, `a[].b`)."""
    return {path: _field_meta(app_name, path, field) for path, field in walk_fields(parameters)}


def _field_meta(app_name: str, path: str, field: Mapping[str, Any]) -> FieldMeta:
    return FieldMeta(
        title=field.get("title", path.rpartition(".")[2]),
        widget=_widget(field),
        placeholder=field.get("x-placeholder", ""),
        default=field.get("default"),
        options=tuple(field["enum"]) if "enum" in field else None,
        source=source_of(app_name, field),
        dynamic_fields=dynamic_fields_of(app_name, field),
    )


def _widget(field: Mapping[str, Any]) -> str:
    if "x-fields" in field:
        return "fields"
    if field["type"] == "object" and not field.get("properties"):
        return "json"
    if "enum" in field or ("x-source" in field and field["type"] != "array"):
        return "select"
    if field.get("x-multiline"):
        return "multiline"
    return _WIDGETS_OF_FORMATS.get(field.get("format", ""), _WIDGETS_OF_TYPES[field["type"]])
