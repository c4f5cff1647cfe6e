"""What Greenhouse needs beyond data: contacts as lists, the panel of an interview, and what a calendar calls it."""

import uuid
from typing import Any


def candidate(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an e-mail address and a phone number as the lists that candidates have of them."""
    prepared: dict[str, Any] = {}
    if "email" in arguments:
        prepared["emails"] = [{"value": arguments["email"], "type": "personal"}]
    if "phone" in arguments:
        prepared["phones"] = [{"value": arguments["phone"], "type": "mobile"}]
    return prepared


def interview(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who interviews, none of whom has answered yet; Greenhouse wants an id of the event in some calendar."""
    panel = [{"user_id": each, "response_status": "needs_action"} for each in arguments["interviewers"]]
    return {"panel": panel, "event": arguments.get("calendar_event") or f"interview-{uuid.uuid4()}"}


def start(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the first day at work as the moment that Greenhouse wants."""
    return {"start": f"{arguments['starts_on']}T00:00:00Z"} if "starts_on" in arguments else {}
