"""Hooks of the Jira connector: JQL out of conditions, and fields of issues as those of a form."""

from datetime import datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def issue_conditions(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the JQL for the conditions that are given; without any, issues changed within the last 30 days."""
    columns = {
        "project": "project",
        "status": "status",
        "status_category": "statusCategory",
        "assignee": "assignee",
        "issue_type": "issuetype",
        "label": "labels",
    }
    conditions = [f"{column} = {_quoted(arguments[name])}" for name, column in columns.items() if name in arguments]
    if arguments.get("search"):
        # The outer quotes are JQL's; what is special in a text search is taken as a blank, since Jira refuses it there.
        words = "".join(character if character.isalnum() else " " for character in arguments["search"]).split()
        if words:
            conditions.append(f"text ~ {_quoted(' '.join(words))}")
    if "updated_since" in arguments:
        conditions.append(f"updated >= {_quoted(arguments['updated_since'])}")
    return {"jql": f"{' AND '.join(conditions) or 'updated >= -30d'} ORDER BY updated DESC"}


def _quoted(text: str) -> str:
    """Write a text as JQL does."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_SHOWN = (
    *("project", "issuetype", "summary", "description", "priority", "assignee", "labels", "parent", "duedate"),
    *("attachment", "issuelinks", "comment", "worklog", "timetracking"),
)
"""What has a parameter of its own, and what isn't set as a value."""

_PLAIN = {"string": "text", "number": "number", "date": "date", "datetime": "datetime"}


def fields_to_fill(body: Any) -> Any:
    """Return the fields of a new issue (a list) or of an issue (by their ids) that a form can fill."""
    fields = body.get("fields") if isinstance(body, dict) else None
    if isinstance(fields, dict):
        fields = [{"fieldId": name, **each} for name, each in fields.items()]
    if not isinstance(fields, list):
        return body
    rows = [_row(field) for field in fields if field.get("fieldId") not in _SHOWN]
    return {**body, "fields": [row for row in rows if row is not None]}


def issue_fields(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the values of further fields as Jira takes them; one without a kind in its key is as it was given."""
    return {"fields": dict(_written(key, value) for key, value in (arguments.get("fields") or {}).items())}


def changed_fields(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return further fields as `issue_fields` does, and labels as additions, so that the others stay."""
    changes = [{"add": label} for label in arguments.get("labels") or []]
    return issue_fields(arguments) | ({"update": {"labels": changes}} if changes else {})


def sprint_times(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return when a sprint begins and ends, as far as it is given, in the form that Jira documents."""
    return {name: _moment(arguments[name], name) for name in ("start", "end") if name in arguments}


def _moment(text: str, name: str) -> str:
    try:
        return datetime.fromisoformat(text.upper()).isoformat(timespec="milliseconds")
    except ValueError:
        raise InvalidRequest(name, "is not a moment that can be") from None


def labels_to_remove(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return labels as what is taken off."""
    return {"labels": [{"remove": label} for label in arguments["labels"]]}


def _row(field: dict[str, Any]) -> dict[str, Any] | None:
    schema = field.get("schema") or {}
    kind, choices = schema.get("type"), field.get("allowedValues")
    if kind == "array" and (choices or schema.get("items") == "string"):
        form, key = "array", "options" if choices else "texts"
    elif choices:
        form, key = "text", "option"
    elif kind in _PLAIN:
        custom = str(schema.get("custom", ""))
        form, key = ("multiline" if custom.endswith(":textarea") else _PLAIN[kind]), "plain"
    else:
        return None  # people, sprints and the like, which are no values of their own
    return {
        "key": f"{key}:{field['fieldId']}",
        "title": field.get("name"),
        "type": form,
        "required": bool(field.get("required")) and not field.get("hasDefaultValue"),
        "options": [
            {"value": each.get("id"), "label": each.get("value") or each.get("name")} for each in choices or []
        ],
    }


def _written(key: str, value: Any) -> tuple[str, Any]:
    kind, colon, name = key.partition(":")
    if not colon:
        return key, value
    if kind == "option" and isinstance(value, str):
        return name, {"id": value}
    if kind == "options":
        return name, [{"id": each} if isinstance(each, str) else each for each in value]
    return (name if kind in ("option", "plain", "texts") else key), value


def project_number(_: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return a project's id as the number that versions have it in."""
    return {"project": int(before["project"])}
