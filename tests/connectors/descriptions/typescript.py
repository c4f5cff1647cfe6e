"""Type declarations of TypeScript, read far enough to know the keys of objects and which of them are required."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from tests.connectors.descriptions.typescript_syntax import (
    Declaration,
    Many,
    Name,
    Parts,
    Record,
    Type,
    declarations,
    literals,
)


@frozen
class Shape:
    """What objects of a type may hold: the types of each key, the required keys, and whether others are allowed."""

    fields: Mapping[str, tuple[Type, ...]]
    required: frozenset[str] = frozenset()
    is_open: bool = False


_ANYTHING = Shape({}, is_open=True)


@frozen
class TypeScript:
    """The declared types of some files; one name declared twice is both together."""

    declared: Mapping[str, tuple[Declaration, ...]] = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> "TypeScript":
        """Find the declarations of files; each is read when it is needed."""
        declared: dict[str, list[Declaration]] = {}
        for text in texts:
            for declaration in declarations(text):
                declared.setdefault(declaration.name, []).append(declaration)
        return cls({name: tuple(each) for name, each in declared.items()})

    def faults(self, type_name: str, value: Any, free: frozenset[str] = frozenset()) -> Iterator[str]:
        """Say which keys of a value its declared type doesn't have, and which it lacks; `free` ones hold anything."""
        if type_name not in self.declared:
            yield f"there is no type {type_name}"
        else:
            yield from self._faults([Name(type_name)], value, "", free)

    def shape(self, value: Type) -> Shape | None:
        """Return what objects of a type hold; None for a type that is no object."""
        match value:
            case Record():
                fields = {name: (each,) for name, each in value.fields.items()}
                return Shape(fields, frozenset(value.fields) - value.optional, value.is_open)
            case Many():
                shapes = [shape for each in value.options if (shape := self.shape(each)) is not None]
                return _together(shapes, [shape.required for shape in shapes], union=value.is_union)
            case Name():
                return self._named(value)
        return None

    def items(self, value: Type) -> Iterator[Type]:
        """Yield the types of the items, where a type is or may be a list."""
        match value:
            case Parts():
                yield from value.items
            case Many():
                for each in value.options:
                    yield from self.items(each)
            case Name(name, arguments):
                if name in ("Array", "ReadonlyArray", "Set"):
                    yield from arguments
                for each in self._meanings(value):
                    yield from self.items(each)

    def _faults(self, types: list[Type], value: Any, path: str, free: frozenset[str]) -> Iterator[str]:
        if isinstance(value, list):
            items = [item for each in types for item in self.items(each)]
            for each in value if items else ():
                yield from self._faults(items, each, path, free)
        elif isinstance(value, dict):
            shape = self.shape(Many(tuple(types), is_union=True))
            if shape is None:
                return
            for key, item in value.items():
                if key in shape.fields:
                    if key not in free:
                        yield from self._faults(list(shape.fields[key]), item, f"{path}{key}.", free)
                elif not shape.is_open:
                    yield f"the key {path}{key} isn't declared"
            for key in sorted(shape.required - set(value)):
                yield f"the key {path}{key} is required"

    def _named(self, value: Name) -> Shape | None:
        first = self.shape(value.arguments[0]) if value.arguments else None
        match value.name:
            case "Partial" if first is not None:
                return Shape(first.fields, frozenset(), first.is_open)
            case "Required" if first is not None:
                return Shape(first.fields, frozenset(first.fields), first.is_open)
            case "Omit" | "Pick" if first is not None:
                named = literals(value.arguments[1])
                kept = set(first.fields) - named if value.name == "Omit" else named
                fields = {key: types for key, types in first.fields.items() if key in kept}
                return Shape(fields, first.required & kept, first.is_open)
            case "string" | "number" | "boolean" | "undefined" | "null" | "never" | "bigint" | "Date" | "Array":
                return None
        meanings = self._meanings(value)
        if not meanings:
            return _ANYTHING  # `any`, `Record<…>`, or a type of another package
        shapes = [shape for each in meanings if (shape := self.shape(each)) is not None]
        # What is inside namespaces is found by its last name, so that several may be meant.
        return _together(shapes, [shape.required for shape in shapes], union=value.name not in self.declared)

    def _meanings(self, value: Name) -> list[Type]:
        found = self.declared.get(value.name) or self.declared.get(value.name.rpartition(".")[2], ())
        return [declaration.meaning(value.arguments) for declaration in found]


def _together(shapes: list[Shape], required: list[frozenset[str]], *, union: bool) -> Shape | None:
    if not shapes:
        return None
    fields: dict[str, tuple[Type, ...]] = {}
    for shape in shapes:
        for key, types in shape.fields.items():
            fields[key] = fields.get(key, ()) + types
    keys = frozenset.intersection(*required) if union else frozenset().union(*required)
    return Shape(fields, keys, any(shape.is_open for shape in shapes))
