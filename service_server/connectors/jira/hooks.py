"""Hooks of the Jira connector: JQL out of conditions, and the fields of an issue in the form that Jira wants."""

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


def new_issue(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a new issue."""
    fields = _fields(arguments)
    fields["project"] = {"key": arguments["project"]}
    fields["issuetype"] = {"id": arguments["issue_type"]}
    return {"fields": fields}


def changed_issue(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an issue that change."""
    fields = _fields(arguments)
    if not fields:
        raise InvalidRequest("summary", "give at least one field to change")
    return {"fields": fields}


def _fields(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value, each in the form of its type; a named one wins over a further one."""
    fields = dict(arguments.get("fields", {}))
    for name in ("summary", "description", "labels"):
        if name in arguments:
            fields[name] = arguments[name]
    if "due_date" in arguments:
        fields["duedate"] = arguments["due_date"]
    for name, key in (("priority", "id"), ("assignee", "accountId"), ("parent", "key")):
        if name in arguments:
            fields[name] = {key: arguments[name]}
    return fields


def _quoted(text: str) -> str:
    """Write a text as JQL does."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
