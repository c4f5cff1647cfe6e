"""
Requests held against the schemas of a client's types.

What is sent has to be declared in the place where it is sent, with its type, and what is required has to be there.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

from tests.connectors.descriptions.paths import below, find, held_against
from tests.connectors.descriptions.sent import Sent, flat, nested

_LONGEST = 300  # characters of one fault

Schema = Mapping[str, Any] | bool


@frozen
class CompiledOperation:
    """What a client can call, with the schema of what is sent in each place; False where nothing can be."""

    method: str
    path: str
    sent: Mapping[str, Schema] = field(repr=False)
    optional: frozenset[str] = frozenset()


def _is_number(_: object, value: object) -> bool:
    if isinstance(value, str):
        return value.lstrip("-").replace(".", "", 1).isdigit()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(_: object, value: object) -> bool:
    return value.lstrip("-").isdigit() if isinstance(value, str) else isinstance(value, int)


def _is_boolean(_: object, value: object) -> bool:
    return isinstance(value, bool) or value in ("true", "false")


def _refuse_untyped(_: object, untyped: bool, __: object, ___: object) -> Iterator[ValidationError]:
    if untyped:
        yield ValidationError("untyped")


# In a query and in a form everything is a text.
_TEXTS = Draft202012Validator.TYPE_CHECKER.redefine_many(
    {"number": _is_number, "integer": _is_integer, "boolean": _is_boolean}
)
_Json = Draft202012Validator
TextValidator = extend(_Json, type_checker=_TEXTS)
# What the client leaves as `any` is marked `untyped`, and wrong for these.
_TypedJson = extend(_Json, {"untyped": _refuse_untyped})
_TypedTexts = extend(TextValidator, {"untyped": _refuse_untyped})


@frozen
class CompiledJudge:
    """The calls of a client, and the schemas of the types that they share."""

    base_url: str
    operations: tuple[CompiledOperation, ...]
    definitions: Mapping[str, Schema] = field(repr=False)
    header: str = ""
    is_flat: bool = False
    has_commas: bool = False

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        yield from held_against(self.base_url, self.operations, request, lambda each: self._faults(each, request))

    def untyped(self, request: Sent) -> Iterator[str]:
        """
        Yield the places of a request that is as described whose types the client doesn't tell.

        Where several calls fit, the one that tells least decides, since any of them would let a wrong request pass.
        """
        path = below(self.base_url, request.url)
        found, _ = find(self.operations, request.method, path or "")
        fitting = [operation for operation in found if not list(self._faults(operation, request))]
        yield from max((list(self._untyped(each, request)) for each in fitting), key=len, default=[])

    def _sent(self, request: Sent) -> Iterator[tuple[str, Any, bool]]:
        """Yield each place, what is sent there (None for nothing), and whether it is made of texts only."""
        yield "query", (flat if self.is_flat else nested)(list(request.query)) or None, True
        yield "body", request.body, not request.media_type.endswith("json")
        header = dict(request.headers).get(self.header)
        yield "header", None if header is None else json.loads(header), False

    def _faults(self, operation: CompiledOperation, request: Sent) -> Iterator[str]:
        for place, value, texts in self._sent(request):
            schema = operation.sent[place]
            if schema is False:
                if value:
                    yield f"there is no {place}, but one is sent"
            elif value is not None or place not in operation.optional:
                found = self._errors(schema, {} if value is None else value, TextValidator if texts else _Json)
                # Where a value is wrong, the object around it isn't evaluated.
                fault = best_match([each for each in found if each.validator != "unevaluatedProperties"] or found)
                if fault is not None:
                    yield f"{'.'.join((place, *map(str, fault.absolute_path)))}: {fault.message[:_LONGEST]}"

    def _untyped(self, operation: CompiledOperation, request: Sent) -> Iterator[str]:
        for place, value, texts in self._sent(request):
            schema = operation.sent[place]
            if schema is not False and value:
                for error in self._errors(schema, value, _TypedTexts if texts else _TypedJson):
                    yield from (f"{place}{inner}" for inner in _marks(error))

    def _errors(self, schema: Schema, value: Any, validator: Any) -> list[ValidationError]:
        whole = validator(self._whole(schema))
        errors = list(whole.iter_errors(value))
        if errors and validator in (TextValidator, _TypedTexts) and isinstance(value, dict):
            # A list of one item is sent like one item.
            mixed = {
                name: self._list(each) if not isinstance(each, list | dict) and self._is_list(schema, name) else each
                for name, each in value.items()
            }
            errors = list(whole.iter_errors(mixed))
        return errors

    def _list(self, value: str) -> list[str]:
        return value.split(",") if self.has_commas else [value]

    def _is_list(self, schema: Schema, name: str) -> bool:
        """Whether a type takes a list by a name, and nothing but a list."""
        one, many = (
            any(
                list(each.absolute_path) == [name]
                for each in TextValidator(self._whole(schema)).iter_errors({name: value})
            )
            for value in ("", [""])
        )
        return one and not many

    def _whole(self, schema: Schema) -> dict[str, Any]:
        """A schema together with those that it names."""
        return {"$ref": "#/$defs/sent", "$defs": {**self.definitions, "sent": schema}}


def _marks(error: ValidationError) -> Iterator[str]:
    """Yield the paths of untyped values, without indexes; `*` stands for names that aren't declared."""
    inner = [path for each in error.context or () for path in _marks(each)]
    if inner:
        yield from inner
    elif error.validator == "untyped":
        path = [str(each) for each in error.absolute_path if not isinstance(each, int)]
        if path and "additionalProperties" in list(error.absolute_schema_path)[-2:-1]:
            path[-1] = "*"
        yield "".join(f".{each}" for each in path)
