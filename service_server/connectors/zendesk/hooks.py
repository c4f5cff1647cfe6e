"""What Zendesk wants in a form that data can't say: pairs of fields, added tags, a fixed list, a role in a search."""

from typing import Any


def custom_fields_as_pairs(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make pairs of id and value, which is how Zendesk takes custom fields, of fields by their numbers."""
    fields = arguments.get("custom_fields")
    if not isinstance(fields, dict):
        return {}
    return {
        "custom_fields": [{"id": int(key) if key.isdecimal() else key, "value": value} for key, value in fields.items()]
    }


def changed_ticket(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the custom fields; and the tags of a ticket, without some and with further ones, if any is given."""
    prepared = custom_fields_as_pairs(arguments)
    if "tags" in arguments or "remove_tags" in arguments:
        leaving = {tag.casefold() for tag in arguments.get("remove_tags") or []}
        staying = [tag for tag in before["tags"] if tag.casefold() not in leaving]
        prepared["tags"] = list(dict.fromkeys([*staying, *(arguments.get("tags") or [])]))
        prepared |= {"safe": True, "seen": before["seen"]}
    return prepared


def roles_of_staff(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the roles of those who work on tickets: administrators are no agents in Zendesk's filter."""
    return {"roles": ["agent", "admin"]}


def search_with_role(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the search for users, and the role that they have where one is given, as Zendesk's syntax of searches."""
    role = arguments.get("role")
    return {"query": arguments["search"] if role is None else f"role:{role} {arguments['search']}"}
