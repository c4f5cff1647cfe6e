"""Types in Python's sources as JSON Schemas: annotations, and the fields of classes such as pydantic's models."""

import ast
from collections.abc import Iterable
from typing import Any

from attrs import field, frozen

Schema = dict[str, Any]

ANYTHING: Schema = {"untyped": True}
ANY_OBJECT: Schema = {"type": "object", "additionalProperties": ANYTHING}
NOTHING: Schema = {"type": "null"}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}

_NAMED = {
    "str": TEXT,
    "date": TEXT,
    "datetime": TEXT,
    "int": NUMBER,
    "float": NUMBER,
    "bool": BOOLEAN,
    "None": NOTHING,
    "dict": ANY_OBJECT,
    "Dict": ANY_OBJECT,
}


# Bases of classes that take further fields as well.
_OPEN = {"PermissiveModel"}


@frozen
class Types:
    """The classes that some sources declare, by their names."""

    classes: dict[str, ast.ClassDef] = field(repr=False)

    @classmethod
    def of(cls, modules: Iterable[ast.Module]) -> "Types":
        """Find the classes of modules."""
        return cls({each.name: each for module in modules for each in module.body if isinstance(each, ast.ClassDef)})

    def annotation(self, node: ast.expr | None) -> Schema:
        """Return the schema of an annotation; one that isn't understood may be anything."""
        match node:
            case ast.Constant(value=None):
                return NOTHING
            case ast.Constant(value=str(text)):
                return self.annotation(ast.parse(text, mode="eval").body)
            case ast.BinOp(left=left, right=right):
                return any_of([self.annotation(left), self.annotation(right)])
            case ast.Name(id=name) if name in self.classes:
                return {"$ref": f"#/$defs/{name}"}
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return {"type": "array", "items": ANYTHING} if name in ("list", "List") else _NAMED.get(name, ANYTHING)
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                return self._generic(name, inner.elts if isinstance(inner, ast.Tuple) else [inner])
        return ANYTHING

    def definitions(self) -> dict[str, Schema]:
        """Return the schemas that annotations refer to."""
        return {name: self.fields(name) for name in self.classes}

    def fields(self, name: str) -> Schema:
        """Return the schema of a class; a field without a value is required."""
        properties, required = {}, []
        for each in self.classes[name].body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                sent = _alias(each.value) or each.target.id
                properties[sent] = self.annotation(each.annotation)
                required += [sent] * _must_be_given(each.value)
        bases = {each.id for each in self.classes[name].bases if isinstance(each, ast.Name)}
        further = ANYTHING if bases & _OPEN else False
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": further}

    def _generic(self, name: str, inner: list[ast.expr]) -> Schema:
        match name.capitalize():
            case "Optional":
                return any_of([self.annotation(inner[0]), NOTHING])
            case "Union":
                return any_of([self.annotation(each) for each in inner])
            case "List":
                return {"type": "array", "items": self.annotation(inner[0])}
            case "Dict":
                return {"type": "object", "additionalProperties": self.annotation(inner[-1])}
            case "Literal":
                return {"enum": [each.value for each in inner if isinstance(each, ast.Constant)]}
            case "Annotated":
                return self.annotation(inner[0])
        return ANYTHING


def _alias(value: ast.expr | None) -> str | None:
    """Read `Field(default=None, alias="type")`."""
    for each in value.keywords if isinstance(value, ast.Call) else ():
        if each.arg in ("alias", "serialization_alias") and isinstance(each.value, ast.Constant):
            return str(each.value.value)
    return None


def _must_be_given(value: ast.expr | None) -> bool:
    """Whether a field has no value, or says so: `Field(...)`."""
    if not isinstance(value, ast.Call):
        return value is None
    defaults = [*value.args[:1], *(each.value for each in value.keywords if each.arg == "default")]
    return any(isinstance(each, ast.Constant) and each.value is ... for each in defaults)


def any_of(schemas: Iterable[Schema]) -> Schema:
    """Return the schema of what fits one of several; what may be anything makes the rest of them mean nothing."""
    different: list[Schema] = []
    for each in schemas:
        different += [each] * (each not in different)
    if ANYTHING in different or not different:
        return ANYTHING
    return different[0] if len(different) == 1 else {"anyOf": different}
