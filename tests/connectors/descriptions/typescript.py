"""Type declarations of TypeScript, read far enough to know the keys of objects and which of them are required."""

from collections.abc import Iterable, Mapping

from attrs import field, frozen

from tests.connectors.descriptions.typescript_syntax import Declaration, Many, Name, Record, Type, declarations


@frozen
class Shape:
    """What objects of a type may hold: the types of each key, and the required keys."""

    fields: Mapping[str, tuple[Type, ...]]
    required: frozenset[str] = frozenset()


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

    def shape(self, value: Type) -> Shape | None:
        """Return what objects of a type hold; None for a type that is no object."""
        match value:
            case Record():
                fields = {name: (each,) for name, each in value.fields.items()}
                return Shape(fields, frozenset(value.fields) - value.optional)
            case Many():
                shapes = [shape for each in value.options if (shape := self.shape(each)) is not None]
                return _together(shapes, [shape.required for shape in shapes], union=value.is_union)
            case Name():
                return self._named(value)
        return None

    def _named(self, value: Name) -> Shape | None:
        meanings = [declaration.meaning for declaration in self.declared.get(value.name, ())]
        shapes = [shape for each in meanings if (shape := self.shape(each)) is not None]
        return _together(shapes, [shape.required for shape in shapes], union=False)


def _together(shapes: list[Shape], required: list[frozenset[str]], *, union: bool) -> Shape | None:
    if not shapes:
        return None
    fields: dict[str, tuple[Type, ...]] = {}
    for shape in shapes:
        for key, types in shape.fields.items():
            fields[key] = fields.get(key, ()) + types
    keys = frozenset.intersection(*required) if union else frozenset().union(*required)
    return Shape(fields, keys)
