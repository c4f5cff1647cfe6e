"""What Freshdesk needs beyond data: conditions in a language of its own, and what a new ticket must have."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest

_NUMBERS = {"status": "status", "priority": "priority", "agent": "agent_id", "group": "group_id"}
_TEXTS = {"type": "type", "tag": "tag"}
_OPEN, _LOW = 2, 1


def conditions(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on tickets, all of which have to hold; a call without any is refused."""
    written = [f"{field}:{arguments[name]:.0f}" for name, field in _NUMBERS.items() if name in arguments]
    for name, field in _TEXTS.items():
        if name in arguments:
            if "'" in arguments[name] or '"' in arguments[name]:
                raise InvalidRequest(name, "can't have a quotation mark in it: Freshdesk has no way to write one")
            written.append(f"{field}:'{arguments[name]}'")
    if "created_after" in arguments:
        written.append(f"created_at:>'{arguments['created_after']}'")
    if not written:
        raise InvalidRequest("status", "or another condition has to be given")
    return {"query": f'"{" AND ".join(written)}"'}


def new_ticket(arguments: dict[str, Any]) -> dict[str, Any]:
    """Say how urgent a ticket is and that it is open, where nobody says otherwise."""
    return {"priority": arguments.get("priority", _LOW), "status": arguments.get("status", _OPEN)}
