"""What Google Contacts needs beyond data: ids without their prefix, and contacts as lists of objects."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest

_PUT_TOGETHER = ("displayName", "displayNameLastFirst", "unstructuredName", "formattedType")


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
    found = before["found"][0]["person"]
    changes = _person(arguments)
    for field in ("names", "organizations"):
        if field in changes:
            changes[field] = _completed(_own(found.get(field)), changes[field][0])
    for field, name in (("emailAddresses", "emails"), ("phoneNumbers", "phones")):
        if name in arguments or f"remove_{name}" in arguments:
            leaving = {_compared(field, value) for value in arguments.get(f"remove_{name}") or []}
            changes[field] = _merged(field, found.get(field) or [], arguments.get(name) or [], leaving)
    if not changes:
        raise InvalidRequest("given_name", "or another field to change is needed")
    return {
        **split_contact(arguments),
        "person": {"etag": arguments.get("etag") or found["etag"], **changes},
        "fields": ",".join(sorted(changes)),
    }


def _merged(
    field: str, there: list[dict[str, Any]], added: list[dict[str, Any]], leaving: set[str]
) -> list[dict[str, Any]]:
    """Return what a contact has, without some and with what is new; what is there already may get another kind."""
    merged = [each for each in _own(there) if _compared(field, each.get("value", "")) not in leaving]
    places = {_compared(field, each.get("value", "")): place for place, each in enumerate(merged)}
    for each in added:
        place = places.setdefault(_compared(field, each["value"]), len(merged))
        merged[place : place + 1] = [{**(merged[place] if place < len(merged) else {}), **each}]
    return merged


def _own(there: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    """Leave out what comes from a person's own profile, which can't be changed and isn't sent."""
    return [
        each for each in there or [] if each.get("metadata", {}).get("source", {}).get("type", "CONTACT") == "CONTACT"
    ]


def _completed(there: list[dict[str, Any]], given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a name or a company with what is left out as it was, and what Google puts together from it left out."""
    first = {key: value for key, value in there[0].items() if key not in _PUT_TOGETHER} if there else {}
    return [{**first, **given}, *there[1:]]


def _compared(field: str, value: str) -> str:
    """Return what two addresses or numbers that are the same have in common, however they are written."""
    digits = "".join(sign for sign in value if sign.isdigit()) if field == "phoneNumbers" else ""
    return digits or value.casefold()


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
