"""What Xero needs beyond data: the conditions of its lists, in a language of its own, and the day of a quote."""

from datetime import UTC, date, datetime
from typing import Any


def invoices(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on invoices to customers; bills are invoices of another type."""
    return _where(arguments, 'Type=="ACCREC"')


def bills(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on bills of suppliers."""
    return _where(arguments, 'Type=="ACCPAY"')


def dated(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on credit notes."""
    return _where(arguments)


def not_deleted(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on payments and bank transactions, among which Xero has those that were deleted."""
    return _where(arguments, 'Status=="AUTHORISED"')


def accounts(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on accounts; both arguments are words of an enumeration."""
    conditions = ['Status=="ACTIVE"']
    if "type" in arguments:
        conditions.append(f'Type=="{arguments["type"]}"')
    if "class" in arguments:
        conditions.append(f'Class=="{arguments["class"]}"')
    return {"where": " AND ".join(conditions)}


def day_of_quote(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the day that a quote is dated: today, where nobody says."""
    return {"date": arguments.get("date") or datetime.now(UTC).date().isoformat()}


def date_of_quote(_: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the day that a quote is dated, which Xero tells with the time of midnight."""
    return {"date": before["date"].partition("T")[0]}


def _where(arguments: dict[str, Any], *conditions: str) -> dict[str, Any]:
    written = list(conditions)
    for name, condition in (("due_before", "DueDate<"), ("since", "Date>="), ("until", "Date<=")):
        if name in arguments:
            day = date.fromisoformat(arguments[name])
            written.append(f"{condition}DateTime({day.year}, {day.month:02}, {day.day:02})")
    return {"where": " AND ".join(written)} if written else {}
