"""Hooks of the ClickUp connector: times in milliseconds, and people as those who come and those who go."""

from datetime import datetime
from typing import Any

_TIMES = ("due", "start", "due_after", "due_before", "updated_after")
_HOUR = 3_600_000  # milliseconds


def milliseconds(arguments: dict[str, Any]) -> dict[str, Any]:
    """
    Return the times that are given in milliseconds since 1970, and the estimate, given in hours, in milliseconds.

    `with_due` and `with_start` say that these are times and not only days.
    """
    prepared: dict[str, Any] = {}
    for name in _TIMES:
        if name in arguments:
            prepared[name] = round(datetime.fromisoformat(arguments[name]).timestamp() * 1000)
            prepared[f"with_{name}"] = True
    if "estimate" in arguments:
        prepared["estimate"] = round(arguments["estimate"] * _HOUR)
    return prepared


def changed_task(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the times as `milliseconds` does, and the people to add and to remove where there are any."""
    prepared = milliseconds(arguments)
    people = {"add": arguments.get("add_assignees", []), "rem": arguments.get("remove_assignees", [])}
    if any(people.values()):
        prepared["assignees"] = people
    return prepared


def new_task(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the times as `milliseconds` does, and the custom fields as pairs of id and value."""
    prepared = milliseconds(arguments)
    named = [_pair(key, value) for key, value in arguments.get("fields", {}).items()]
    if named or "custom_fields" in arguments:
        prepared["custom_fields"] = [*arguments.get("custom_fields", []), *named]
    return prepared


def fillable_fields(body: Any) -> Any:
    """Give every custom field a key, the type of its form and its choices, as far as a form can fill it."""
    fields = body.get("fields") if isinstance(body, dict) else None
    if not isinstance(fields, list):
        return body
    return {**body, "fields": [_fillable(field) for field in fields if isinstance(field, dict)]}


_FORMS = {
    "text": "multiline",
    "short_text": "text",
    "number": "number",
    "currency": "number",
    "checkbox": "boolean",
    "drop_down": "text",
    "labels": "array",
    "date": "date-time",
    "email": "email",
    "url": "uri",
    "phone": "text",
    "emoji": "integer",
}


def _pair(key: str, value: Any) -> dict[str, Any]:
    if key.startswith("date:") and isinstance(value, str):
        value = round(datetime.fromisoformat(value).timestamp() * 1000)
    return {"id": key.removeprefix("date:"), "value": value}


def _fillable(field: dict[str, Any]) -> dict[str, Any]:
    kind = field.get("type")
    if kind not in _FORMS:
        return field  # without a key no form shows it
    options = (field.get("type_config") or {}).get("options") or []
    return {
        **field,
        "key": f"date:{field.get('id')}" if kind == "date" else field.get("id"),
        "kind": _FORMS[kind],
        "options": [{"value": each.get("id"), "label": each.get("name") or each.get("label")} for each in options],
    }
