"""How the fields of a function are shown: made from its parameter schema."""

import re
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

_FOR_PROGRAMS = re.compile(r"\b(ids?|gids?|SIDs?|UUIDs?)\b|\b[a-z][a-z0-9_]*-[a-z-]+ (gives|tells)\b", re.IGNORECASE)
_OF_AN_ID = re.compile(
    r"The (ids?|gids?|SIDs?|UUIDs?|numbers?|keys?|names?)( \([^)]*\))?( or (e-mail address(es)?|names?|keys?))? of ",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r", (such )?as |: |, or |, which (is|begins) ")


def field_metas(app_name: str, parameters: Mapping[str, Any]) -> dict[str, FieldMeta]:
    """Return what a form needs to know of every field, by path (`a`, `a.b`, `a[].b`)."""
    return {
        path: FieldMeta(
            title=field.get("title", path.rpartition(".")[2]),
            widget=_widget(field),
            placeholder=field.get("x-placeholder", ""),
            help=_help(field),
            default=field.get("default"),
            options=_options(field) if "enum" in field else None,
            source=source_of(app_name, field),
            dynamic_fields=dynamic_fields_of(app_name, field),
        )
        for path, field in walk_fields(parameters)
    }


def _options(field: Mapping[str, Any]) -> tuple[Any, ...]:
    labels: Mapping[str, str] = field.get("x-labels", {})
    values = field["enum"]
    if not labels:
        return tuple(values)
    return tuple({"value": value, "label": labels.get(str(value), str(value))} for value in values)


def _help(field: Mapping[str, Any]) -> str | None:
    """
    Return what people read at a field whose values they choose by name: its description without the ids.

    "The id of the task that it is a part of; T1 for none" is there "The task that it is a part of; T1 for none". What
    is left says nothing if it is only the title again. Dynamic fields speak for themselves.
    """
    if "x-fields" in field:
        return ""
    description: str = field.get("description", "")
    found = _OF_AN_ID.match(description) if "x-source" in field else None
    if found is None:
        return None
    first, *others = description[found.end() :].removesuffix(".").split("; ")
    said = _EXAMPLE.split(first, maxsplit=1)[0]
    if said.removeprefix("the ").casefold() == field.get("title", "").casefold():
        said = ""
    clauses = [each for each in (said, *others) if each and not _FOR_PROGRAMS.search(each)]
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}." if text else ""


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
