"""What Microsoft Teams needs beyond data: people as members of a chat."""

from typing import Any

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


def _member(person: str) -> dict[str, Any]:
    """Refer to a person by id or address; an apostrophe is doubled."""
    quoted = person.replace("'", "''")
    return {
        "@odata.type": "#microsoft.graph.aadUserConversationMember",
        "roles": ["owner"],
        "user@odata.bind": f"https://graph.microsoft.com/v1.0/users('{quoted}')",
    }
