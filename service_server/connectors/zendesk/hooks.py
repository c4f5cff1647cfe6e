"""What Zendesk wants in a form that data can't say: pairs of custom fields, a fixed list, a role inside a search."""

from typing import Any


def custom_fields_as_pairs(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make pairs of id and value, which is how Zendesk takes custom fields, of fields by their numbers."""
    fields = arguments.get("custom_fields")
    if not isinstance(fields, dict):
        return {}
    return {
        "custom_fields": [{"id": int(key) if key.isdecimal() else key, "value": value} for key, value in fields.items()]
    }


def roles_of_staff(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the roles of those who work on tickets: administrators are no agents in Zendesk's filter."""
    return {"roles": ["agent", "admin"]}


def search_with_role(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the search for users, and the role that they have where one is given, as Zendesk's syntax of searches."""
    role = arguments.get("role")
    return {"query": arguments["search"] if role is None else f"role:{role} {arguments['search']}"}
