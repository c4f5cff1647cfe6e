"""What Google Calendar needs beyond data: lists of objects made of lists of addresses and ids."""

from typing import Any


def guests(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make guests of e-mail addresses; those that needn't come are marked so."""
    required, optional = arguments.get("attendees"), arguments.get("optional_attendees")
    if required is None and optional is None:
        return {}
    return {
        "attendees": [
            *({"email": address} for address in required or []),
            *({"email": address, "optional": True} for address in optional or []),
        ]
    }


def calendars_to_ask(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make of the ids of calendars the objects that a query for busy times lists."""
    return {"items": [{"id": calendar} for calendar in arguments["calendars"]]}
