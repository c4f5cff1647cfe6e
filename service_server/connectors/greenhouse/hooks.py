"""What Greenhouse needs beyond data: lists to add to, the panel of an interview, and what a calendar calls it."""

import uuid
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def candidate(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an e-mail address and a phone number as the lists that candidates have of them."""
    prepared: dict[str, Any] = {}
    if "email" in arguments:
        prepared["emails"] = [{"value": arguments["email"], "type": "personal"}]
    if "phone" in arguments:
        prepared["phones"] = [{"value": arguments["phone"], "type": "mobile"}]
    return prepared


def changed_candidate(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the addresses, numbers and tags of a candidate, without some and with further ones; each only if given."""
    new = candidate(arguments)
    prepared: dict[str, Any] = {}
    for name, there in (("email", "emails"), ("phone", "phones")):
        if name in arguments or f"remove_{name}" in arguments:
            leaving = [_compared(name, arguments[f"remove_{name}"])] if f"remove_{name}" in arguments else []
            contacts = [each for each in _there(before, there, name) if _compared(name, each["value"]) not in leaving]
            known = {_compared(name, each["value"]) for each in contacts}
            added = [each for each in new.get(there, []) if _compared(name, each["value"]) not in known]
            prepared[there] = [*contacts, *added]
    if "tags" in arguments or "remove_tags" in arguments:
        off = {tag.casefold() for tag in arguments.get("remove_tags") or []}
        tags = [tag for tag in _there(before, "tags", "tags") if tag.casefold() not in off]
        kept = {tag.casefold() for tag in tags}
        prepared["tags"] = [*tags, *(tag for tag in arguments.get("tags") or [] if tag.casefold() not in kept)]
    return prepared


def _there(before: dict[str, Any], name: str, parameter: str) -> list[Any]:
    """Return what there is; without knowing it, nothing is sent that would take its place."""
    if before.get(name) is None:
        raise InvalidRequest(parameter, "can't be changed: Greenhouse doesn't tell what the candidate has")
    return list(before[name])


def _compared(name: str, value: str) -> str:
    """Return what two addresses or numbers that are the same have in common, however they are written."""
    digits = "".join(sign for sign in value if sign.isdigit()) if name == "phone" else ""
    return digits or value.casefold()


def interview(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who interviews, none of whom has answered yet; Greenhouse wants an id of the event in some calendar."""
    panel = [{"user_id": each, "response_status": "needs_action"} for each in arguments["interviewers"]]
    return {"panel": panel, "event": arguments.get("calendar_event") or f"interview-{uuid.uuid4()}"}


def start(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the first day at work as the moment that Greenhouse wants."""
    return {"start": f"{arguments['starts_on']}T00:00:00Z"} if "starts_on" in arguments else {}
