"""What Freshdesk needs beyond data: conditions in its own language, what new tickets must have, and added tags."""

from datetime import UTC, datetime
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


def in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write since when tickets changed, where anybody says, as a moment in UTC."""
    if "updated_since" not in arguments:
        return {}
    try:
        since = datetime.fromisoformat(arguments["updated_since"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("updated_since", "is not a moment that can be") from None
    return {"updated_since": since.strftime("%Y-%m-%dT%H:%M:%SZ")}


def new_ticket(arguments: dict[str, Any]) -> dict[str, Any]:
    """Say how urgent a ticket is and that it is open, where nobody says otherwise."""
    return {"priority": arguments.get("priority", _LOW), "status": arguments.get("status", _OPEN)}


def changed_tags(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the tags that a ticket has, without some and with further ones; nothing where no tag is given."""
    if "tags" not in arguments and "remove_tags" not in arguments:
        return {}
    leaving = {tag.casefold() for tag in arguments.get("remove_tags") or []}
    staying = [tag for tag in before["tags"] or [] if tag.casefold() not in leaving]
    known = {tag.casefold() for tag in staying}
    return {"tags": [*staying, *(tag for tag in arguments.get("tags") or [] if tag.casefold() not in known)]}
