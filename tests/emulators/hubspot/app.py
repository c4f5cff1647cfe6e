"""
The CRM of HubSpot, as its own client @hubspot/api-client 13.5 and its documentation describe it.

It knows contacts, companies, deals, tickets, notes, tasks, calls, e-mails and meetings with their properties,
pipelines, owners, links and lists, and the token of a private app.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field

from tests.emulators.hubspot.properties import PROPERTIES, now
from tests.emulators.hubspot.records import PIPELINES, Record, Records, error
from tests.emulators.hubspot.searching import search
from tests.emulators.shapes import count, keys, listing, mapping, text, truth, whole, words
from tests.emulators.strict import Answer, Asked, Route, Shape

TOKEN = "pat-eu1-madeup-0001"
OWNERS = {"71": ("ada@example.com", "Ada", "Lovelace"), "72": ("grace@example.com", "", "")}
_OPERATORS = "EQ NEQ LT LTE GT GTE BETWEEN IN NOT_IN HAS_PROPERTY NOT_HAS_PROPERTY CONTAINS_TOKEN NOT_CONTAINS_TOKEN"

_TYPES = keys(
    {
        "associationCategory": words("HUBSPOT_DEFINED", "USER_DEFINED", "INTEGRATOR_DEFINED"),
        "associationTypeId": whole(1),
    }
)
_CREATE = keys(
    {"properties": mapping(text)},
    {"associations": listing(keys({"to": keys({"id": text}), "types": listing(_TYPES)}))},
)
_UPDATE = keys({"properties": mapping(text)}, {"objectWriteTraceId": text})
_FILTER = keys(
    {"propertyName": text, "operator": words(*_OPERATORS.split())},
    {"value": text, "values": listing(text), "highValue": text},
)
_SEARCH = keys(
    {},
    {
        "query": text,
        "limit": whole(1, 200),
        "after": text,
        "sorts": listing(keys({"propertyName": text}, {"direction": words("ASCENDING", "DESCENDING")}), 1),
        "properties": listing(text),
        "filterGroups": listing(keys({"filters": listing(_FILTER, 6)}), 5),
    },
)
_LIST = keys(
    {"name": text, "objectTypeId": text, "processingType": words("MANUAL", "SNAPSHOT", "DYNAMIC")},
    {"listFolderId": whole(), "customProperties": mapping(text)},
)
_LIST_SEARCH = keys(
    {},
    {
        "query": text,
        "offset": whole(),
        "count": whole(1, 500),
        "listIds": listing(text),
        "processingTypes": listing(words("MANUAL", "SNAPSHOT", "DYNAMIC")),
        "additionalProperties": listing(text),
        "sort": text,
    },
)
_PAGE: Mapping[str, Shape] = {"limit": count(1, 100), "after": text, "archived": truth}
_SHOWN: Mapping[str, Shape] = {"properties": text, "propertiesWithHistory": text, "associations": text}


@define
class ContactList:
    """A list of contacts."""

    id: str
    name: str
    kind: str
    object_type: str = "0-1"
    members: set[str] = field(factory=set)

    def shown(self) -> dict[str, Any]:
        """Return it as HubSpot tells it."""
        return {
            "listId": self.id,
            "name": self.name,
            "processingType": self.kind,
            "objectTypeId": self.object_type,
            "processingStatus": "COMPLETE",
            "listVersion": 1,
            "additionalProperties": {"hs_list_size": str(len(self.members))},
        }


@define
class HubSpot:
    """One account of HubSpot."""

    records: Records = field(factory=lambda: Records(frozenset(OWNERS)))
    lists: dict[str, ContactList] = field(
        factory=lambda: {
            "31": ContactList("31", "Everybody", "DYNAMIC"),
            "32": ContactList("32", "Companies of the fair", "MANUAL", "0-2"),
        }
    )
    _ids: Any = field(factory=lambda: itertools.count(33))

    def admit(self, headers: Mapping[str, str]) -> None:
        """See `Emulator`."""
        if headers.get("authorization") != f"Bearer {TOKEN}":
            raise error("INVALID_AUTHENTICATION", "Authentication credentials not found.", 401)

    def refusal(self, status: int, problems: Sequence[str]) -> Any:
        """See `Emulator`."""
        return error("VALIDATION_ERROR", f"Invalid input JSON: {problems}", status).body

    def routes(self) -> list[Route]:
        """See `Emulator`."""
        at = "/crm/v3/objects/{kind}"
        link = "/crm/v4/objects/{kind}/{id}/associations"
        by: Mapping[str, Shape] = {"idProperty": text}
        return [
            Route("GET", "/account-info/v3/details", lambda _: Answer({"portalId": 7, "uiDomain": "app.example.com"})),
            Route("POST", f"{at}/search", self._search, body=_SEARCH),
            Route("POST", f"{at}/merge", self._merge, body=keys({"primaryObjectId": text, "objectIdToMerge": text})),
            Route("GET", at, self._list, query={**_PAGE, **_SHOWN}),
            Route("POST", at, self._create, body=_CREATE),
            Route("GET", f"{at}/{{id}}", self._get, query={**_SHOWN, **by, "archived": truth}),
            Route("PATCH", f"{at}/{{id}}", self._change, query=by, body=_UPDATE),
            Route("DELETE", f"{at}/{{id}}", self._delete),
            Route("GET", f"{link}/{{to}}", self._linked, query={"limit": count(1, 500), "after": text}),
            Route("PUT", f"{link}/default/{{to}}/{{other}}", self._link),
            Route("DELETE", f"{link}/{{to}}/{{other}}", self._unlink),
            Route("GET", "/crm/v3/properties/{kind}", self._properties, query={"archived": truth, "properties": text}),
            Route("GET", "/crm/v3/pipelines/{kind}", lambda asked: Answer({"results": _pipelines(asked.at["kind"])})),
            Route("GET", "/crm/v3/pipelines/{kind}/{id}/stages", _stages),
            Route("GET", "/crm/v3/owners/", _owners, query={**_PAGE, "limit": count(1, 500), "email": text}),
            Route("POST", "/crm/v3/lists/", self._create_list, body=_LIST),
            Route("POST", "/crm/v3/lists/search", self._search_lists, body=_LIST_SEARCH),
            Route("PUT", "/crm/v3/lists/{id}/memberships/add", self._members(add=True), body=listing(text)),
            Route("PUT", "/crm/v3/lists/{id}/memberships/remove", self._members(add=False), body=listing(text)),
        ]

    def _record(self, asked: Asked) -> Record:
        return self.records.get(asked.at["kind"], asked.at["id"], asked.one("idProperty"))

    def _pair(self, asked: Asked) -> tuple[Record, Record]:
        return self._record(asked), self.records.get(asked.at["to"], asked.at["other"])

    def _search(self, asked: Asked) -> Answer:
        return Answer(search(self.records, asked.at["kind"], asked.body))

    def _merge(self, asked: Asked) -> Answer:
        kept, other = (
            self.records.get(asked.at["kind"], asked.body[name]) for name in ("primaryObjectId", "objectIdToMerge")
        )
        return Answer(self.records.merge(kept, other).shown())

    def _list(self, asked: Asked) -> Answer:
        shown = [each.shown(asked.every("properties")) for each in self.records.of(asked.at["kind"])]
        return Answer(_paged(shown, asked, 10))

    def _create(self, asked: Asked) -> Answer:
        made = self.records.add(asked.at["kind"], asked.body["properties"], asked.body.get("associations", []))
        return Answer(made.shown(list(asked.body["properties"])), 201)

    def _get(self, asked: Asked) -> Answer:
        return Answer(self._record(asked).shown(asked.every("properties")))

    def _change(self, asked: Asked) -> Answer:
        return Answer(
            self.records.change(self._record(asked), asked.body["properties"]).shown(asked.body["properties"])
        )

    def _delete(self, asked: Asked) -> Answer:
        self.records.delete(self._record(asked))
        return Answer(status=204)

    def _linked(self, asked: Asked) -> Answer:
        record, to = self._record(asked), asked.at["to"]
        types = [{"category": "HUBSPOT_DEFINED", "typeId": 1}]
        linked = [{"toObjectId": id, "associationTypes": types} for id in self.records.linked(record, to)]
        return Answer(_paged(linked, asked, 500))

    def _link(self, asked: Asked) -> Answer:
        one, other = self._pair(asked)
        number = self.records.link(one, other)
        spec = {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": number}
        ends = {"from": {"id": one.id}, "to": {"id": other.id}}
        return Answer({"status": "COMPLETE", "results": [{**ends, "associationSpec": spec}], "completedAt": now()})

    def _unlink(self, asked: Asked) -> Answer:
        self.records.unlink(*self._pair(asked))
        return Answer(status=204)

    def _properties(self, asked: Asked) -> Answer:
        self.records.of(asked.at["kind"])
        return Answer({"results": [each.shown() for each in PROPERTIES[asked.at["kind"]]]})

    def _create_list(self, asked: Asked) -> Answer:
        if any(each.name == asked.body["name"] for each in self.lists.values()):
            raise error("VALIDATION_ERROR", "List name already in use")
        id = str(next(self._ids))
        made = ContactList(id, asked.body["name"], asked.body["processingType"], asked.body["objectTypeId"])
        self.lists[id] = made
        return Answer({"list": made.shown()})

    def _search_lists(self, asked: Asked) -> Answer:
        wanted = asked.body
        kinds = wanted.get("processingTypes") or ["MANUAL", "SNAPSHOT", "DYNAMIC"]
        named = [each for each in self.lists.values() if wanted.get("query", "").lower() in each.name.lower()]
        found = [each.shown() for each in named if each.kind in kinds]
        end = wanted.get("offset", 0) + wanted.get("count", 20)
        page = found[wanted.get("offset", 0) : end]
        return Answer({"lists": page, "offset": end, "hasMore": end < len(found), "total": len(found)})

    def _members(self, *, add: bool) -> Callable[[Asked], Answer]:
        def change(asked: Asked) -> Answer:
            kept = self.lists.get(asked.at["id"])
            if kept is None:
                raise error("OBJECT_NOT_FOUND", "List does not exist.", 404)
            if kept.kind == "DYNAMIC":
                raise error("VALIDATION_ERROR", "Only lists of the types MANUAL and SNAPSHOT can be changed")
            there = {each.id for each in self.records.of("contacts")}
            fitting = [each for each in asked.body if each in there]
            (kept.members.update if add else kept.members.difference_update)(fitting)
            changed = {"recordsIdsAdded" if add else "recordIdsRemoved": fitting}
            missing = [each for each in asked.body if each not in there]
            return Answer({"recordsIdsAdded": [], "recordIdsRemoved": [], **changed, "recordIdsMissing": missing})

        return change


def _paged(found: list[Any], asked: Asked, size: int) -> dict[str, Any]:
    first, size = int(asked.one("after", "0")), int(asked.one("limit", str(size)))
    more = {"paging": {"next": {"after": str(first + size)}}} if len(found) > first + size else {}
    return {"results": found[first : first + size], **more}


def _pipelines(kind: str) -> list[dict[str, Any]]:
    if kind not in PIPELINES:
        raise error("OBJECT_NOT_FOUND", f"{kind} have no pipelines", 404)
    return [
        {"id": id, "label": label, "displayOrder": place, "archived": False, "stages": _told(stages)}
        for place, (id, (label, stages)) in enumerate(PIPELINES[kind].items())
    ]


def _told(stages: Sequence[str]) -> list[dict[str, Any]]:
    told = [
        {"id": id, "label": id.capitalize(), "displayOrder": place, "archived": False}
        for place, id in enumerate(stages)
    ]
    return told[::-1]  # HubSpot gives them in no order: displayOrder has it


def _stages(asked: Asked) -> Answer:
    for each in _pipelines(asked.at["kind"]):
        if each["id"] == asked.at["id"]:
            return Answer({"results": each["stages"]})
    raise error("OBJECT_NOT_FOUND", "No such pipeline", 404)


def _owners(asked: Asked) -> Answer:
    owners = [
        {"id": id, "email": email, "firstName": first, "lastName": last, "type": "PERSON", "archived": False}
        for id, (email, first, last) in OWNERS.items()
        if asked.one("email", email) == email
    ]
    return Answer(_paged(owners, asked, 100))
