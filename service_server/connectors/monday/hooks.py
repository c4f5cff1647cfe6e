"""Hooks of the monday.com connector: values of columns as JSON in a text, and conditions for items."""

import json
from typing import Any


def values_as_text(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the values of columns as the text that monday.com wants, or nothing where none are given."""
    if "values" not in arguments:
        return {}
    values = dict(_written(key, value) for key, value in arguments["values"].items())
    return {"values": json.dumps(values, ensure_ascii=False)}


def fields_of_columns(body: Any) -> Any:
    """Return of the columns of a board those that a form can fill; their keys are type and id."""
    boards = ((body.get("data") or {}).get("boards") or [{}]) if isinstance(body, dict) else [{}]
    columns = boards[0].get("columns") or []
    return {"fields": [_field(each) for each in columns if each.get("type") in _FORMS and not each.get("archived")]}


_FORMS = {
    "text": "text",
    "long_text": "multiline",
    "numbers": "number",
    "status": "text",
    "dropdown": "array",
    "date": "date",
    "checkbox": "boolean",
    "email": "email",
    "link": "uri",
    "rating": "integer",
}


def _field(column: dict[str, Any]) -> dict[str, Any]:
    kind = column["type"]
    return {
        "key": f"{kind}:{column['id']}",
        "title": column.get("title"),
        "type": _FORMS[kind],
        "options": _labels(column.get("settings_str")) if kind in ("status", "dropdown") else [],
        "description": column.get("description") or "",
    }


def _labels(settings: Any) -> list[str]:
    """Return the labels of a status, which are named by numbers, or of a dropdown, which are a list."""
    try:
        labels = json.loads(settings).get("labels")
    except (TypeError, ValueError, AttributeError):
        return []
    found = labels.values() if isinstance(labels, dict) else [each.get("name") for each in labels or []]
    return [label for label in found if isinstance(label, str) and label]


def _written(key: str, value: Any) -> tuple[str, Any]:
    """Return a column's id and its value as monday.com takes it; without a type in the key it is as it was given."""
    kind, colon, name = key.partition(":")
    if not colon or kind not in _FORMS:
        return key, value
    if isinstance(value, dict):
        return name, value
    written: dict[str, Any] = {
        "status": {"label": value},
        "dropdown": {"labels": value if isinstance(value, list) else [value]},
        "date": {"date": value},
        "checkbox": {"checked": "true"} if value else None,
        "email": {"email": value, "text": value},
        "link": {"url": value, "text": value},
        "long_text": {"text": value},
        "rating": {"rating": value},
        "numbers": str(value),
        "text": value,
    }
    return name, written[kind]


def item_filter(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the conditions for items, or nothing where none is given."""
    rules = []
    if arguments.get("search"):
        rules.append({"column_id": "name", "compare_value": [arguments["search"]], "operator": "contains_text"})
    if arguments.get("groups"):
        rules.append({"column_id": "group", "compare_value": arguments["groups"], "operator": "any_of"})
    return {"filter": {"rules": rules}} if rules else {}
