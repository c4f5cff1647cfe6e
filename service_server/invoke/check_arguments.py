"""The arguments of a call against the function's parameters: every problem at its field, all at once."""

import difflib
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from service_client.models import Action, Code, ErrorDetail
from service_server.catalog.values import FunctionDefinition
from service_server.errors import ServiceError, refused
from service_server.invoke.form_values import read_form
from service_server.invoke.invocation import FormBody, Invocation, Parts
from service_server.invoke.next_page import open_next_page

MAX_PROBLEMS = 50
NEXT_PAGE = "next_page"
_PAGE_SCHEMA = {"type": "string"}


async def check_arguments(invocation: Invocation, parts: Parts) -> None:
    """Read and check the arguments; refuse with one detail per problem."""
    request = invocation.request
    function = request.function
    arguments, problems = _read(invocation)
    cursor = arguments.pop(NEXT_PAGE, None) if function.paginated else None
    problems += find_problems(function, arguments)
    if problems:
        raise invalid(problems)
    invocation.arguments = arguments
    if cursor is not None and not isinstance(cursor, str):
        raise refused(Code.TYPE, "next_page must be a string", field=NEXT_PAGE, action=Action.FIX_FIELD)
    if cursor:
        invocation.position = open_next_page(parts.vault, invocation, cursor)


def _read(invocation: Invocation) -> tuple[dict[str, Any], list[ErrorDetail]]:
    body = invocation.request.body
    if not isinstance(body, FormBody):
        return dict(body.values), []
    schema = invocation.request.function.parameters
    if invocation.request.function.paginated:
        schema = {**schema, "properties": {**schema.get("properties", {}), NEXT_PAGE: _PAGE_SCHEMA}}
    return read_form(body.pairs, schema)


def invalid(problems: list[ErrorDetail]) -> ServiceError:
    """The refusal for arguments that don't fit."""
    fields = ", ".join(dict.fromkeys(problem.field or "" for problem in problems))
    return ServiceError(400, f"The arguments are not valid: {fields}.", problems[:MAX_PROBLEMS])


def find_problems(function: FunctionDefinition, arguments: dict[str, Any]) -> list[ErrorDetail]:
    """Everything that is wrong with the arguments of a function."""
    problems = []
    known = function.parameters.get("properties", {})
    if not function.allows_additional:
        problems = [_unknown((), name, list(known)) for name in arguments if name not in known]
        arguments = {name: value for name, value in arguments.items() if name in known}
    for error in function.validator.iter_errors(arguments):
        problems.extend(_details(error, function.parameters))
        if len(problems) >= MAX_PROBLEMS:
            break
    return problems


def _details(error: jsonschema_rs.ValidationError, schema: dict[str, Any]) -> Iterator[ErrorDetail]:
    path = tuple(error.instance_path)
    kinds = jsonschema_rs.ValidationErrorKind
    kind = error.kind
    if isinstance(kind, kinds.AdditionalProperties):
        known = list(_schema_at(schema, path).get("properties") or {})
        for name in kind.unexpected:
            yield _unknown(path, name, known)
    elif isinstance(kind, kinds.Required):
        yield _detail((*path, str(kind.property)), Code.REQUIRED, "is required")
    elif isinstance(kind, kinds.Type):
        wanted = _schema_at(schema, path).get("type", "")
        yield _detail(path, Code.TYPE, f"must be {_article(wanted)}")
    elif isinstance(kind, kinds.MultipleOf) and kind.multiple_of == 1:
        yield _detail(path, Code.TYPE, "must be a whole number")
    elif isinstance(kind, kinds.Enum | kinds.Constant):
        options = _schema_at(schema, path).get("enum", [])
        yield _detail(path, Code.ENUM, f"must be one of {', '.join(map(str, options[:20]))}")
    else:
        yield _detail(path, Code.FORMAT, _rule(_schema_at(schema, path), error))


def _rule(schema: dict[str, Any], error: jsonschema_rs.ValidationError) -> str:
    """Say the broken rule without repeating the value, which may be long or secret."""
    keyword = str(error.schema_path[-1]) if error.schema_path else ""
    limit = schema.get(keyword)
    rules = {
        "format": f"must be a valid {limit}",
        "pattern": f"must match the pattern {limit}",
        "minimum": f"must be at least {limit}",
        "maximum": f"must be at most {limit}",
        "exclusiveMinimum": f"must be more than {limit}",
        "exclusiveMaximum": f"must be less than {limit}",
        "minLength": f"must have at least {limit} characters",
        "maxLength": f"must have at most {limit} characters",
        "minItems": f"must have at least {limit} items",
        "maxItems": f"must have at most {limit} items",
        "multipleOf": f"must be a multiple of {limit}",
    }
    return rules.get(keyword, "has a value that is not allowed")


def _schema_at(schema: dict[str, Any], path: tuple[str | int, ...]) -> dict[str, Any]:
    for part in path:
        inner = schema.get("items") if isinstance(part, int) else (schema.get("properties") or {}).get(part)
        if not isinstance(inner, dict):
            return {}
        schema = inner
    return schema


def _unknown(path: tuple[str | int, ...], name: str, known: list[str]) -> ErrorDetail:
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return _detail((*path, name[:200]), Code.UNKNOWN_PARAMETER, f"is not a parameter of this function{hint}")


def _detail(path: tuple[str | int, ...], code: Code, message: str) -> ErrorDetail:
    field = dotted(path)
    return ErrorDetail(field=field, code=code, message=f"{field} {message}", action=Action.FIX_FIELD)


def dotted(path: tuple[str | int, ...]) -> str:
    """A path as the contract writes it: `a.b` inside objects, `a[0]` inside arrays."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _article(kind: str) -> str:
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"
