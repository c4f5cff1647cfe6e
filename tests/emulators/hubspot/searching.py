"""Searches of HubSpot: the filters, the order and the pages of what is found."""

from collections.abc import Mapping
from typing import Any

from tests.emulators.hubspot.properties import SEARCHED, known
from tests.emulators.hubspot.records import Record, Records, error

_FOUND_AT_MOST = 10_000
# HubSpot's names of kinds where records are filtered by what they are linked to.
_LINKED = {"contact": "contacts", "company": "companies", "deal": "deals", "ticket": "tickets"}


def search(records: Records, kind: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page of the records of a kind that fit."""
    found = [each for each in records.of(kind) if _has_text(each, wanted.get("query", ""))]
    groups = wanted.get("filterGroups", [])
    if groups:
        found = [
            each
            for each in found
            if any(all(_fits(records, each, one) for one in group["filters"]) for group in groups)
        ]
    for order in wanted.get("sorts", []):
        name = _property(kind, order["propertyName"])
        found.sort(key=lambda each: each.value(name) or "", reverse=order.get("direction") == "DESCENDING")
    first, size = int(wanted.get("after") or 0), wanted.get("limit", 10)
    if first + size > _FOUND_AT_MOST:
        raise error("VALIDATION_ERROR", f"Searches end after {_FOUND_AT_MOST} results")
    page = found[first : first + size]
    answer: dict[str, Any] = {
        "total": len(found),
        "results": [each.shown(wanted.get("properties", ())) for each in page],
    }
    if len(found) > first + size:
        answer["paging"] = {"next": {"after": str(first + size)}}
    return answer


def _has_text(record: Record, text: str) -> bool:
    words = text.lower().split()
    said = " ".join(record.value(name) or "" for name in SEARCHED[record.kind]).lower()
    return all(word in said for word in words)


def _property(kind: str, name: str) -> str:
    if name not in known(kind):
        raise error("VALIDATION_ERROR", f"There was a problem with the request: unknown property {name}")
    return name


def _fits(records: Records, record: Record, condition: Mapping[str, Any]) -> bool:
    name, operator = condition["propertyName"], condition["operator"]
    if name.startswith("associations."):
        kind = _LINKED.get(name.removeprefix("associations."))
        if kind is None or operator != "EQ":
            raise error("VALIDATION_ERROR", f"{name} can't be searched by {operator}")
        return condition.get("value") in records.linked(record, kind)
    value = record.value(_property(record.kind, name)) or ""
    match operator:
        case "EQ":
            return bool(value == condition["value"])
        case "NEQ":
            return bool(value != condition["value"])
        case "HAS_PROPERTY":
            return bool(value)
        case "NOT_HAS_PROPERTY":
            return not value
        case "IN":
            return value.lower() in condition["values"]
        case "CONTAINS_TOKEN":
            return condition["value"].strip("*").lower() in value.lower()
    raise error("VALIDATION_ERROR", f"this account has nothing to compare by {operator}")
