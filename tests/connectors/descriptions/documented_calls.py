"""Clients in JavaScript whose comments tell the types: `@param {String} opts.count`, and of bodies the model's name."""

import re
from collections.abc import Callable, Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, ReadCalls
from tests.connectors.descriptions.paths import template

_METHOD = re.compile(
    r"/\*\*(?P<comment>(?:(?!\*/).)*)\*/\s*this\.(?P<name>\w+) = function\((?P<given>[^)]*)\) \{"
    r"(?P<inside>(?:(?!/\*\*).)*?)callApi\(\s*'(?P<path>[^']+)', '(?P<method>\w+)'",
    re.DOTALL,
)
_PARAMETER = re.compile(r"@param \{(?P<type>[^}\n]*)\} (?:\w+\.)?(?P<name>\w+)")
_QUERY = re.compile(r"queryParams = \{(?P<pairs>.*?)\n\s*\};", re.DOTALL)
_PAIR = re.compile(r"'(?P<name>[^']+)': (?P<value>[^\n]*?),?$", re.MULTILINE)
_BODY = re.compile(r"postBody = (?P<value>[^;]+);")
_SOURCE = re.compile(r"(?P<options>\w+)\['(?P<option>\w+)'\]|(?P<name>\w+)")
# Lists are sent as one text with commas.
_TYPES = {"String": "string", "Number": "number", "Boolean": "boolean", "Date": "string", "Array.<String>": "string"}

Typed = Callable[[str, re.Match[str], str], str]


def documented_calls(body: Typed) -> ReadCalls:
    """Return what reads calls; `body` gives a body's type by the file, the method and the type in the comment."""

    def read(sources: Mapping[str, str]) -> Iterator[Call]:
        for file, text in sources.items():
            for match in _METHOD.finditer(text):
                types = {each["name"]: each["type"] for each in _PARAMETER.finditer(match["comment"])}
                query = _query(match["inside"], types)
                yield Call(match["method"], template(match["path"]), query, _body(file, match, types, body))

    return read


def _source(written: str) -> tuple[str, bool]:
    """Which parameter an expression sends, and whether it may be left out."""
    for match in _SOURCE.finditer(written):
        if match["option"]:
            return match["option"], True
    return written, False


def _typed(written: str) -> str:
    """A choice is written like a model: `module:model/String`."""
    return _TYPES.get(written.removeprefix("module:model/"), "unknown")


def _query(text: str, types: Mapping[str, str]) -> str | None:
    found = _QUERY.search(text)
    fields = []
    for match in _PAIR.finditer(found["pairs"]) if found is not None else ():
        name, may_be_left_out = _source(match["value"])
        fields.append(f'"{match["name"]}"{"?" * may_be_left_out}: {_typed(types.get(name, ""))}')
    return f"{{ {'; '.join(fields)} }}" if fields else None


def _body(file: str, match: re.Match[str], types: Mapping[str, str], typed: Typed) -> str | None:
    found = _BODY.search(match["inside"])
    if found is None or found["value"] == "null":
        return None
    name, may_be_left_out = _source(found["value"])
    return typed(file, match, types.get(name, "")) + " | undefined" * may_be_left_out
