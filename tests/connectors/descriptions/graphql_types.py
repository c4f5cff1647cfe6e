"""
GraphQL schemas from the TypeScript types that are generated of them, for vendors that publish only those.

Generators write an output type as an object with `__typename`, the arguments of a field as a type named after both
(`QueryIssueArgs`), scalars as `Scalars["ID"]["output"]`, and leave out which types are interfaces; here none is.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen
from graphql import GraphQLSchema, build_schema

from tests.connectors.descriptions.typescript import TypeScript
from tests.connectors.descriptions.typescript_syntax import Many, Name, Parts, Type

_ENUMERATION = re.compile(r"\benum (\w+) \{(.*?)\}", re.DOTALL)
_VALUE = re.compile(r"""= ["'](\w+)["']""")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BUILT_IN = frozenset({"ID", "String", "Boolean", "Int", "Float"})


def generated_types(texts: Mapping[str, str]) -> GraphQLSchema:
    """Make a schema of files with generated types: all that is reached from `Query` and `Mutation`."""
    types = _Types.of(texts)
    return build_schema("\n".join(types.definitions()), assume_valid=True)


@frozen(slots=False)
class _Types:
    """Generated types, and the values of the enumerations among them."""

    types: TypeScript
    enumerations: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> "_Types":
        enumerations = {
            name: tuple(_VALUE.findall(_COMMENT.sub("", body)))
            for text in texts.values()
            for name, body in _ENUMERATION.findall(text)
        }
        return cls(TypeScript.of(texts.values()), enumerations)

    def definitions(self) -> Iterator[str]:
        """Write every type that is reached, in the schema definition language."""
        waiting = {name: False for name in ("Query", "Mutation") if name in self.types.declared}
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
        members = self._members(name)
        if members:
            for each in members:
                used[each] = False
            return f"union {name} = {' | '.join(members)}"
        shape = self.types.shape(Name(name)) if name in self.types.declared else None
        if shape is None or not shape.fields:
            return f"scalar {name}"
        lines = []
        for key, (value, *_) in shape.fields.items():
            if key != "__typename":
                arguments = "" if is_input else self._arguments(name, key, used)
                lines.append(f"  {key}{arguments}: {self._written(value, key in shape.required, is_input, used)}")
        return "\n".join((f"{'input' if is_input else 'type'} {name} {{", *lines, "}"))

    def _arguments(self, type_name: str, key: str, used: dict[str, bool]) -> str:
        arguments = self._named_arguments.get(f"{type_name}{key}args".lower())
        shape = None if arguments is None else self.types.shape(Name(arguments))
        if shape is None:
            return ""
        written = (
            f"{name}: {self._written(value, name in shape.required, True, used)}"
            for name, (value, *_) in shape.fields.items()
        )
        return f"({', '.join(written)})"

    @cached_property
    def _named_arguments(self) -> dict[str, str]:
        return {name.lower(): name for name in self.types.declared if name.endswith("Args")}

    def _members(self, name: str) -> list[str]:
        """Return the types of a union; nothing for other types."""
        declared = self.types.declared.get(name, ())
        meaning = declared[0].meaning if declared else None
        if isinstance(meaning, Many) and meaning.is_union:
            return [each.name for each in meaning.options if isinstance(each, Name)]
        return []

    def _written(self, value: Type, required: bool, is_input: bool, used: dict[str, bool]) -> str:
        """Write the type of a field or argument."""
        match value:
            case Name("Maybe" | "InputMaybe", (inner,)):
                return self._written(inner, False, is_input, used)
            case Name("Array", (inner,)) | Parts((inner,)):
                written = f"[{self._written(inner, True, is_input, used)}]"
            case Name(name):
                written = name.split(".")[1] if name.startswith("Scalars.") else name
                used[written] = is_input
            case _:
                written = "Anything"
                used[written] = is_input
        return f"{written}!" if required else written
