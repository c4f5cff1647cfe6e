"""What Klaviyo needs beyond data: conditions in a language of its own, and properties that an event must have."""

import json
from typing import Any


def profiles(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for the profile with an e-mail address or a phone number."""
    return _filter(_equal(arguments, {"email": "email", "phone": "phone_number"}))


def campaigns(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for campaigns of a channel, which Klaviyo wants to know, and with a text in their name."""
    conditions = [f"equals(messages.channel,{_text(arguments.get('channel', 'email'))})"]
    if "search" in arguments:
        conditions.append(f"contains(name,{_text(arguments['search'])})")
    return _filter(conditions)


def events(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for events of a profile or a kind, and of some time."""
    conditions = _equal(arguments, {"profile": "profile_id", "metric": "metric_id"})
    if "since" in arguments:
        conditions.append(f"greater-or-equal(datetime,{arguments['since']})")
    if "until" in arguments:
        conditions.append(f"less-than(datetime,{arguments['until']})")
    return _filter(conditions)


def event(arguments: dict[str, Any]) -> dict[str, Any]:
    """Give an event its properties, which may be none but must be there."""
    return {"properties": arguments.get("properties", {})}


def _equal(arguments: dict[str, Any], names: dict[str, str]) -> list[str]:
    return [f"equals({sent},{_text(arguments[given])})" for given, sent in names.items() if given in arguments]


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _filter(conditions: list[str]) -> dict[str, Any]:
    return {"filter": ",".join(conditions)} if conditions else {}
