"""The few fields of the service's own POST bodies, checked like the arguments of functions."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from attrs import frozen
from litestar import Request

from service_client.models import Action, Code, ErrorDetail
from service_server.errors import ServiceError
from service_server.invoke import FormBody
from service_server.invoke.form_values import read_form
from service_server.rest.bodies import read_body

_WHOLE_NUMBER = re.compile(r"[0-9]{1,18}")
_PYTHON_TYPES: dict[str, type] = {"string": str, "number": int, "array": list}


@frozen
class Field:
    """One field of a body: its type (numbers are whole, arrays hold strings) and whether it must be there."""

    type: Literal["string", "number", "array"]
    required: bool = False


async def read_fields(request: Request[Any, Any, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Read a body of the service's own; null counts as absent, a number may come as its text."""
    body = await read_body(request)
    problems: list[ErrorDetail] = []
    if isinstance(body, FormBody):
        schema = {"properties": {name: {"type": field.type} for name, field in fields.items()}}
        values, problems = read_form(body.pairs, schema)
    else:
        values = {name: value for name, value in body.values.items() if value is not None}
    for name, value in values.items():
        if name not in fields:
            problems.append(_problem(name, Code.UNKNOWN_PARAMETER, "is not a field of this request"))
        elif fields[name].type == "number" and isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value):
            values[name] = int(value)
        elif not _fits(value, fields[name]):
            problems.append(_problem(name, Code.TYPE, f"must be {_named(fields[name])}"))
    problems += [
        _problem(name, Code.REQUIRED, "is required")
        for name, field in fields.items()
        if field.required and name not in values
    ]
    if problems:
        raise ServiceError(400, "The request is not valid.", problems)
    return values


def _fits(value: Any, field: Field) -> bool:
    if not isinstance(value, _PYTHON_TYPES[field.type]) or isinstance(value, bool):
        return False
    return not isinstance(value, list) or all(isinstance(item, str) for item in value)


def _named(field: Field) -> str:
    return {"number": "a whole number", "array": "an array of strings"}.get(field.type, "a string")


def _problem(name: str, code: Code, message: str) -> ErrorDetail:
    return ErrorDetail(field=name[:200], code=code, message=f"{name[:200]} {message}", action=Action.FIX_FIELD)
