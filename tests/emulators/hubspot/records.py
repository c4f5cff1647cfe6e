"""Records of HubSpot: made, changed, merged and deleted, and the links between them."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from tests.emulators.hubspot.properties import ACTIVITY, ONE_OF, PROPERTIES, REQUIRED, USUAL, known, now, problems
from tests.emulators.strict import RefusedError

# What HubSpot calls the links of its own, from one kind of record to another.
LINKS = {
    ("contacts", "companies"): 279,
    ("companies", "contacts"): 280,
    ("deals", "contacts"): 3,
    ("contacts", "deals"): 4,
    ("deals", "companies"): 341,
    ("companies", "deals"): 342,
    ("contacts", "tickets"): 15,
    ("tickets", "contacts"): 16,
    ("tickets", "companies"): 339,
    ("companies", "tickets"): 340,
    ("deals", "tickets"): 27,
    ("tickets", "deals"): 28,
    ("contacts", "contacts"): 449,
    ("companies", "companies"): 450,
    ("deals", "deals"): 451,
    ("tickets", "tickets"): 452,
}
# Those of activities: the number towards each kind of record; the way back is one less.
_OF_ACTIVITIES = {
    "notes": (202, 190, 214, 228),
    "tasks": (204, 192, 216, 230),
    "calls": (194, 182, 206, 220),
    "emails": (198, 186, 210, 224),
    "meetings": (200, 188, 212, 226),
}
for _activity, _numbers in _OF_ACTIVITIES.items():
    for _kind, _number in zip(("contacts", "companies", "deals", "tickets"), _numbers, strict=True):
        LINKS[_activity, _kind] = _number
        LINKS[_kind, _activity] = _number - 1

PIPELINES: Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "deals": {"default": ("Sales", ("qualified", "offer", "closedwon")), "partners": ("Partners", ("talks", "signed"))},
    "tickets": {"0": ("Support", ("1", "2", "4"))},
}
_STAGE = {"deals": ("pipeline", "dealstage"), "tickets": ("hs_pipeline", "hs_pipeline_stage")}


def error(category: str, message: str, status: int = 400) -> RefusedError:
    """Return what HubSpot says to what it doesn't do."""
    body = {"status": "error", "message": message, "correlationId": "0" * 8, "category": category}
    return RefusedError(status, body)


@define
class Record:
    """A record of some kind."""

    kind: str
    id: str
    properties: dict[str, str]
    created: str
    updated: str

    def shown(self, wanted: Sequence[str] = ()) -> dict[str, Any]:
        """Return it with the usual properties and those asked for; what HubSpot doesn't know is left out."""
        names = (*USUAL.get(self.kind, ACTIVITY), *(name for name in wanted if name in known(self.kind)))
        properties = {name: self.value(name) for name in sorted(set(names))}
        stamps = {"createdAt": self.created, "updatedAt": self.updated}
        return {"id": self.id, "properties": properties, **stamps, "archived": False}

    def value(self, name: str) -> str | None:
        """Return the value of a property, None where there is none."""
        own = {
            "hs_object_id": self.id,
            "hs_createdate": self.created,
            "createdate": self.created,
            "hs_lastmodifieddate": self.updated,
            "lastmodifieddate": self.updated,
        }
        return own.get(name) or self.properties.get(name)


@define
class Records:
    """All records of an account, and their links."""

    owners: frozenset[str]
    all: dict[tuple[str, str], Record] = field(factory=dict)
    links: set[tuple[str, str, str, str]] = field(factory=set)
    _ids: Iterator[int] = field(factory=lambda: itertools.count(501))

    def of(self, kind: str) -> list[Record]:
        """Return the records of a kind, the oldest first."""
        if kind not in PROPERTIES:
            raise error("OBJECT_NOT_FOUND", f"Unable to infer object type from: {kind}")
        return [each for (of, _), each in self.all.items() if of == kind]

    def get(self, kind: str, key: str, by: str = "") -> Record:
        """Return a record by its id, or by a property that tells records apart."""
        if by not in ("", "hs_object_id") and (kind, by) != ("contacts", "email"):
            raise error("VALIDATION_ERROR", f"{by} is not a unique property of {kind}")
        for each in self.of(kind):
            if key == (each.id if by in ("", "hs_object_id") else each.properties.get(by, "")):
                return each
        raise error("OBJECT_NOT_FOUND", "Object not found.", 404)

    def add(self, kind: str, properties: Mapping[str, str], associations: Sequence[Any]) -> Record:
        """Make a record, with the links that are asked for."""
        self.of(kind)
        self._check(kind, properties, None)
        one_of = ONE_OF.get(kind)
        missing = [name for name in REQUIRED.get(kind, ()) if not properties.get(name)]
        if missing or (one_of and not any(properties.get(name) for name in one_of)):
            raise error("VALIDATION_ERROR", f"Some required properties were not set: {missing or one_of}")
        made = Record(kind, str(next(self._ids)), dict(properties), now(), now())
        targets = [self._target(kind, each) for each in associations]
        self.all[kind, made.id] = made
        for other in targets:
            self.link(made, other)
        return made

    def change(self, record: Record, properties: Mapping[str, str]) -> Record:
        """Change some properties of a record."""
        self._check(record.kind, properties, record)
        record.properties |= properties
        record.updated = now()
        return record

    def delete(self, record: Record) -> None:
        """Take a record away, with its links."""
        del self.all[record.kind, record.id]
        self.links = {each for each in self.links if record.id not in (each[1], each[3])}

    def merge(self, kept: Record, other: Record) -> Record:
        """Merge a record into another one, which wins where both have a value."""
        if kept is other:
            raise error("VALIDATION_ERROR", "Cannot merge an object with itself")
        kept.properties = {**other.properties, **kept.properties}
        for each in [self.all[to, id] for of, key, to, id in self.links if (of, key) == (other.kind, other.id)]:
            self.link(kept, each)
        self.delete(other)
        kept.updated = now()
        return kept

    def link(self, one: Record, other: Record) -> int:
        """Link two records, in both directions; the number of the link."""
        number = LINKS.get((one.kind, other.kind))
        if number is None:
            raise error("VALIDATION_ERROR", f"No default association between {one.kind} and {other.kind}")
        self.links |= {(one.kind, one.id, other.kind, other.id), (other.kind, other.id, one.kind, one.id)}
        return number

    def unlink(self, one: Record, other: Record) -> None:
        """Take all links between two records away."""
        self.links -= {(one.kind, one.id, other.kind, other.id), (other.kind, other.id, one.kind, one.id)}

    def linked(self, record: Record, kind: str) -> list[str]:
        """Return the ids of the records of a kind that one is linked to."""
        self.of(kind)
        return sorted(other for of, key, to, other in self.links if (of, key, to) == (record.kind, record.id, kind))

    def _target(self, kind: str, association: Mapping[str, Any]) -> Record:
        numbers = [each["associationTypeId"] for each in association["types"]]
        other = next((to for (of, to), number in LINKS.items() if of == kind and [number] == numbers), None)
        if other is None:
            raise error("VALIDATION_ERROR", f"{numbers} are no associations from {kind}")
        return self.get(other, association["to"]["id"])

    def _check(self, kind: str, given: Mapping[str, str], record: Record | None) -> None:
        found = list(problems(kind, given, self.owners))
        if found:
            raise error("VALIDATION_ERROR", f"Property values were not valid: {found}")
        email = given.get("email")
        for each in self.of(kind) if email and kind == "contacts" else ():
            if each is not record and each.properties.get("email") == email:
                raise error("CONFLICT", f"Contact already exists. Existing ID: {each.id}", 409)
        if kind in _STAGE:
            self._check_stage(kind, {**(record.properties if record else {}), **given}, new=record is None)

    def _check_stage(self, kind: str, values: Mapping[str, str], *, new: bool) -> None:
        pipeline, stage = (values.get(name, "") for name in _STAGE[kind])
        if new and not pipeline and len(PIPELINES[kind]) > 1:
            raise error("VALIDATION_ERROR", "There are several pipelines: one has to be given")
        _, stages = PIPELINES[kind].get(pipeline or next(iter(PIPELINES[kind])), ("", ()))
        if stage and stage not in stages:
            raise error("VALIDATION_ERROR", f"{stage} was not one of the allowed options of pipeline {pipeline}")
