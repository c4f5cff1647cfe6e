"""
The reference of the connector format, made from the JSON Schemas' own descriptions.

`python -m service_server.catalog.reference` prints it; a test holds `docs/connector-format.md` against it.
"""

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from service_client.models import FIELD_TYPES
from service_server.catalog.roots import MEANINGS, ROOTS_AT
from service_server.catalog.schemas import FileKind, schema_of

_HEAD: Final = """\
# The connector format

<!-- Made by `python -m service_server.catalog.reference` from service_server/catalog/schema: change it there. -->

Every key of a connector's files. [connectors.md](connectors.md) says how they work together. Keys with a star (\\*)
must be there; `NAME` stands for a name of your own, and `[]` for each entry of a list. What
[expressions may refer to](#where-expressions-may-refer-to-what) and which words
[the types of dynamic fields](#the-types-of-dynamic-fields) have stands at the end.
"""
_STAR: Final = r" \*"
_WORDS: Final = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "array": "list",
    "object": "object",
    "null": "empty",
}

_TYPES: Final = {
    "integer": "whole number",
    "boolean": "true or false",
    "date-time": "date and time",
    "time": "time of day",
    "email": "e-mail address",
    "uri": "web address",
    "multiline": "text of several lines",
    "array": "list, of the values under `options` where there are any",
}

Schema = Mapping[str, Any]


@frozen
class _Section:
    """A part of the format with a heading of its own."""

    title: str
    kind: FileKind
    schema: Schema = field(repr=False)


@define
class _Reference:
    """Writes the sections in the order in which they are first referred to."""

    waiting: list[_Section]
    titles: dict[tuple[str, str], str] = field(factory=dict)

    def write(self) -> str:
        parts = [_HEAD]
        while self.waiting:
            parts.append(self._section(self.waiting.pop(0)))
        return "\n".join([*parts, _roots(), _field_types()])

    def _section(self, section: _Section) -> str:
        lines = [f"## {section.title}", ""]
        if section.schema.get("description"):
            lines += [section.schema["description"], ""]
        choices = [each["then"]["$ref"] for each in section.schema.get("allOf", ()) if "then" in each]
        if choices:
            links = [self._link(reference, section.kind, _kinds_of(each)) for reference, each in _choices(section)]
            return "\n".join([*lines, f"One of {', '.join(links)}.", ""])
        lines += ["| Key | Value | Meaning |", "| --- | --- | --- |"]
        for key, schema, required in _rows(section.schema, section.kind):
            star = _STAR if required else ""
            value, meaning = self._value(schema, section.kind), _meaning(schema, section.kind)
            lines.append(f"| `{key}`{star} | {value} | {meaning} |")
        return "\n".join([*lines, ""])

    def _value(self, schema: Schema, kind: FileKind) -> str:
        """Say what a key holds, with a link where that has a section of its own."""
        if "$ref" in schema:
            target, target_kind = _resolved(schema["$ref"], kind)
            if _has_section(target):
                return self._link(schema["$ref"], kind)
            return self._value(target, target_kind)
        if "enum" in schema:
            return ", ".join(f"`{each}`" for each in schema["enum"]).replace("|", "\\|")
        if "const" in schema:
            return f"`{str(schema['const']).lower()}`"
        if "anyOf" in schema:
            options: list[str] = [self._value(each, kind) for each in schema["anyOf"]]
            return " or ".join(dict.fromkeys(options))
        if "then" in schema:
            return f"{self._value(schema['else'], kind)} or {self._value(schema['then'], kind)}"
        if schema.get("type") == "array":
            return f"list of {self._value(schema['items'], kind)}" if "items" in schema else "list"
        more = schema.get("additionalProperties")
        if isinstance(more, Mapping) and not _is_shown(more, kind):
            return f"object of {self._value(more, kind)}"
        names = schema.get("type", "any value")
        return " or ".join(str(_WORDS.get(name, name)) for name in (names if isinstance(names, list) else [names]))

    def _link(self, reference: str, kind: FileKind, title: str = "") -> str:
        target, target_kind = _resolved(reference, kind)
        name = reference.rpartition("/")[2]
        key = (target_kind, name)
        if key not in self.titles:
            self.titles[key] = title or name.replace("_", " ")
            self.waiting.append(_Section(self.titles[key], target_kind, target))
        anchor = "".join(letter for letter in self.titles[key].lower() if letter.isalnum() or letter in " -_")
        return f"[{self.titles[key]}](#{anchor.replace(' ', '-')})"


def reference() -> str:
    """Return the whole reference as Markdown."""
    kinds: tuple[tuple[str, FileKind], ...] = (("connector.yaml", "connector"), ("functions/NAME.yaml", "function"))
    return _Reference([_Section(title, kind, schema_of(kind)) for title, kind in kinds]).write()


def _roots() -> str:
    """Say what expressions may refer to, by the table that the checks go by."""
    lines = [
        "## Where expressions may refer to what",
        "",
        "A `${…}` begins with one of these roots; where it stands decides which of them there are. `connector check` "
        "names the file, the line and the key of any other. Paths into answers, such as `next` of a paging, are "
        "written without braces and begin with `body` or `header`.",
        "",
        "| Root | What it is |",
        "| --- | --- |",
        *(f"| `{root}` | {meaning} |" for root, meaning in MEANINGS.items()),
        "",
        "| Place | Roots |",
        "| --- | --- |",
    ]
    for place, roots in ROOTS_AT.items():
        key, _, kind = place.partition(" of ")
        where = f"`{key}`{f' of `{kind}`' if kind else ''}"
        lines.append(f"| {where} | {', '.join(f'`{root}`' for root in MEANINGS if root in roots) or 'none'} |")
    return "\n".join([*lines, ""])


def _field_types() -> str:
    """Say which words of apps forms understand as which types."""
    lines = [
        "## The types of dynamic fields",
        "",
        "What stands in an app's answer where `x-fields.type` points, in upper or lower case.",
        "",
        "| Word of the app | Meaning |",
        "| --- | --- |",
    ]
    for meaning, words in FIELD_TYPES.items():
        lines.append(f"| {', '.join(f'`{word}`' for word in words)} | {_TYPES.get(meaning, meaning)} |")
    return "\n".join([*lines, "| any other | text |", ""])


def _choices(section: _Section) -> Iterator[tuple[str, Schema]]:
    for each in section.schema["allOf"]:
        yield each["then"]["$ref"], each["if"]


def _kinds_of(condition: Schema) -> str:
    declared = condition["properties"]["type"]
    return " or ".join(declared["enum"]) if "enum" in declared else str(declared["const"])


def _rows(schema: Schema, kind: FileKind, prefix: str = "") -> Iterator[tuple[str, Schema, bool]]:
    """Yield the keys of an object with those of the objects in it, but for what has a section of its own."""
    for name, each in schema.get("properties", {}).items():
        key = f"{prefix}{name}"
        yield key, each, name in schema.get("required", ())
        yield from _inner_rows(each, kind, key)
    more = schema.get("additionalProperties")
    if isinstance(more, Mapping) and prefix:
        if _is_shown(more, kind):
            yield f"{prefix}NAME", more, False
        yield from _inner_rows(more, kind, f"{prefix}NAME")


def _inner_rows(schema: Schema, kind: FileKind, key: str) -> Iterator[tuple[str, Schema, bool]]:
    if "$ref" in schema:
        target, target_kind = _resolved(schema["$ref"], kind)
        if not _has_section(target):
            yield from _inner_rows(target, target_kind, key)
    elif schema.get("type") == "array":
        yield from _inner_rows(schema.get("items", {}), kind, f"{key}[]")
    elif "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _inner_rows(each, kind, key)
    elif "properties" in schema or isinstance(schema.get("additionalProperties"), Mapping):
        yield from _rows(schema, kind, f"{key}.")


def _meaning(schema: Schema, kind: FileKind) -> str:
    text = schema.get("description")
    if text is None and "$ref" in schema:
        target, target_kind = _resolved(schema["$ref"], kind)
        return _meaning(target, target_kind)
    return str(text or "").replace("|", "\\|").replace("*.", "\\*.")


def _is_shown(schema: Schema, kind: FileKind) -> bool:
    """Whether what stands under a name of the author's own has more to it than its type."""
    target = _resolved(schema["$ref"], kind)[0] if "$ref" in schema else schema
    return "properties" in target or "allOf" in target or "anyOf" in target


def _has_section(schema: Schema) -> bool:
    return "properties" in schema or "allOf" in schema


def _resolved(reference: str, kind: FileKind) -> tuple[Schema, FileKind]:
    file, _, path = reference.partition("#/")
    other: FileKind = kind
    if file:
        other = "function" if file.startswith("function") else "connector"
    found: Any = schema_of(other)
    for key in path.split("/"):
        found = found[key]
    return found, other


if __name__ == "__main__":
    sys.stdout.write(reference())
