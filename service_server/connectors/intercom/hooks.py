"""The hook of the Intercom connector: in whose name something is said or done."""

from typing import Any


def in_whose_name(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the teammate in whose name it is done: who is signed in, where nobody else is given."""
    return {"admin_id": arguments.get("admin_id") or before["me"]}
