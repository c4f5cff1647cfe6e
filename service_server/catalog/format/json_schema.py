"""The JSON Schemas of a connector's files, made of the classes: they check the files, and editors complete by them."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import attrs

from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.format.keys import MEANING, Form, Keywords, key_fields, key_of

FileKind: TypeAlias = Literal["connector", "function"]
Schema: TypeAlias = dict[str, Any]

SCHEMAS: Final = Path(__file__).parent.parent / "schema"

CLASSES: Final[Mapping[FileKind, type]] = {"connector": DeclaredConnector, "function": DeclaredFunction}

_TYPES: Final = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


@cache
def schema_of(kind: FileKind) -> Schema:
    """Return the JSON Schema of a kind of file."""
    definitions: dict[str, Schema] = {}
    root = _Writer(definitions).object(CLASSES[kind])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, "$defs": definitions}


class _Writer:
    """Writes schemas of types; what it meets of classes goes to the definitions."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self._definitions = definitions

    def object(self, declared: type) -> Schema:
        """Return the schema of a class."""
        hints = get_type_hints(declared, include_extras=True)
        fields = sorted(key_fields(declared), key=lambda field: field.default is not attrs.NOTHING)
        return {
            "description": " ".join((inspect.getdoc(declared) or "").split()),
            "type": "object",
            "required": [key_of(field) for field in fields if field.default is attrs.NOTHING],
            "additionalProperties": False,
            **getattr(declared, "keywords", Keywords()).words,
            "properties": {key_of(field): self._property(field, hints[field.name]) for field in fields},
        }

    def _property(self, field: "attrs.Attribute[Any]", declared: Any) -> Schema:
        if field.default is not attrs.NOTHING:
            declared = without_none(declared)
        meaning = {"description": field.metadata[MEANING]} if field.metadata[MEANING] else {}
        return {**meaning, **self.of(declared), **meaning}

    def of(self, declared: Any) -> Schema:
        """Return the schema of a type."""
        if declared is Any:
            return {}
        if declared in _TYPES:
            return {"type": _TYPES[declared]}
        if isinstance(declared, type) and attrs.has(declared):
            return self._reference(declared)
        arguments = get_args(declared)
        match get_origin(declared):
            case origin if origin is Annotated:
                return self._annotated(*arguments)
            case origin if origin is Literal:
                return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
            case _ if is_union(declared):
                return self._union(arguments)
            case origin if origin is tuple:
                return {"type": "array", "items": self.of(arguments[0])}
            case _:
                return self._mapping(*arguments)

    def _reference(self, declared: type) -> Schema:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", declared.__name__.removeprefix("Declared")).lower()
        if name not in self._definitions:
            self._definitions[name] = {}  # it may stand in itself
            self._definitions[name].update(self.object(declared))
        return {"$ref": f"#/$defs/{name}"}

    def _annotated(self, declared: Any, *extras: Any) -> Schema:
        form = next((extra.declared for extra in extras if isinstance(extra, Form)), declared)
        schema = self.of(form)
        for extra in extras:
            if isinstance(extra, Keywords):
                schema = {**schema, **extra.words}
        return schema

    def _mapping(self, name: Any, value: Any) -> Schema:
        names, values = self.of(name), self.of(value)
        names.pop("type")
        schema: Schema = {"type": "object"}
        if names:
            schema["propertyNames"] = names
        return {**schema, "additionalProperties": values} if values else schema

    def _union(self, members: tuple[Any, ...]) -> Schema:
        """Each member is another type of JSON, so that it is plain by which of them a value has to go."""
        objects = [each for each in members if isinstance(each, type) and attrs.has(each)]
        options = [self.of(each) for each in members if len(objects) < 2 or each not in objects]
        if len(objects) > 1:
            options.append(self._tagged(objects))
        if len(options) == 1:
            return options[0]
        conditions = [
            {"if": {"type": _type_of(option)}, "then": {key: word for key, word in option.items() if key != "type"}}
            for option in options
            if option.keys() != {"type"}
        ]
        schema: Schema = {"type": list(dict.fromkeys(map(_type_of, options)))}
        if len(conditions) == 1:
            return {**schema, **conditions[0]}
        return {**schema, "allOf": conditions} if conditions else schema

    def _tagged(self, members: list[type]) -> Schema:
        """Objects whose key `type` says which of them one is."""
        tags = {each: get_args(get_type_hints(each)["type"]) for each in members}
        known = [tag for each in tags.values() for tag in each]
        return {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"description": "The kind, which decides about the other keys.", "enum": known}},
            "allOf": [
                {
                    "if": {"type": "object", "required": ["type"], "properties": {"type": {"enum": list(tags[each])}}},
                    "then": self._reference(each),
                }
                for each in members
            ],
        }


def without_none(declared: Any) -> Any:
    """Return what an optional key holds where it is there."""
    if not is_union(declared):
        return declared
    return Union[tuple(each for each in get_args(declared) if each is not NoneType)]  # noqa: UP007  of what comes


def is_union(declared: Any) -> bool:
    """Whether a type is one of several."""
    return get_origin(declared) in (Union, UnionType)


def _type_of(schema: Schema) -> str:
    if "const" in schema:
        return _TYPES[type(schema["const"])]
    return "object" if "$ref" in schema else str(schema["type"])
