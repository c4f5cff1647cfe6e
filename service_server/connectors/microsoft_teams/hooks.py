"""What Microsoft Teams needs beyond data: people as members, the address of a message, and what goes with a status."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from service_server.catalog.hooks import InvalidRequest


def members(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write who is in a new chat, oneself and others; only a chat of several has a name."""
    people = list(dict.fromkeys(arguments["people"]))
    if not people:
        raise InvalidRequest("people", "must name somebody")
    written = {"type": "oneOnOne" if len(people) == 1 else "group", "members": [*map(_member, [before["me"], *people])]}
    if len(people) == 1 and "topic" in arguments:
        raise InvalidRequest("topic", "is only for a chat with several people")
    return {**written, "topic": arguments.get("topic")}


def quoted_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write what people are looked for by in quotation marks, as Microsoft wants it; a blank would end it otherwise."""
    text = arguments.get("search", "").replace('"', " ").strip()
    return {"search": f'"{text}"'} if text else {}


def new_member(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who comes into a team, and whether as its owner."""
    return {"member": _member(arguments["person"], ["owner"] if arguments.get("owner") else [])}


def new_chat_member(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who comes into a chat, and since when that person sees what was said: since ever, or from now on."""
    member = _member(arguments["person"])
    if arguments.get("history", True):
        member["visibleHistoryStartDateTime"] = "0001-01-01T00:00:00Z"
    return {"member": member}


def pinned_message(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the address of a message in a chat."""
    chat, message = (quote(arguments[name], safe=":@") for name in ("chat_id", "message_id"))
    return {"message": f"https://graph.microsoft.com/v1.0/chats/{chat}/messages/{message}"}


def status(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what goes with a status, and the minutes that it lasts as ISO 8601 has them."""
    activity = "OffWork" if arguments["status"] == "Offline" else arguments["status"]
    minutes = arguments.get("minutes")
    return {"activity": activity, **({} if minutes is None else {"duration": f"PT{int(minutes)}M"})}


def _member(person: str, roles: Sequence[str] = ("owner",)) -> dict[str, Any]:
    """Refer to a person by id or address; an apostrophe is doubled."""
    quoted = person.replace("'", "''")
    return {
        "@odata.type": "#microsoft.graph.aadUserConversationMember",
        "roles": list(roles),
        "user@odata.bind": f"https://graph.microsoft.com/v1.0/users('{quoted}')",
    }
