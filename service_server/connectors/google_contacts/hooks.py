"""What Google Contacts needs beyond data: ids without their prefix, and contacts as lists of objects."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest


def split_contact(arguments: dict[str, Any]) -> dict[str, Any]:
    """Take what stands behind people/ as a segment of a path."""
    return {"person_id": arguments["resource_name"].partition("/")[2]}


def split_group(arguments: dict[str, Any]) -> dict[str, Any]:
    """Take what stands behind contactGroups/ as a segment of a path."""
    return {"group_id": arguments["group"].partition("/")[2]}


def contact_body(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a new contact, of what is given."""
    return {"person": _person(arguments)}


def contact_changes(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write what changes in a contact, and the names of those fields, which the query has to list."""
    changes = _person(arguments)
    if not changes:
        raise InvalidRequest("given_name", "or another field to change is needed")
    return {
        **split_contact(arguments),
        "person": {"etag": arguments.get("etag") or before["found"][0]["person"]["etag"], **changes},
        "fields": ",".join(sorted(changes)),
    }


def _person(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the fields of a contact that are given, as Google takes them: each a list of objects."""
    name = _given(arguments, givenName="given_name", familyName="family_name")
    company = _given(arguments, name="company", title="job_title")
    fields = {
        "names": [name] if name else None,
        "emailAddresses": arguments.get("emails"),
        "phoneNumbers": arguments.get("phones"),
        "organizations": [company] if company else None,
        "biographies": [{"value": arguments["note"]}] if "note" in arguments else None,
    }
    return {field: value for field, value in fields.items() if value is not None}


def _given(arguments: dict[str, Any], **keys: str) -> dict[str, Any]:
    return {key: arguments[name] for key, name in keys.items() if arguments.get(name) is not None}
