"""What ActiveCampaign needs beyond data: values in hundredths, and what a contact has of a tag or an automation."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest


def in_hundredths(arguments: dict[str, Any]) -> dict[str, Any]:
    """Count a value in hundredths of its currency."""
    return {"value": round(arguments["value"] * 100)} if "value" in arguments else {}


def tag_of_contact(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Find which of a contact's tags is meant."""
    return _entry(before["tags"], "tag", arguments["tag"], "the contact doesn't have it")


def run_of_automation(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Find where a contact goes through an automation; the last time, where it did so more than once."""
    own = [each for each in before["automations"] if str(each.get("contact")) == arguments["contact"]]
    return _entry(own, "automation", arguments["automation"], "the contact isn't in it")


def _entry(entries: list[dict[str, Any]], kind: str, wanted: str, otherwise: str) -> dict[str, Any]:
    found = [entry["id"] for entry in entries if str(entry[kind]) == wanted]
    if not found:
        raise InvalidRequest(kind, otherwise)
    return {"id": max(found, key=int)}
