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
