"""The few fields of the service's own POST bodies, checked like the arguments of functions."""

import re
from collections.abc import Mapping
from typing import Any, Literal

import jsonschema_rs
from attrs import field, frozen
from litestar import Request

from service_client.models import Action, Code, ErrorDetail
from service_server.catalog.problems import dotted
from service_server.errors import ServiceError
from service_server.invoke import FormBody
from service_server.invoke.check_arguments import MAX_PROBLEMS
from service_server.invoke.form_values import read_form
from service_server.rest.bodies import read_body

_WHOLE_NUMBER = re.compile(r"[0-9]{1,18}")
_JSON_TYPES = {"string": "string", "number": "integer", "array": "array", "boolean": "boolean", "object": "object"}
_INNER: dict[str, dict[str, Any]] = {
    "array": {"items": {"type": "string"}},
    "object": {
        "additionalProperties": {"type": "string"},
        "propertyNames": {"type": "string", "maxLength": 100, "pattern": r"^[^\[\]]+$"},  # as a form can hold them
    },
}
_NAMED = {
    "number": "a whole number",
    "array": "an array of strings",
    "boolean": "true or false",
    "object": "an object of strings",
}
_RULES = {
    "minimum": "at least",
    "maximum": "at most",
    "minLength": "characters at least",
    "maxLength": "characters at most",
    "maxItems": "items at most",
    "maxProperties": "entries at most",
    "pattern": "the pattern",
}
_PYTHON_TYPES: dict[str, type] = {"string": str, "number": int, "array": list, "boolean": bool, "object": dict}


@frozen
class Field:
    """
    One field of a body: its type, its limits, and whether it must be there.

    Numbers are whole, arrays and objects hold strings.

    The limits are keywords of JSON Schema, by which the field is both described and checked.
    """

    type: Literal["string", "number", "array", "boolean", "object"]
    limits: Mapping[str, Any] = {}
    required: bool = False
    _validator: Any = field(init=False, repr=False, eq=False)

    @_validator.default
    def _make_validator(self) -> Any:
        return jsonschema_rs.validator_for(self.schema)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the field."""
        inner = _INNER.get(self.type, {})
        return {"type": _JSON_TYPES[self.type], **inner, **self.limits}

    def problem(self, name: str, value: Any) -> ErrorDetail | None:
        """What is wrong with the value of the field of this name, if anything, at its place."""
        if not _fits(value, self):
            return _problem(name, Code.TYPE, f"must be {_named(self)}")
        error = next(iter(self._validator.iter_errors(value)), None)
        if error is None:
            return None
        if "propertyNames" in error.schema_path:
            return _problem(name, Code.FORMAT, "has a name that is empty, too long, or holds brackets")
        limits = self.limits["items"] if error.instance_path else self.limits
        rules = ", ".join(f"{_RULES[rule]} {limit}" for rule, limit in limits.items() if rule in _RULES)
        place = dotted((name, *error.instance_path))
        return _problem(place, Code.FORMAT, f"does not fit ({rules})" if rules else "does not fit")


async def read_fields(request: Request[Any, Any, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Read a body of the service's own; null counts as absent, a number may come as its text."""
    body = await read_body(request)
    problems: list[ErrorDetail] = []
    if isinstance(body, FormBody):
        schema = {"properties": {name: {"type": field.type} for name, field in fields.items()}}
        values, problems = read_form(body.pairs, schema)
    else:
        values = dict(body.values)
    for name, value in list(values.items()):
        if len(problems) >= MAX_PROBLEMS:
            break
        if name not in fields:
            problems.append(_problem(name, Code.UNKNOWN_PARAMETER, "is not a field of this request"))
        elif value is None:
            del values[name]
        elif fields[name].type == "number":
            values[name] = _whole_number(value)
        if name in values and name in fields and (problem := fields[name].problem(name, values[name])) is not None:
            problems.append(problem)
    problems += [
        _problem(name, Code.REQUIRED, "is required")
        for name, field in fields.items()
        if field.required and name not in values
    ]
    if problems:
        raise ServiceError(400, "The request is not valid.", problems)
    return values


def _whole_number(value: Any) -> Any:
    """A number that is whole, however it is written; anything else as it is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value) else value


def _fits(value: Any, field: Field) -> bool:
    if not isinstance(value, _PYTHON_TYPES[field.type]) or isinstance(value, bool) != (field.type == "boolean"):
        return False
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(isinstance(item, str) for item in items)


def _named(field: Field) -> str:
    return _NAMED.get(field.type, "a string")


def _problem(name: str, code: Code, message: str) -> ErrorDetail:
    return ErrorDetail(field=name[:200], code=code, message=f"{name[:200]} {message}", action=Action.FIX_FIELD)
