"""
What readers and editors see of the connector format, made from the classes that are it: its reference and its schemas.

`python -m docs.site.connector_format` writes them again; tests hold what is there against them.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from attrs import define, field

from service_client.models import FIELD_TYPES
from service_server.catalog.format.json_schema import SCHEMAS, FileKind, Schema, schema_of
from service_server.catalog.templates import ROOTS_AT

PAGE: Final = Path(__file__).parent.parent / "connector-format.md"

_HEAD: Final = """\
# The connector format

<!-- Made by `python -m docs.site.connector_format` from service_server/catalog/format: change it there. -->

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

MEANINGS: Final[Mapping[str, str]] = {
    "args": "what the caller gave, by the names of the parameters",
    "prepared": "what the hook under `prepare` returned",
    "lookup": "what the request under `lookup` gave, by the names under `gives`",
    "before": "what the requests under `before` gave, by the names under their `gives`",
    "vars": "the connector's variables",
    "creds": "what the user typed in, by the names of the `fields`",
    "token": "the token answer, such as `token.access_token`",
    "test": "the answer to the connection test",
    "output": "what is relayed of the app's answer: all of it, or in a query the part that `output` picks",
}
"""What each root of an expression is."""


@define
class _Reference:
    """
    Writes sections in the order in which they are first referred to.

    An object of the format has one of its own if several keys hold it, or if its key `type` tells it from others; what
    only one key holds is shown there.
    """

    definitions: Mapping[str, Schema]
    shared: Collection[str]
    waiting: list[tuple[str, Schema]]
    titles: dict[str, str] = field(factory=dict)

    def write(self) -> str:
        parts = [_HEAD]
        while self.waiting:
            parts.append(self._section(*self.waiting.pop(0)))
        return "\n".join([*parts, _roots(), _field_types()])

    def _section(self, title: str, schema: Schema) -> str:
        lines = [f"## {title}", "", schema["description"], "", "| Key | Value | Meaning |", "| --- | --- | --- |"]
        for key, each, is_required in self._rows(schema):
            lines.append(f"| `{key}`{_STAR if is_required else ''} | {self._value(each)} | {self._meaning(each)} |")
        return "\n".join([*lines, ""])

    def _value(self, schema: Schema) -> str:
        """Say what a key holds, with a link where that has a section of its own."""
        if "$ref" in schema:
            name = _name_of(schema)
            return self._link(name) if name in self.shared else self._value(self.definitions[name])
        if "enum" in schema:
            return ", ".join(f"`{each}`" for each in schema["enum"]).replace("|", "\\|")
        if "const" in schema:
            return f"`{str(schema['const']).lower()}`"
        kind = schema.get("type", "any value")
        if isinstance(kind, list):
            return " or ".join(dict.fromkeys(map(self._value, _options(schema))))
        if "allOf" in schema:
            return ", ".join(self._link(_name_of(each["then"]), _tags(each["if"])) for each in schema["allOf"])
        if kind == "array":
            return f"list of {self._value(schema['items'])}" if "items" in schema else "list"
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and not self._is_shown(more):
            return f"object of {self._value(more)}"
        return str(_WORDS.get(kind, kind))

    def _link(self, name: str, title: str = "") -> str:
        if name not in self.titles:
            self.titles[name] = title or name.replace("_", " ")
            self.waiting.append((self.titles[name], self.definitions[name]))
        anchor = "".join(letter for letter in self.titles[name].lower() if letter.isalnum() or letter in " -_")
        return f"[{self.titles[name]}](#{anchor.replace(' ', '-')})"

    def _rows(self, schema: Schema, prefix: str = "") -> Iterator[tuple[str, Schema, bool]]:
        """Yield the keys of an object with those of the objects in it, but for what has a section of its own."""
        for name, each in schema.get("properties", {}).items():
            yield f"{prefix}{name}", each, name in schema.get("required", ())
            yield from self._inner_rows(each, f"{prefix}{name}")
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            if self._is_shown(more):
                yield f"{prefix}NAME", more, False
            yield from self._inner_rows(more, f"{prefix}NAME")

    def _inner_rows(self, schema: Schema, key: str) -> Iterator[tuple[str, Schema, bool]]:
        if "$ref" in schema:
            if _name_of(schema) not in self.shared:
                yield from self._inner_rows(self.definitions[_name_of(schema)], key)
        elif isinstance(schema.get("type"), list):
            for each in _options(schema):
                yield from self._inner_rows(each, key)
        elif schema.get("type") == "array":
            yield from self._inner_rows(schema.get("items", {}), f"{key}[]")
        elif "allOf" not in schema:
            yield from self._rows(schema, f"{key}.")

    def _is_shown(self, schema: Schema) -> bool:
        """Whether what stands under a name of the author's own has more to it than its type."""
        if "$ref" in schema:
            return _name_of(schema) not in self.shared
        return bool({"properties", "allOf", "if"} & schema.keys())

    def _meaning(self, schema: Schema) -> str:
        text = schema.get("description")
        if text is None and "$ref" in schema:
            text = self.definitions[_name_of(schema)]["description"]
        return str(text or "").replace("|", "\\|").replace("*.", "\\*.")


def reference() -> str:
    """Return the whole reference as Markdown."""
    roots = [("connector.yaml", schema_of("connector")), ("functions/NAME.yaml", schema_of("function"))]
    definitions = {name: each for _, root in roots for name, each in root["$defs"].items()}
    keys = [{word: each for word, each in root.items() if word != "$defs"} for _, root in roots]
    uses = Counter(re.findall(r'"#/\$defs/(\w+)"', json.dumps([*keys, definitions])))
    return _Reference(definitions, {name for name, times in uses.items() if times > 1}, roots).write()


def _name_of(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _options(schema: Schema) -> Iterator[Schema]:
    """Yield what a value may be, of which there are several kinds."""
    conditions = [each for each in (schema, *schema.get("allOf", ())) if "if" in each]
    for kind in schema["type"]:
        yield {"type": kind, **next((each["then"] for each in conditions if each["if"] == {"type": kind}), {})}


def _tags(condition: Schema) -> str:
    return " or ".join(condition["properties"]["type"]["enum"])


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


def files() -> Iterator[tuple[Path, str]]:
    """Yield the page of the reference, and where editors find each schema, with its content."""
    yield PAGE, reference()
    for kind in get_args(FileKind):
        yield SCHEMAS / f"{kind}.schema.json", f"{_text('', schema_of(kind), '')}\n"


def _text(name: str, value: Any, margin: str) -> str:
    """Write an object that has keys with a line for each of them, anything else in one."""
    if name not in ("properties", "$defs") and not (isinstance(value, Mapping) and "properties" in value):
        return json.dumps(value, ensure_ascii=False)
    inner = f"{margin}  "
    members = (f"{inner}{json.dumps(key)}: {_text(key, each, inner)}" for key, each in value.items())
    return "{\n" + ",\n".join(members) + f"\n{margin}}}"


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
