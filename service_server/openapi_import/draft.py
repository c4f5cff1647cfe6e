"""A function under construction: what the steps have found of one operation so far, and what is said of it."""

import re
from itertools import chain
from typing import Any

from attrs import define, field

from service_server.catalog.parameters import published_schema
from service_server.openapi_import.answers import Answer
from service_server.openapi_import.flatten import Flat, Flattener
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.schemas import Schema, described, fitting
from service_server.openapi_import.texts import description_of, is_plural, numbered, one_line, title_of_text, words_of

_SHORTEST_DESCRIPTION = 8
_LONGEST_DESCRIPTION = 400
_IDENTIFYING = re.compile("(g?id|sid|uuid|key)s?|guid|slug|name|number")


@define
class Argument:
    """
    A value that callers give: `location` is path, query, header or body, and `sent` the document's own name there; one
    that only narrows the choices of others is sent nowhere. `samples` are the document's own values, best first.
    """

    name: str
    location: str
    sent: str
    schema: Schema
    required: bool = False
    samples: list[Any] = field(factory=list)


@define
class Draft:
    """
    A function: `query`, `headers` and `body` are templates of the request, `body_kind` the key of the function file
    that the body stands under. `stem` is empty until it is named.
    """

    operation: Operation
    flattener: Flattener
    answer: Answer = field(factory=Answer)
    path: str = ""
    stem: str = ""
    title: str = ""
    description: str = ""
    query: dict[str, Any] = field(factory=dict)
    headers: dict[str, str] = field(factory=dict)
    body_kind: str = ""
    body: Any = None
    form_lists: str = ""
    arguments: dict[str, Argument] = field(factory=dict)
    paginate: str = ""
    output: str = ""
    scopes: list[Any] = field(factory=list)
    example: dict[str, Any] = field(factory=dict)

    @property
    def lists(self) -> bool:
        """Whether it lists things; where the document doesn't tell its answer, by the last word of its path."""
        words = words_of(self.operation.last_segment)
        looks_so = self.operation.looks and "}" not in self.operation.last_segment and is_plural("".join(words[-1:]))
        return self.answer.is_list or (looks_so and not self.answer.fields)

    @property
    def required(self) -> list[Argument]:
        """The arguments that every call has."""
        return [each for each in self.arguments.values() if each.required]

    def add(self, location: str, sent: str, flat: Flat, required: bool) -> str:
        """Make an argument of a value that is sent, and return the expression that stands for it in the request."""
        plain = argument_name(sent)
        names = chain((plain, f"{location}_{plain}", f"{location}_{plain}_value"), numbered(plain))
        name = next(each for each in names if each not in self.arguments and each != "next_page")
        self.arguments[name] = Argument(name, location, sent, described(flat.schema, name), required, flat.samples)
        return f"${{args.{name}}}" if required else f"${{args.{name}?}}"

    def remove(self, argument: Argument) -> None:
        """Take an argument out again, with what sends it."""
        del self.arguments[argument.name]
        if argument.location == "query":
            self.query.pop(argument.sent, None)
        elif argument.location and isinstance(self.body, dict):
            self.body.pop(argument.sent, None)

    def content(self) -> dict[str, Any]:
        """Return the function's file."""
        operation = self.operation
        request = {operation.method: self.path, "query": self.query, "headers": self.headers, self.body_kind: self.body}
        request["form_lists"] = self.form_lists
        required = [each.name for each in self.required]
        properties = {each.name: each.schema for each in self.arguments.values()}
        content = {
            "type": "query" if operation.looks else "mutation",
            "title": self.title,
            "description": self.description,
            "destructive": operation.destroys,
            "idempotent": operation.method in ("put", "delete"),
            "scopes": self.scopes,
            "request": {key: each for key, each in request.items() if key and (each or key == self.body_kind)},
            "paginate": self.paginate,
            "output": self.output,
            "parameters": {"type": "object", **({"required": required} if required else {}), "properties": properties},
            "examples": [self.example] if self.example else [],
        }
        return {key: each for key, each in content.items() if each}


def set_words(draft: Draft, app: str) -> None:
    """Give a named function its title, description and example; none where the document lacks a value it requires."""
    operation = draft.operation
    title = title_of_text(operation.summary)
    if len(title) < 3 or title.lower() == operation.identifier.lower() or "/" in title:
        title = draft.stem.replace("-", " ").capitalize()
    draft.title = title = title[:1].upper() + title[1:]
    told = description_of(operation.part.at("description").words, _LONGEST_DESCRIPTION)
    draft.description = told if len(told) >= _SHORTEST_DESCRIPTION else f"{one_line(draft.title).rstrip('.!?…')}."
    draft.example = {}
    if all(each.samples for each in draft.required):
        arguments = {each.name: each.samples[0] for each in draft.required}
        words = title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == " " else title
        prompt = words if app.lower() in words.lower() else f"{words} in {app}"
        if fitting(published_schema(draft.content()["parameters"], closes=True), [arguments]):
            draft.example = {"prompt": prompt, "arguments": arguments}


def argument_name(name: str) -> str:
    """Return a name as an argument can have it: `filter[status]` becomes filter_status."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    plain = ("_".join(filter(None, plain.split("_"))) if plain != name else plain)[:60].rstrip("_")
    if not plain.strip("_"):
        return "value"
    return f"value_{plain}" if plain[0].isdigit() else plain


def nouns_of(name: str) -> list[str]:
    """Return the words of an argument's name without those that say that it identifies something."""
    words = words_of(name)
    while len(words) > 1 and _IDENTIFYING.fullmatch(words[-1]):
        words.pop()
    return words
