"""What PagerDuty needs beyond data: references, which tell of what kind an id is, and how far lists go back."""

from typing import Any


def people(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who is to take care of an incident, people or an escalation policy, its priority and its details."""
    prepared: dict[str, Any] = {}
    if "details" in arguments:
        prepared["body"] = {"type": "incident_body", "details": arguments["details"]}
    if "users" in arguments:
        assignees = [{"assignee": _reference(each, "user_reference")} for each in arguments["users"]]
        prepared["assignments"] = assignees
    if "policy" in arguments:
        prepared["policy"] = _reference(arguments["policy"], "escalation_policy_reference")
    if "priority" in arguments:
        prepared["priority"] = _reference(arguments["priority"], "priority_reference")
    return prepared


def incidents_range(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for the incidents of all times where nobody names one."""
    return {} if "since" in arguments or "until" in arguments else {"range": "all"}


def responders(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who is asked to help with an incident."""
    targets = [{"responder_request_target": _reference(each, "user_reference")} for each in arguments["users"]]
    return {"targets": targets}


def merged(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which incidents are merged into another one."""
    return {"sources": [_reference(each, "incident_reference") for each in arguments["sources"]]}


def services(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which services a maintenance is of."""
    return {"services": [_reference(each, "service_reference") for each in arguments["services"]]}


def _reference(identifier: str, kind: str) -> dict[str, str]:
    return {"id": identifier, "type": kind}
