"""Hooks of the Linear connector: filters that hold only the conditions that are given."""

from typing import Any


def by_name(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the filter for names that contain `search`, or nothing where that isn't given."""
    return {"filter": {"name": {"containsIgnoreCase": arguments["search"]}}} if arguments.get("search") else {}


def issue_filter(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the filter for issues, or nothing where no condition is given."""
    conditions: dict[str, Any] = {
        column: {"id": {"eq": arguments[column]}}
        for column in ("team", "assignee", "state", "project")
        if column in arguments
    }
    if arguments.get("state_types"):
        conditions["state"] = {**conditions.get("state", {}), "type": {"in": arguments["state_types"]}}
    if "label" in arguments:
        conditions["labels"] = {"some": {"id": {"eq": arguments["label"]}}}
    if arguments.get("search"):
        conditions["title"] = {"containsIgnoreCase": arguments["search"]}
    if "updated_after" in arguments:
        conditions["updatedAt"] = {"gt": arguments["updated_after"]}
    return {"filter": conditions} if conditions else {}
