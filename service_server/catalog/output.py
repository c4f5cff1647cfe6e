"""
Picks the relayed part out of an answer, by JMESPath, in which `${args.name}` stands for an argument of the call.

One function is added to the language: `fields_of_schema(schema)` turns a JSON Schema of an object into rows, one a
field, so that an app that describes its records by a JSON Schema can be the source of dynamic fields.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import jmespath
from attrs import evolve, field, frozen
from jmespath import functions
from jmespath.exceptions import JMESPathError, JMESPathTypeError
from jmespath.parser import ParsedResult


class _Functions(functions.Functions):
    @functions.signature({"types": ["object", "null"]})
    def _func_fields_of_schema(self, schema: dict[str, Any] | None) -> list[dict[str, Any]]:
        properties = (schema or {}).get("properties")
        required = (schema or {}).get("required")
        if not isinstance(properties, dict):
            return []
        needed = required if isinstance(required, list) else []
        return [_row(name, field, name in needed) for name, field in properties.items() if isinstance(field, dict)]


_ARGUMENT = re.compile(r"\$\{args\.([A-Za-z_][A-Za-z0-9_]*)\}")
_OPTIONS = jmespath.Options(custom_functions=_Functions())
_parsed = lru_cache(maxsize=4096)(jmespath.compile)


@frozen
class Picker:
    """Picks by an expression; None where there is nothing to pick. It never raises."""

    expression: str
    arguments: Mapping[str, Any] = field(factory=dict, eq=False, repr=False)

    @property
    def names(self) -> list[str]:
        """The arguments that the expression refers to."""
        return [match[1] for match in _ARGUMENT.finditer(self.expression)]

    @property
    def keys(self) -> frozenset[str] | None:
        """The keys of each entry that it picks, where it names them itself (`items[].{id: id}`); else None."""
        return _keys(self._compiled().parsed)

    def given(self, arguments: Mapping[str, Any]) -> "Picker":
        """Return the picker for a call with these arguments."""
        return evolve(self, arguments=arguments) if self.names else self

    def __call__(self, body: Any) -> Any:
        """Return what it picks."""
        try:
            return self._compiled().search(body, _OPTIONS)
        except JMESPathError:
            return None

    def listed(self, body: Any) -> Any:
        """Return the list that it picks its entries from, with those that it leaves out."""
        try:
            return ParsedResult(self.expression, _source(self._compiled().parsed)).search(body, _OPTIONS)
        except JMESPathError:
            return None

    def _compiled(self) -> ParsedResult:
        if not _ARGUMENT.search(self.expression):
            return _parsed(self.expression)
        # Not kept: what people give is another one each time.
        return jmespath.compile(_ARGUMENT.sub(lambda match: _literal(self.arguments.get(match[1])), self.expression))


def compile_output(expression: str) -> Picker:
    """Return what picks by an expression; raise `ValueError` where that is not JMESPath."""
    try:
        Picker(expression)._compiled().search(None, _OPTIONS)
    except JMESPathTypeError:
        pass  # a function in it wants a body, and there is none yet
    except JMESPathError as error:
        raise ValueError(f"is not JMESPath: {str(error).splitlines()[0]}") from error
    return Picker(expression)


def _keys(node: Mapping[str, Any]) -> frozenset[str] | None:
    match node["type"]:
        case "multi_select_dict":
            return frozenset(pair["value"] for pair in node["children"])
        case "projection" | "filter_projection" | "value_projection" | "subexpression" | "pipe":
            return _keys(node["children"][1])
        case _:
            return None


def _source(node: Any) -> Any:
    """Return the part of an expression that gives the list which the rest of it filters and reshapes."""
    match node["type"]:
        case "projection" | "filter_projection" | "flatten" | "pipe":
            return _source(node["children"][0])
        case "index_expression" if node["children"][1]["type"] == "slice":
            return _source(node["children"][0])
        case _:
            return node


def listed(body: Any, picker: Callable[[Any], Any] | None, output: Any) -> Any:
    """
    Return what an answer lists, with what is left out of the `output`: an app counts places in its list by all of it.

    Where no list is found in the answer itself, that is the output.
    """
    found = picker.listed(body) if isinstance(picker, Picker) else body
    return found if isinstance(found, list) else output


def keys_picked(expression: Any) -> frozenset[str] | None:
    """Return the keys of each entry that an `output` picks, None where it names none, or is no text."""
    return Picker(expression).keys if isinstance(expression, str) else None


def _literal(value: Any) -> str:
    """Write a value as JMESPath takes it for what it is, whatever is in it; null where there is none."""
    return "`" + json.dumps(value).replace("`", "\\u0060") + "`"


def _row(name: str, field: dict[str, Any], required: bool) -> dict[str, Any]:
    title, options, description = field.get("title"), field.get("enum"), field.get("description")
    return {
        "key": name,
        "title": title if isinstance(title, str) and title else name,
        "type": _type(field),
        "required": required,
        "options": options if isinstance(options, list) else [],
        "description": description if isinstance(description, str) else "",
    }


def _type(field: dict[str, Any]) -> str:
    kind, form = field.get("type"), field.get("format")
    if isinstance(kind, list):
        kind = next((item for item in kind if item != "null"), "string")
    if kind == "string" and form in ("date", "date-time", "time", "email", "uri"):
        return str(form)
    return kind if isinstance(kind, str) else "string"
