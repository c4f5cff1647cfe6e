"""Google's discovery documents as descriptions: method, path, parameters with their types, and bodies by schema."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import field, frozen

from tests.connectors.descriptions.description import Description
from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.paths import located, template
from tests.connectors.descriptions.sent import Sent

GOOGLE = pypi("google-api-python-client==2.202.0")

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
}
_TEXTS = {"integer": r"-?\d+", "number": r"-?\d+(\.\d+)?", "boolean": "true|false"}


def discovery_documents(*names: str, excepted: frozenset[str] = frozenset()) -> Description:
    """
    Describe an API by Google's own documents, such as `calendar.v3`; the first that has a request's path judges it.

    `excepted` are keys of bodies that documents are known to be wrong about: they call them read-only or required.
    """
    members = GOOGLE.keeping(*(f"googleapiclient/discovery_cache/documents/{name}.json" for name in names))

    def read() -> DiscoveryJudge:
        return DiscoveryJudge(tuple(DiscoveryDocument(json.loads(each), excepted) for each in members.texts().values()))

    way = "Google's discovery documents: types, enumerations, required keys and names"
    return Description((members,), way, read)


@frozen
class GoogleMethod:
    """A method of a document, once by its own path and once by that of uploads."""

    method: str
    path: str
    content: Mapping[str, Any] = field(repr=False)
    uploads: bool = False


@frozen(slots=False)
class DiscoveryDocument:
    """One document; paths of its methods are below `base`."""

    content: dict[str, Any] = field(repr=False)
    excepted: frozenset[str] = frozenset()

    @property
    def parts(self) -> Iterator[tuple["DiscoveryDocument", str, list[GoogleMethod]]]:
        """The address that uploads go to and that of the API, with the methods below each."""
        root = self.content["rootUrl"]
        for uploads, base in ((True, root), (False, root + self.content["servicePath"])):
            yield self, base, [method for method in self.methods if method.uploads == uploads]

    @cached_property
    def methods(self) -> list[GoogleMethod]:
        """All methods of all resources."""
        return [each for method in _methods(self.content) for each in _written(method)]

    def wrong(self, schema: Mapping[str, Any], value: Any, path: str, method_id: str) -> Iterator[str]:
        """Yield what in a value isn't as its schema says."""
        schema = self.content["schemas"][schema["$ref"]] if "$ref" in schema else schema
        expected = _TYPES.get(schema.get("type", "any"))
        if expected is not None and (
            not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected)
        ):
            yield f"{path} must be of the type {schema['type']}"
        elif "enum" in schema and value not in schema["enum"]:
            yield f"{path} is {value!r}, not one of {', '.join(schema['enum'])}"
        elif isinstance(value, list):
            for item in value:
                yield from self.wrong(schema.get("items", {}), item, path, method_id)
        elif isinstance(value, dict) and "type" in schema:
            yield from self._wrong_keys(schema, value, path, method_id)

    def _wrong_keys(self, schema: Mapping[str, Any], value: dict[str, Any], path: str, method_id: str) -> Iterator[str]:
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties")
        for key, item in value.items():
            inner = properties.get(key, others)
            if inner is None:
                yield f"{path}'s key {key} isn't declared"
            elif inner.get("readOnly") and key not in self.excepted:
                yield f"{path}'s key {key} can't be written"
            else:
                yield from self.wrong(inner, item, f"{path}.{key}", method_id)
        for key, each in properties.items():
            if (
                key not in self.excepted
                and method_id in each.get("annotations", {}).get("required", ())
                and key not in value
            ):
                yield f"{path}'s key {key} is required"


@frozen
class DiscoveryJudge:
    """Documents that were read."""

    documents: tuple[DiscoveryDocument, ...]

    @property
    def has_answers(self) -> bool:
        """Google's documents tell what is answered, too."""
        return True

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        found = located(request, (part for document in self.documents for part in document.parts))
        if isinstance(found, str):
            yield found
        else:
            # What differs only by a pattern inside `{+name}` is told apart by its parameters.
            yield from min((list(_compare(found[0], each, request)) for each in found[1]), key=len)

    def unknown_in_answer(self, request: Sent, answer: Any) -> Iterator[str]:
        """Yield the keys of a good answer to a request that no document declares there."""
        found = located(request, (part for document in self.documents for part in document.parts))
        if isinstance(found, str):
            yield found
            return
        declared = [each.content["response"] for each in found[1] if "response" in each.content]
        told = [list(_unknown_in(found[0], each, answer, "")) for each in declared]
        yield from min(told, key=len) if told else ["no answer is declared"]


def _unknown_in(document: DiscoveryDocument, schema: Mapping[str, Any], value: Any, path: str) -> Iterator[str]:
    schema = document.content["schemas"][schema["$ref"]] if "$ref" in schema else schema
    if isinstance(value, list):
        for item in value:
            yield from _unknown_in(document, schema.get("items", {}), item, path)
    elif isinstance(value, dict):
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if inner is None:
                yield f"{path}{key}"
            else:
                yield from _unknown_in(document, inner, item, f"{path}{key}.")


def _compare(document: DiscoveryDocument, method: GoogleMethod, request: Sent) -> Iterator[str]:
    declared = {
        name: each for name, each in method.content.get("parameters", {}).items() if each["location"] == "query"
    }
    common = document.content.get("parameters", {})
    for name, value in request.query:
        schema = declared.get(name, common.get(name))
        if schema is None:
            if not (method.uploads and name == "uploadType"):
                yield f"the query parameter {name} isn't declared"
        elif "enum" in schema and value not in schema["enum"]:
            yield f"the query parameter {name} is {value!r}, not one of {', '.join(schema['enum'])}"
        elif not re.fullmatch(_TEXTS.get(schema["type"], ".*"), value, re.DOTALL):
            yield f"the query parameter {name} is {value!r}, which isn't of the type {schema['type']}"
    sent = [name for name, _ in request.query]
    for name, schema in declared.items():
        if schema.get("required") and name not in sent:
            yield f"the query parameter {name} is required"
        if sent.count(name) > 1 and not schema.get("repeated"):
            yield f"the query parameter {name} can't be repeated"
    if request.body is None:
        return
    if "request" not in method.content:
        yield "it takes no body"
    elif request.media_type == "application/json":
        yield from document.wrong(method.content["request"], request.body, "the body", method.content["id"])


def _methods(resource: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from resource.get("methods", {}).values()
    for inner in resource.get("resources", {}).values():
        yield from _methods(inner)


def _written(method: Mapping[str, Any]) -> Iterator[GoogleMethod]:
    # In `path` one parameter may stand for several segments, whatever they are; `flatPath` has them one by one.
    yield GoogleMethod(method["httpMethod"], template(method.get("flatPath", method["path"])), method)
    for protocol in method.get("mediaUpload", {}).get("protocols", {}).values():
        yield GoogleMethod(method["httpMethod"], template(protocol["path"]), method, uploads=True)
