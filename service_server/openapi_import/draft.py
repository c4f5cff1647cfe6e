"""A function under construction: what the steps have found of one operation so far."""

from collections.abc import Mapping
from itertools import chain, count
from typing import Any

from attrs import define, field, frozen

from service_server.openapi_import.alternatives import Schema
from service_server.openapi_import.answers import Answer
from service_server.openapi_import.fields import described
from service_server.openapi_import.flatten import Flat, Flattener
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.texts import words_of

_IDENTIFYING = frozenset(
    {"id", "ids", "gid", "gids", "guid", "sid", "sids", "uuid", "uuids", "key", "keys", "slug", "name", "number"}
)


@frozen
class Origin:
    """
    Where an argument is sent: `location` is path, query, header or body; `name` is the document's own.

    One that only narrows the choices of others is sent nowhere.
    """

    location: str
    name: str


@define
class Draft:
    """
    One function.

    `query`, `headers` and `body` are templates of the request, `body_kind` the key of the function file that the body
    stands under. `origins` and `samples` belong to the arguments of the same names. `stem` is empty until it is named.
    """

    operation: Operation
    flattener: Flattener
    answer: Answer = field(factory=Answer)
    path: str = ""
    stem: str = ""
    title: str = ""
    description: str = ""
    type: str = "mutation"
    destructive: bool = False
    idempotent: bool = False
    query: dict[str, Any] = field(factory=dict)
    headers: dict[str, str] = field(factory=dict)
    body_kind: str = ""
    body: Any = None
    form_lists: str = ""
    properties: dict[str, Schema] = field(factory=dict)
    required: list[str] = field(factory=list)
    origins: dict[str, Origin] = field(factory=dict)
    samples: dict[str, list[Any]] = field(factory=dict)
    paginate: str = ""
    output: str = ""
    scopes: list[Any] = field(factory=list)
    example: tuple[str, dict[str, Any]] | None = None

    def add(self, origin: Origin, flat: Flat, required: bool) -> str:
        """Make an argument of a value that is sent, and return the expression that stands for it in the request."""
        name = self._free_name(origin)
        self.properties[name] = described(flat.schema, name)
        self.origins[name] = origin
        self.samples[name] = flat.samples
        if required:
            self.required.append(name)
        return f"${{args.{name}}}" if required else f"${{args.{name}?}}"

    def insert(self, before: str, name: str, origin: Origin, schema: Schema) -> None:
        """Put an argument before another."""
        at = list(self.properties).index(before)
        members = list(self.properties.items())
        self.properties = dict([*members[:at], (name, schema), *members[at:]])
        self.origins[name], self.samples[name] = origin, []

    def remove(self, location: str, name: str) -> Schema | None:
        """Take an argument out again, with what sends it; returns its schema, None where there is none such."""
        found = self.argument(location, name)
        if found is None:
            return None
        if location == "query":
            self.query.pop(name, None)
        elif location and isinstance(self.body, dict):
            self.body.pop(name, None)
        if found in self.required:
            self.required.remove(found)
        self.samples.pop(found)
        self.origins.pop(found)
        return self.properties.pop(found)

    def argument(self, location: str, name: str) -> str | None:
        """Return the argument that is sent at a place of the request under the document's own name."""
        return next((key for key, each in self.origins.items() if each == Origin(location, name)), None)

    def _free_name(self, origin: Origin) -> str:
        name = argument_name(origin.name)
        likely = (name, f"{origin.location}_{name}", f"{origin.location}_{name}_value")
        names = chain(likely, (f"{name}_{number}" for number in count(2)))
        return next(each for each in names if each not in self.properties and each != "next_page")

    def content(self) -> dict[str, Any]:
        """Return the function's file."""
        request: dict[str, Any] = {self.operation.method: self.path}
        if self.query:
            request["query"] = self.query
        if self.headers:
            request["headers"] = self.headers
        if self.body_kind:
            request[self.body_kind] = self.body
        if self.form_lists:
            request["form_lists"] = self.form_lists
        parameters: dict[str, Any] = {"type": "object"}
        if self.required:
            parameters["required"] = self.required
        parameters["properties"] = self.properties
        optional: Mapping[str, Any] = {
            "destructive": self.destructive,
            "idempotent": self.idempotent and self.type == "mutation",
            "scopes": self.scopes,
            "request": request,
            "paginate": self.paginate,
            "output": self.output,
            "parameters": parameters,
            "examples": [{"prompt": self.example[0], "arguments": self.example[1]}] if self.example else None,
        }
        head = {"type": self.type, "title": self.title, "description": self.description}
        return head | {key: value for key, value in optional.items() if value}


def argument_name(name: str) -> str:
    """Return a name as an argument can have it: `filter[status]` becomes filter_status."""
    plain = "".join(character if character.isascii() and character.isalnum() else "_" for character in name)
    plain = "_".join(part for part in plain.split("_") if part) if plain != name else plain
    if not plain.strip("_"):
        return "value"
    plain = plain[:60].rstrip("_")
    return f"value_{plain}" if plain[0].isdigit() else plain


def nouns_of(name: str) -> list[str]:
    """Return the words of an argument's name without those that say that it identifies something."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _IDENTIFYING:
        words.pop()
    return words
