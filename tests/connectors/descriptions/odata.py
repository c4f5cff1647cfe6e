"""
OData metadata as a description: what a service says of itself under `$metadata` (EDMX).

It has the sets of entities with their keys, properties and links, and the actions and functions with what they take.
Compared are method and path, the names in `$select`, `$filter`, `$orderby` and `$expand`, and of bodies every name with
its type and, for links (`name@odata.bind`), the set that is linked to.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

from attrs import field, frozen

from tests.connectors.descriptions.description import Description
from tests.connectors.descriptions.packages import Members
from tests.connectors.descriptions.paths import below
from tests.connectors.descriptions.sent import Sent

_EDM = "{http://docs.oasis-open.org/odata/ns/edm}"
_SEGMENT = re.compile(r"(?P<name>[A-Za-z_][\w.]*)(\((?P<key>[^()]+)\))?")
_BIND = "@odata.bind"
_LINK = re.compile(r"/(?P<set>\w+)\([^()]+\)")
# In a condition a name may stand beside these.
_WORDS = frozenset({"and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le", "true", "false", "null"})
_FUNCTIONS = frozenset({"contains", "startswith", "endswith"})
_NUMBERS = (int, float)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "Edm.Boolean": (bool,),
    "Edm.Int32": (int,),
    "Edm.Int64": (int,),
    "Edm.Decimal": _NUMBERS,
    "Edm.Double": _NUMBERS,
}
_FORMS = {
    "Edm.Date": re.compile(r"\d{4}-\d\d-\d\d"),
    "Edm.DateTimeOffset": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)"),
}


def odata_metadata(document: Members, base_url: str) -> Description:
    """Describe an API by one document in XML; `base_url` is the address that its sets are below."""

    def read() -> ODataJudge:
        (text,) = document.texts().values()
        return ODataJudge(base_url, ODataModel(ElementTree.fromstring(text)))  # noqa: S314 - a pinned package's

    way = "OData metadata: method and path; names in queries; name, type and links of all that is sent"
    return Description((document,), way, read)


@frozen(slots=False, eq=False)
class ODataModel:
    """What the document declares, by name; types are named without their namespace."""

    root: ElementTree.Element = field(repr=False)

    @cached_property
    def types(self) -> dict[str, ElementTree.Element]:
        """Types of entities, and those of values inside of them."""
        return {each.attrib["Name"]: each for kind in ("EntityType", "ComplexType") for each in self._all(kind)}

    @cached_property
    def sets(self) -> dict[str, str]:
        """The type of each set's entities."""
        return {each.attrib["Name"]: _plain(each.attrib["EntityType"]) for each in self._all("EntitySet")}

    @cached_property
    def calls(self) -> dict[tuple[str, str], list[ElementTree.Element]]:
        """Actions and functions, by their kind and name; one name may be bound to several types."""
        found: dict[tuple[str, str], list[ElementTree.Element]] = {}
        for kind in ("Action", "Function"):
            for each in self._all(kind):
                found.setdefault((kind, each.attrib["Name"]), []).append(each)
        return found

    def _all(self, kind: str) -> Iterable[ElementTree.Element]:
        return self.root.iter(_EDM + kind)

    def lineage(self, name: str) -> Iterator[ElementTree.Element]:
        """A type and those that it is derived from."""
        found = self.types.get(name)
        if found is not None:
            yield found
            yield from self.lineage(_plain(found.get("BaseType", "")))

    def properties(self, name: str) -> dict[str, str]:
        """The properties of a type, its own and those that it has of others, with their types."""
        return self._members(name, "Property")

    def links(self, name: str) -> dict[str, str]:
        """The links of a type to others, with the types of these."""
        return self._members(name, "NavigationProperty")

    def _members(self, name: str, kind: str) -> dict[str, str]:
        return {each.attrib["Name"]: each.attrib["Type"] for at in self.lineage(name) for each in at.iter(_EDM + kind)}

    def is_a(self, name: str, other: str) -> bool:
        """Whether a type is another, or derived from it."""
        return any(each.attrib["Name"] == other for each in self.lineage(name))


@frozen
class ODataJudge:
    """Metadata that was read."""

    base_url: str
    model: ODataModel

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        path = below(self.base_url, request.url)
        if path is None:
            yield f"{request.url} isn't below {self.base_url}"
            return
        found = [_SEGMENT.fullmatch(unquote(each)) for each in path.strip("/").split("/")]
        segments = [match for match in found if match is not None]
        if len(segments) < len(found):
            yield f"{path} is no path"
        elif segments[0]["name"] in self.model.sets:
            yield from self._entities(segments, request)
        elif len(segments) == 1:
            yield from self._call(segments[0]["name"], None, request)
        else:
            yield f"there is no path {path}"

    def _entities(self, segments: list[re.Match[str]], request: Sent) -> Iterator[str]:
        """Follow a path from a set: to one of its entities, along links, to a type derived of theirs or to a call."""
        first, *others = segments
        kind, one = self.model.sets[first["name"]], first["key"] is not None
        for match in others:
            name = match["name"]
            if "." in name and self.model.is_a(_plain(name), kind):
                kind = _plain(name)
            elif "." in name and one and match is others[-1]:
                yield from self._call(_plain(name), kind, request)
                return
            elif one and name in self.model.links(kind):
                target = self.model.links(kind)[name]
                kind, one = _plain(target), match["key"] is not None or not target.startswith("Collection(")
            else:
                yield f"{kind} has no {name}" if one else f"{name} needs one {kind} before it"
                return
        allowed = {"GET", "PATCH", "DELETE"} if one else {"GET", "POST"}
        if request.method not in allowed:
            yield f"{request.url} is for {', '.join(sorted(allowed))}, not for {request.method}"
        yield from self._query(kind, request)
        yield from self._entity(kind, request.body or {}, kind)

    def _call(self, name: str, bound: str | None, request: Sent) -> Iterator[str]:
        kind = {"POST": "Action", "GET": "Function"}.get(request.method, "")
        for call in self.model.calls.get((kind, name), ()):
            parameters = {each.attrib["Name"]: each.attrib["Type"] for each in call.iter(_EDM + "Parameter")}
            if call.get("IsBound") == "true":
                first = next(iter(parameters))
                if bound is None or not self.model.is_a(bound, _plain(parameters.pop(first))):
                    continue
            elif bound is not None:
                continue
            yield from (f"the query parameter {each} isn't known" for each, _ in request.query)
            yield from self._values(parameters, {}, request.body or {}, name)
            return
        yield f"there is no {kind or request.method} {name}" + (f" for {bound}" if bound else "")

    def _query(self, kind: str, request: Sent) -> Iterator[str]:
        properties, links = self.model.properties(kind), self.model.links(kind)
        for name, value in request.query:
            if name == "$expand":
                unknown = set(re.findall(r"[^,]+", re.sub(r"\([^()]*\)", "", value))) - set(links)
            elif name in ("$select", "$orderby"):
                unknown = {each.split()[0] for each in value.split(",")} - set(properties)
            elif name == "$filter":
                unknown = _names_in(value) - set(properties)
            elif name == "$top":
                unknown = set()
            else:
                yield f"the query parameter {name} isn't known"
                continue
            yield from (f"{kind} has no {each}, which {name} names" for each in sorted(unknown))

    def _entity(self, kind: str, value: Any, at: str) -> Iterator[str]:
        yield from self._values(self.model.properties(kind), self.model.links(kind), value, at)

    def _values(
        self, properties: Mapping[str, str], links: Mapping[str, str], value: Mapping[str, Any], at: str
    ) -> Iterator[str]:
        for name, item in value.items():
            if name.endswith(_BIND) and (link := links.get(name.removesuffix(_BIND))) is not None:
                yield from self._linked(link, item, f"{at}.{name}")
            elif name in properties:
                yield from self._value(properties[name], item, f"{at}.{name}")
            else:
                yield f"{at} has no {name}"

    def _linked(self, link: str, value: Any, at: str) -> Iterator[str]:
        match = _LINK.fullmatch(value) if isinstance(value, str) else None
        if match is None or link.startswith("Collection("):
            yield f"{at} can't be linked to {value}"
        elif not self.model.is_a(self.model.sets.get(match["set"], ""), _plain(link)):
            yield f"{at} is of the type {_plain(link)}, and {match['set']} has none"

    def _value(self, kind: str, value: Any, at: str) -> Iterator[str]:
        expected = _TYPES.get(kind, (str,))
        if _plain(kind) in self.model.types:
            yield from self._entity(_plain(kind), value, at) if isinstance(value, dict) else [f"{at} is no object"]
        elif not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
            yield f"{at} must be of the type {kind}"
        elif kind in _FORMS and not _FORMS[kind].fullmatch(str(value)):
            yield f"{at} is no {kind}"


def _names_in(condition: str) -> set[str]:
    """The names in a condition: what is left of it without texts, ids, numbers, moments and the words of OData."""
    left = re.sub(r"'(?:[^']|'')*'", "", condition)
    left = re.sub(r"\b\d[\w:.+-]*|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "", left, flags=re.IGNORECASE)
    return set(re.findall(r"[A-Za-z_]\w*", left)) - _WORDS - _FUNCTIONS


def _plain(name: str) -> str:
    """A type's name without its namespace, or that of what a collection holds."""
    return name.removeprefix("Collection(").removesuffix(")").rpartition(".")[2]
