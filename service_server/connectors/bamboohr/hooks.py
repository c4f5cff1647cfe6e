"""What BambooHR needs beyond data: the fields to show where nobody names any, and moments in its own form."""

from datetime import UTC, datetime
from typing import Any

_SHOWN = (
    "displayName",
    "employeeNumber",
    "status",
    "jobTitle",
    "department",
    "division",
    "location",
    "supervisor",
    "hireDate",
    "workEmail",
    "workPhone",
    "mobilePhone",
)


def shown_fields(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the fields to ask for: BambooHR answers with no more than a number where none are named."""
    return {"fields": ",".join(arguments.get("fields") or _SHOWN)}


def since(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a moment as BambooHR takes it: without a zone, in Universal Time."""
    if "new_since" not in arguments:
        return {}
    moment = datetime.fromisoformat(arguments["new_since"].upper())
    return {"since": (moment if moment.tzinfo is None else moment.astimezone(UTC)).strftime("%Y-%m-%d %H:%M:%S")}
