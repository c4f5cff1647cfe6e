"""Hooks of the Intercom connector: in whose name something is said or done, and times as seconds since 1970."""

from datetime import datetime
from typing import Any


def in_whose_name(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the teammate in whose name it is done: who is signed in, where nobody else is given."""
    return {"admin_id": arguments.get("admin_id") or before["me"]}


def snoozed(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return who puts a conversation away, and until when as Intercom counts it."""
    until = datetime.fromisoformat(arguments["until"])
    return {**in_whose_name(arguments, before), "snoozed_until": int(until.timestamp())}
