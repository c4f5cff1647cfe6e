"""What Slack needs beyond data: times in seconds since 1970, and lists of ids in one text."""

from datetime import datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def span(arguments: dict[str, Any]) -> dict[str, Any]:
    """Tell between which moments messages are wanted; either may be left out."""
    return {
        "oldest": _seconds(arguments, "since") if "since" in arguments else None,
        "latest": _seconds(arguments, "until") if "until" in arguments else None,
    }


def moment_to_post(arguments: dict[str, Any]) -> dict[str, Any]:
    """Tell when a message is to be sent."""
    return {"post_at": _seconds(arguments, "post_at")}


def moment_to_remind(arguments: dict[str, Any]) -> dict[str, Any]:
    """Tell when somebody is to be reminded."""
    return {"time": _seconds(arguments, "time")}


def status(arguments: dict[str, Any]) -> dict[str, Any]:
    """Tell when a status ends, 0 for never, and which emoji it has; an empty one removes the one before."""
    return {
        "emoji": arguments.get("status_emoji", ""),
        "expiration": _seconds(arguments, "until") if "until" in arguments else 0,
    }


def emoji(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the name of an emoji without the colons that people write around it."""
    return {"name": arguments["name"].strip(": ")}


def people_with_more(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Join the ids of the people in a group and of those who come into it."""
    return {"users": ",".join(dict.fromkeys([*(before.get("people") or []), *arguments["users"]]))}


def people_without(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Join the ids of the people in a group but for those who go; Slack lets no group be empty."""
    stay = [each for each in before.get("people") or [] if each not in arguments["users"]]
    if not stay:
        raise InvalidRequest("users", "has all that are in the group, and somebody has to stay")
    return {"users": ",".join(stay)}


def people_to_invite(arguments: dict[str, Any]) -> dict[str, Any]:
    """Join the ids of people."""
    return {"users": ",".join(arguments["users"])}


def _seconds(arguments: dict[str, Any], name: str) -> int:
    try:
        return int(datetime.fromisoformat(arguments[name].upper()).timestamp())
    except (ValueError, OverflowError):
        raise InvalidRequest(name, "is not a moment that can be") from None
