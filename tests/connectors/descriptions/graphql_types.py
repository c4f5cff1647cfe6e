"""
GraphQL schemas from the TypeScript types that are generated of them, for vendors that publish only those.

Generators write an output type as an object with `__typename` and a field a line, the arguments of a field as a type
named after both (`QueryIssueArgs`), scalars as `Scalars["ID"]["output"]`, and leave out which types are interfaces;
here none is.
"""

import re
from collections.abc import Iterator, Mapping

from attrs import field, frozen
from graphql import GraphQLSchema, build_schema

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ENUMERATION = re.compile(r"\benum (\w+) \{(.*?)\}", re.DOTALL)
_VALUE = re.compile(r"""= ["'](\w+)["']""")
_OBJECT = re.compile(r"^(?:export )?(?:declare )?type (\w+) = (?:\w+ & )*\{$(.*?)^\};?$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^\s+(\w+)(\??): (.*);$", re.MULTILINE)
_UNION = re.compile(r"^(?:export )?type (\w+) = (\w+(?: \| \w+)+);$", re.MULTILINE)
_SCALAR = re.compile(r"""Scalars\[["'](\w+)["']\](?:\[["']\w+["']\])?""")
_AROUND = re.compile(r"(Maybe|InputMaybe|Array)<(.*)>")
_BUILT_IN = frozenset({"ID", "String", "Boolean", "Int", "Float"})

Fields = list[tuple[str, str, str]]  # a name, a question mark where it may be left out, and a type


def generated_types(texts: Mapping[str, str]) -> GraphQLSchema:
    """Make a schema of files with generated types: all that is reached from `Query` and `Mutation`."""
    text = _COMMENT.sub("", "\n".join(texts.values()))
    types = _Types(
        {name: _VALUE.findall(body) for name, body in _ENUMERATION.findall(text)},
        {name: members.split(" | ") for name, members in _UNION.findall(text)},
        {name: _FIELD.findall(body) for name, body in _OBJECT.findall(text)},
    )
    return build_schema("\n".join(types.definitions()), assume_valid=True)


@frozen
class _Types:
    """Generated types by their names: values, members or fields."""

    enumerations: Mapping[str, list[str]]
    unions: Mapping[str, list[str]]
    objects: Mapping[str, Fields]
    arguments: Mapping[str, Fields] = field(init=False)

    @arguments.default
    def _named_like_fields(self) -> dict[str, Fields]:
        return {name.lower(): fields for name, fields in self.objects.items() if name.endswith("Args")}

    def definitions(self) -> Iterator[str]:
        """Write every type that is reached, in the schema definition language."""
        waiting = {name: False for name in ("Query", "Mutation") if name in self.objects}
        done: set[str] = set(_BUILT_IN)
        while waiting:
            name, is_input = waiting.popitem()
            done.add(name)
            used: dict[str, bool] = {}
            yield self._definition(name, is_input, used)
            waiting |= {each: kind for each, kind in used.items() if each not in done}

    def _definition(self, name: str, is_input: bool, used: dict[str, bool]) -> str:
        """Write one type; the types that it uses are added to `used`, with whether they are inputs."""
        if name in self.enumerations:
            return f"enum {name} {{ {' '.join(self.enumerations[name])} }}"
        if name in self.unions:
            used |= dict.fromkeys(self.unions[name], False)
            return f"union {name} = {' | '.join(self.unions[name])}"
        lines = [
            f"  {key}{self._arguments(name, key, used)}: {_written(value, not optional, is_input, used)}"
            for key, optional, value in self.objects.get(name, ())
            if key != "__typename"
        ]
        kind = "input" if is_input else "type"
        return "\n".join((f"{kind} {name} {{", *lines, "}")) if lines else f"scalar {name}"

    def _arguments(self, type_name: str, key: str, used: dict[str, bool]) -> str:
        taken = self.arguments.get(f"{type_name}{key}args".lower(), ())
        written = (f"{name}: {_written(value, not optional, True, used)}" for name, optional, value in taken)
        return f"({', '.join(written)})" if taken else ""


def _written(value: str, required: bool, is_input: bool, used: dict[str, bool]) -> str:
    """Write the type of a field or argument."""
    around = _AROUND.fullmatch(value)
    if around is None:
        written = _SCALAR.sub(r"\1", value)
        written = written if written.isidentifier() else "Anything"
        used[written] = is_input
    elif around[1] != "Array":
        return _written(around[2], False, is_input, used)
    else:
        written = f"[{_written(around[2], True, is_input, used)}]"
    return f"{written}!" if required else written
