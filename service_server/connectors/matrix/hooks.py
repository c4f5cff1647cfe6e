"""The hooks of the Matrix connector: what tells one message from the next, and what rooms are called."""

from typing import Any
from uuid import uuid4


def transaction(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the text by which Matrix knows a message that is sent again: a new one, where none is given."""
    return {"id": arguments.get("transaction_id") or str(uuid4())}


def kinds_of_events(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the filter for messages where nothing else is wanted."""
    return {"filter": '{"types":["m.room.message"]}'} if arguments.get("only_texts") else {}


def rooms(body: dict[str, Any]) -> dict[str, Any]:
    """Return the rooms that a user is in, each with its id and what it is called, in the order of these names."""
    joined = body.get("rooms", {}).get("join", {})
    found = [{"room_id": room_id, "name": _name(room) or room_id} for room_id, room in joined.items()]
    return {"rooms": sorted(found, key=lambda room: (room["name"].casefold(), room["room_id"]))}


def _name(room: dict[str, Any]) -> str:
    """Return the name of a room, its address, or the people in it, whichever there is first."""
    names: dict[str, str] = {}
    for part in ("state", "timeline"):  # what is on the timeline came later
        for event in room.get(part, {}).get("events", []):
            content = event.get("content", {})
            names[event.get("type", "")] = content.get("name") or content.get("alias") or ""
    people = ", ".join(room.get("summary", {}).get("m.heroes", []))
    return names.get("m.room.name") or names.get("m.room.canonical_alias") or people
