"""What Google Calendar needs beyond data: lists of objects made of lists of addresses and ids."""

import hashlib
import json
from typing import Any

from service_server.catalog.hooks import InvalidRequest


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


def with_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, and further ones behind them; nobody is invited twice."""
    invited = before.get("guests") or []
    known = {guest.get("email", "").casefold() for guest in invited}
    added = [{"email": address} for address in arguments["guests"] if address.casefold() not in known]
    return {"attendees": [*invited, *added]}


def without_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, but for some."""
    leaving = {address.casefold() for address in arguments["guests"]}
    invited = before.get("guests") or []
    return {"attendees": [guest for guest in invited if guest.get("email", "").casefold() not in leaving]}


def accepted(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, of whom one's own entry says yes, or maybe."""
    return _answered(arguments, before, "tentative" if arguments.get("tentative") else "accepted")


def declined(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, of whom one's own entry says no."""
    return _answered(arguments, before, "declined")


def _answered(arguments: dict[str, Any], before: dict[str, Any], answer: str) -> dict[str, Any]:
    invited = before.get("guests") or []
    if not any(guest.get("self") for guest in invited):
        raise InvalidRequest("event_id", "is no event that you are invited to")
    comment = {"comment": arguments["comment"]} if "comment" in arguments else {}
    return {
        "attendees": [
            {**guest, "responseStatus": answer, **comment} if guest.get("self") else guest for guest in invited
        ]
    }


def video_call(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make guests as `guests` does, and name the request for a call: as given, or by what the event is."""
    event = json.dumps(arguments, sort_keys=True).encode()
    return {**guests(arguments), "request_id": arguments.get("request_id") or hashlib.sha256(event).hexdigest()[:32]}


def calendars_to_ask(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make of the ids of calendars the objects that a query for busy times lists."""
    return {"items": [{"id": calendar} for calendar in arguments["calendars"]]}
