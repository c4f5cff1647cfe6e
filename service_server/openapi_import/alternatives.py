"""Makes one schema of a connector out of several of which one has to hold (`oneOf`, `anyOf`)."""

from collections.abc import Callable, Sequence
from typing import Any

Schema = dict[str, Any]
Note = Callable[[str], None]

_WORDS = {"string": "text", "number": "a number", "boolean": "true or false", "array": "a list", "object": "an object"}


def united(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    """
    Return a schema that holds for what each of several holds for, as far as there is one.

    `as_text` tells that values are sent as text, where a number and its digits are the same. Notes what is lost.
    """
    different = [each for index, each in enumerate(schemas) if each not in schemas[:index]]
    if len(different) == 1:
        return different[0]
    kinds = list(dict.fromkeys(schema["type"] for schema in different))
    if len(kinds) == 1:
        return _UNITE[kinds[0]](different, note, as_text)
    scalars = [schema for schema in different if schema["type"] not in ("array", "object")]
    lists = [schema for schema in different if schema["type"] == "array"]
    if lists and scalars and len(lists) + len(scalars) == len(different):
        of_scalars = [each for each in lists if each["items"]["type"] == scalars[0]["type"]]
        if of_scalars and len({scalar["type"] for scalar in scalars}) == 1:
            note("takes one value or a list of them; a list is sent")
            return united(of_scalars, note, as_text)
    kept = next((kind for kind in ("string", "object") if kind in kinds), kinds[0])
    note(f"takes {' or '.join(_WORDS[kind] for kind in kinds)}; only {_WORDS[kept]} is kept")
    chosen = united([schema for schema in different if schema["type"] == kept], note, as_text)
    if as_text and kept == "string" and {"number", "boolean"} & set(kinds):
        chosen = {key: value for key, value in chosen.items() if key not in ("enum", "pattern", "format", "default")}
    return chosen


def combined(base: Schema, other: Schema) -> Schema:
    """Return a schema for what both hold for; where they say different things of one keyword, the first is kept."""
    if base["type"] != other["type"]:
        return base
    result = {**other, **base}
    if base["type"] == "object":
        properties = dict(base.get("properties", {}))
        for name, schema in other.get("properties", {}).items():
            properties[name] = combined(properties[name], schema) if name in properties else schema
        _set_members(result, properties, [*base.get("required", ()), *other.get("required", ())])
        if base.get("additionalProperties") or other.get("additionalProperties"):
            result["additionalProperties"] = True
    return result


def _shared(schemas: Sequence[Schema]) -> Schema:
    """Return what all say in the same words; of titles and descriptions, that of the first."""
    first = schemas[0]
    result = {key: value for key, value in first.items() if all(each.get(key) == value for each in schemas)}
    for key in ("title", "description", "x-placeholder"):
        found = next((each[key] for each in schemas if key in each), None)
        if found is not None:
            result[key] = found
    return result


def _unite_texts(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    result = _shared(schemas)
    if all("enum" in schema for schema in schemas):
        result["enum"] = list(dict.fromkeys(value for schema in schemas for value in schema["enum"]))
    return result


def _unite_numbers(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    result = _unite_texts(schemas, note, as_text)
    for key, widest in (("minimum", min), ("maximum", max)):
        if all(key in schema for schema in schemas):
            result[key] = widest(schema[key] for schema in schemas)
    return result


def _unite_lists(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    return {**_shared(schemas), "items": united([schema["items"] for schema in schemas], note, as_text)}


def _unite_objects(schemas: Sequence[Schema], note: Note, as_text: bool) -> Schema:
    listed = [schema for schema in schemas if "properties" in schema]
    if len(listed) < len(schemas):
        note(f"has {len(schemas)} forms, of which one is any object; so any is taken")
        return {"type": "object", **{key: value for key, value in _shared(schemas).items() if key != "properties"}}
    names = list(dict.fromkeys(name for schema in schemas for name in schema["properties"]))
    note(f"has {len(schemas)} forms; their fields are merged, and what only some of them need is optional")
    properties = {
        name: united([each["properties"][name] for each in schemas if name in each["properties"]], note, as_text)
        for name in names
    }
    required = [name for name in names if all(name in schema.get("required", ()) for schema in schemas)]
    result = {key: value for key, value in _shared(schemas).items() if key != "additionalProperties"}
    _set_members(result, properties, required)
    if any(schema.get("additionalProperties") for schema in schemas):
        result["additionalProperties"] = True
    return result


def _set_members(schema: Schema, properties: Schema, required: Sequence[str]) -> None:
    for key in ("properties", "required"):
        schema.pop(key, None)
    if properties:
        schema["properties"] = properties
    if kept := [name for name in dict.fromkeys(required) if name in properties]:
        schema["required"] = kept


_UNITE: dict[str, Callable[[Sequence[Schema], Note, bool], Schema]] = {
    "string": _unite_texts,
    "number": _unite_numbers,
    "boolean": lambda schemas, note, as_text: _shared(schemas),
    "array": _unite_lists,
    "object": _unite_objects,
}
