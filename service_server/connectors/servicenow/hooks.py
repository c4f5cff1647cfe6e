"""What ServiceNow needs beyond data: conditions in a language of its own, in which ^ stands between two of them."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_EQUAL = {"state": "state", "assigned_to": "assigned_to", "group": "assignment_group"}


def tasks(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on incidents and the like, those that changed last first."""
    found = _with_text(arguments, "number", "short_description")
    found += [f"{field}={_value(arguments, name)}" for name, field in _EQUAL.items() if name in arguments]
    return {"query": "^".join([*found, "ORDERBYDESCsys_updated_on"])}


def articles(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on articles: published ones that have a text."""
    return {"query": "^".join([*_with_text(arguments, "short_description", "text"), "workflow_state=published"])}


def people(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on users: active ones that have a text in their name or address."""
    return {"query": "^".join([*_with_text(arguments, "name", "email"), "active=true", "ORDERBYname"])}


def named(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on groups: active ones that have a text in their name."""
    return {"query": "^".join([*_with_text(arguments, "name"), "active=true", "ORDERBYname"])}


def tables(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on tables, which are known by a label and a name."""
    return {"query": "^".join([*_with_text(arguments, "label", "name"), "ORDERBYlabel"])}


def planned(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when a change begins and ends, as ServiceNow takes moments."""
    prepared: dict[str, Any] = {}
    for name in ("start", "end"):
        if name in arguments:
            try:
                moment = datetime.fromisoformat(arguments[name].upper()).astimezone(UTC)
            except (ValueError, OverflowError):
                raise InvalidRequest(name, "is not a moment that can be") from None
            prepared[name] = moment.strftime("%Y-%m-%d %H:%M:%S")
    return prepared


def _with_text(arguments: dict[str, Any], *fields: str) -> list[str]:
    """Say that one of the fields has the search text in it, where there is one."""
    if "search" not in arguments:
        return []
    text = _value(arguments, "search")
    return ["^OR".join(f"{field}LIKE{text}" for field in fields)]


def _value(arguments: dict[str, Any], name: str) -> str:
    value = str(arguments[name])
    if "^" in value or value.lstrip().lower().startswith("javascript:"):
        raise InvalidRequest(name, "can't have ^ in it or begin with javascript:, which would be a condition")
    return value
