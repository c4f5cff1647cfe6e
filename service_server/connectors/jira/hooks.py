"""The hook of the Jira connector: JQL out of conditions."""

from typing import Any


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
