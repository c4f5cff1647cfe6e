"""Hooks of the Notion connector: properties as fields of a form, and values and paragraphs the way Notion has them."""

import re
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_PIECE = 2_000  # characters that Notion takes in one
_MOST_PARAGRAPHS = 100
_FORMS = {
    "title": "text",
    "rich_text": "multiline",
    "number": "number",
    "select": "text",
    "status": "text",
    "multi_select": "array",
    "date": "date",
    "checkbox": "boolean",
    "url": "uri",
    "email": "email",
    "phone_number": "text",
}


def properties_as_fields(body: Any) -> Any:
    """Return the properties of a database or page that a form can fill; their keys are type and name."""
    properties = body.get("properties") if isinstance(body, dict) else None
    if not isinstance(properties, dict):
        return body
    fields = [_field(name, each) for name, each in properties.items() if each.get("type") in _FORMS]
    # The title comes first: it is what people call the entry by.
    return {"fields": sorted(fields, key=lambda field: not field["key"].startswith("title:"))}


def written_properties(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the values of properties as Notion takes them; one without a type in its key is as it was given."""
    return {"properties": dict(_written(key, value) for key, value in arguments["properties"].items())}


def paragraphs(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the paragraphs of a text, each in pieces that are short enough."""
    texts = re.split(r"\n\s*\n", arguments["text"].strip("\n"))
    if len(texts) > _MOST_PARAGRAPHS:
        raise InvalidRequest("text", f"has more than {_MOST_PARAGRAPHS} paragraphs")
    return {"children": [_paragraph(each) for each in texts]}


def comment(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a comment in pieces that are short enough."""
    return {"rich_text": _rich_text(arguments["text"])}


def _paragraph(text: str) -> dict[str, Any]:
    return {"object": "block", "type": "paragraph", "paragraph": {"rich_text": _rich_text(text)}}


def _rich_text(text: str) -> list[dict[str, Any]]:
    """Return a text in pieces that are short enough."""
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    return [{"type": "text", "text": {"content": piece}} for piece in pieces]


def _field(name: str, property_: dict[str, Any]) -> dict[str, Any]:
    kind = property_["type"]
    # A page says its values where a database says its choices.
    settings = property_.get(kind)
    choices = settings.get("options") if isinstance(settings, dict) else None
    return {
        "key": f"{kind}:{name}",
        "title": name,
        "type": _FORMS[kind],
        "options": [choice.get("name") for choice in choices or []],
        "description": property_.get("description") or "",
    }


def _written(key: str, value: Any) -> tuple[str, Any]:
    kind, colon, name = key.partition(":")
    if not colon or kind not in _FORMS or isinstance(value, dict):
        return (name if colon and kind in _FORMS else key), value
    if kind in ("title", "rich_text"):
        return name, {kind: _rich_text(value)}
    if kind in ("select", "status"):
        return name, {kind: {"name": value}}
    if kind == "multi_select":
        return name, {kind: [{"name": each} for each in value]}
    if kind == "date":
        return name, {kind: {"start": value}}
    return name, {kind: value}
