"""What BambooHR needs beyond data: the fields and days to show where nobody names any, and moments in its own form."""

from datetime import UTC, date, datetime
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


def days_asked(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the two days between which to list: from today on, or to the day that is given, a year at most."""
    today = datetime.now(UTC).date()
    last = date.fromisoformat(arguments["until"]) if "until" in arguments else None
    first = date.fromisoformat(arguments["from"]) if "from" in arguments else today
    if "from" not in arguments and last is not None and last < today:
        first = date.fromordinal(max(last.toordinal() - 365, 1))
    last = last or date.fromordinal(min(first.toordinal() + 365, date.max.toordinal()))
    return {"start": first.isoformat(), "end": last.isoformat()}


def day_of_adjustment(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the day from which on a balance is another one: today, where nobody says."""
    return {"date": arguments.get("date") or datetime.now(UTC).date().isoformat()}


def notes(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the note of an employee as the list that BambooHR takes, none where there is none."""
    return {"notes": [{"from": "employee", "note": arguments["note"]}]} if "note" in arguments else {}


def since(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a moment as BambooHR takes it: without a zone, in Universal Time."""
    if "new_since" not in arguments:
        return {}
    moment = datetime.fromisoformat(arguments["new_since"].upper())
    return {"since": (moment if moment.tzinfo is None else moment.astimezone(UTC)).strftime("%Y-%m-%d %H:%M:%S")}
