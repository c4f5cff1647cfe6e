"""The hooks of the Asana connector: values of custom fields, and lists, as Asana takes them."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def task(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the custom fields of a task, and when it is due in UTC, as far as they are given."""
    return {**_custom_values(arguments), **_due(arguments)}


def _due(arguments: dict[str, Any]) -> dict[str, Any]:
    if "due_at" not in arguments:
        return {}
    try:
        due = datetime.fromisoformat(arguments["due_at"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("due_at", "is not a moment that can be") from None
    return {"due_at": due.strftime("%Y-%m-%dT%H:%M:%SZ")}


def _custom_values(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the values of custom fields by their ids; a day, whose key begins with "date:", is an object there."""
    values = arguments.get("custom_fields")
    if values is None:
        return {}
    return {"custom_fields": {key.removeprefix("date:"): _value(key, value) for key, value in values.items()}}


def _value(key: str, value: Any) -> Any:
    return {"date": value} if key.startswith("date:") and isinstance(value, str) else value


def unless_done(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return since when tasks were done that are listed beside the open ones: now, unless somebody says otherwise."""
    if "completed_since" in arguments:
        return {"since": arguments["completed_since"]}
    return {} if arguments.get("done") else {"since": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}


_PARTS = "notes,assignee,subtasks,attachments,tags,followers,projects,dates,dependencies,parent"


def copied_parts(arguments: dict[str, Any]) -> dict[str, Any]:
    """Join what a copy has of a task; all of it where nothing is chosen."""
    return {"include": ",".join(arguments["copied"]) if "copied" in arguments else _PARTS}


def settable_fields(body: Any) -> Any:
    """Return of the custom fields of a project those that a form can fill, each with its key."""
    settings = body.get("data") if isinstance(body, dict) else None
    if not isinstance(settings, list):
        return body
    fields = [setting.get("custom_field") or {} for setting in settings]
    return {"fields": [_field(field) for field in fields if field.get("resource_subtype") in _KINDS]}


_KINDS = ("text", "number", "enum", "multi_enum", "date")


def _field(field: dict[str, Any]) -> dict[str, Any]:
    kind = field["resource_subtype"]
    options = [option for option in field.get("enum_options") or [] if option.get("enabled", True)]
    return {
        "key": f"date:{field['gid']}" if kind == "date" else field["gid"],
        "title": field.get("name"),
        "type": kind,
        "options": [{"value": option["gid"], "label": option.get("name")} for option in options],
        "description": field.get("description") or "",
    }
