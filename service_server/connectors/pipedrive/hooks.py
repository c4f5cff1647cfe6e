"""What Pipedrive needs beyond data: lists of addresses and people, where an update replaces all that is in them."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest


def changed_contacts(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the addresses and numbers of a person, without some and with further ones; each only if given."""
    prepared = {}
    for name in ("emails", "phones"):
        if name in arguments or f"remove_{name}" in arguments:
            if before.get(name) is None:
                raise InvalidRequest(name, "can't be changed: Pipedrive doesn't tell which there are")
            leaving = {_compared(name, value) for value in arguments.get(f"remove_{name}") or []}
            prepared[name] = _merged(name, before[name], arguments.get(name) or [], leaving)
    return prepared


def person(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the person of an activity as the main one who takes part in it, which is how Pipedrive takes it."""
    return changed_person(arguments, {})


def changed_person(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return who takes part in an activity: the given person in place of the main one; the others stay."""
    if "person_id" not in arguments:
        return {}
    main = arguments["person_id"]
    others = [
        {"person_id": each["person_id"], "primary": False}
        for each in before.get("participants") or []
        if not each.get("primary") and each["person_id"] != main
    ]
    return {"participants": [{"person_id": main, "primary": True}, *others]}


def _merged(
    name: str, there: list[dict[str, Any]], added: list[dict[str, Any]], leaving: set[str]
) -> list[dict[str, Any]]:
    """Return what there is and what is new; where one that is new is the main one, no other is."""
    merged = [each for each in there if _compared(name, each["value"]) not in leaving]
    if any(each.get("primary") for each in added):
        merged = [{**each, "primary": False} for each in merged]
    places = {_compared(name, each["value"]): place for place, each in enumerate(merged)}
    for each in added:
        place = places.setdefault(_compared(name, each["value"]), len(merged))
        merged[place : place + 1] = [{**(merged[place] if place < len(merged) else {}), **each}]
    return merged


def _compared(name: str, value: str) -> str:
    """Return what two addresses or numbers that are the same have in common, however they are written."""
    digits = "".join(sign for sign in value if sign.isdigit()) if name == "phones" else ""
    return digits or value.casefold()
