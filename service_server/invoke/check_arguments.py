"""A call's arguments checked against the function's parameters: every problem at its field, all at once."""

import difflib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import jsonschema_rs

from service_client.models import Action, Code, ErrorDetail
from service_server.catalog.problems import dotted
from service_server.catalog.values import FunctionDefinition
from service_server.errors import ServiceError, refused
from service_server.invoke.form_values import read_form
from service_server.invoke.invocation import Arguments, CallRequest, FormBody
from service_server.invoke.next_page import open_next_page
from service_server.store import Account
from service_server.vault import Vault

MAX_PROBLEMS = 50
_LONGEST_COMPARED = 64
_MANY_VALUES = 1_000
_MANY_COPIED = 40_000_000
NEXT_PAGE = "next_page"
_FORMS = {
    "time": "must be a time of day, such as 14:30 or 14:30:00",
    "file": "must be the id of an uploaded file (file_…) or an https URL",
}


def check_arguments(request: CallRequest, account: Account, vault: Vault) -> Arguments:
    """Read and check the arguments; refuse with one detail per problem."""
    function = request.function
    values, problems = _read(request)
    cursor = None if function.pagination is None else values.pop(NEXT_PAGE, None)
    problems += find_problems(function, values)
    if problems:
        raise invalid(problems)
    if cursor is not None and not isinstance(cursor, str):
        raise refused(Code.TYPE, "next_page must be a string", field=NEXT_PAGE, action=Action.FIX_FIELD)
    position = open_next_page(vault, cursor, request, account, values) if cursor else None
    return Arguments(values=values, position=position)


def _read(request: CallRequest) -> tuple[dict[str, Any], list[ErrorDetail]]:
    if not isinstance(request.body, FormBody):
        return dict(request.body.values), []
    return read_form(request.body.pairs, request.function.parameters)  # what it doesn't know stays text: next_page, too


def invalid(problems: list[ErrorDetail]) -> ServiceError:
    """The refusal for arguments that don't fit."""
    fields = ", ".join(dict.fromkeys(problem.field or "" for problem in problems))
    return ServiceError(400, f"The arguments are not valid: {fields}.", problems[:MAX_PROBLEMS])


def find_problems(function: FunctionDefinition, arguments: dict[str, Any]) -> list[ErrorDetail]:
    """Everything that is wrong with the arguments of a function."""
    return problems_of(function.parameters, function.validator, arguments, allows_additional=function.allows_additional)


def problems_of(
    parameters: dict[str, Any],
    validator: jsonschema_rs.Validator,
    arguments: dict[str, Any],
    *,
    allows_additional: bool = False,
) -> list[ErrorDetail]:
    """Everything that is wrong with arguments by a schema; `validator` is the schema's."""
    problems: list[ErrorDetail] = []
    known = parameters.get("properties", {})
    if not allows_additional:
        unknown = (name for name in arguments if name not in known)
        problems = [_unknown((), name, list(known)) for name in islice(unknown, MAX_PROBLEMS)]
        arguments = {name: value for name, value in arguments.items() if name in known}
    for error in _errors(validator, arguments):
        problems.extend(islice(_details(error, parameters), MAX_PROBLEMS - len(problems)))
        if len(problems) >= MAX_PROBLEMS:
            break
    return problems


def _errors(validator: jsonschema_rs.Validator, arguments: dict[str, Any]) -> Iterable[jsonschema_rs.ValidationError]:
    """
    Return what the validator finds; for very large arguments only the first error.

    It makes all errors at once, each with a copy of the value at fault, which may be all of the arguments.
    """
    if validator.is_valid(arguments):
        return ()
    if not _is_large(arguments):
        return validator.iter_errors(arguments)
    try:
        validator.validate(arguments)
    except jsonschema_rs.ValidationError as error:
        return (error,)
    return ()


def _is_large(arguments: dict[str, Any]) -> bool:
    """Whether it would take long to make an error for each value, each with a copy of all arguments."""
    waiting: list[Any] = [arguments]
    values = characters = 0
    while waiting:
        value = waiting.pop()
        values += 1
        if values > _MANY_VALUES:
            return True
        if isinstance(value, dict):
            waiting += value.values()
            characters += sum(map(len, value))
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str):
            characters += len(value)
    return values * characters > _MANY_COPIED


def _details(error: jsonschema_rs.ValidationError, schema: dict[str, Any]) -> Iterator[ErrorDetail]:
    path = tuple(error.instance_path)
    kinds = jsonschema_rs.ValidationErrorKind
    kind = error.kind
    if isinstance(kind, kinds.AdditionalProperties):
        known = list(_schema_at(schema, path)["properties"])
        for name in kind.unexpected:
            yield _unknown(path, name, known)
    elif isinstance(kind, kinds.Required):
        yield _detail((*path, str(kind.property)), Code.REQUIRED, "is required")
    elif isinstance(kind, kinds.Type):
        yield _detail(path, Code.TYPE, f"must be {_article(_schema_at(schema, path)['type'])}")
    elif isinstance(kind, kinds.MultipleOf) and kind.multiple_of == 1:
        yield _detail(path, Code.TYPE, "must be a whole number")
    elif isinstance(kind, kinds.Enum):
        options = _schema_at(schema, path)["enum"]
        yield _detail(path, Code.ENUM, f"must be one of {', '.join(map(str, options[:20]))}")
    else:
        yield _detail(path, Code.FORMAT, _rule(_schema_at(schema, path), error))


def _rule(schema: dict[str, Any], error: jsonschema_rs.ValidationError) -> str:
    """Describe the broken rule without repeating the value, which may be long or secret."""
    keyword = str(error.schema_path[-1])
    limit = schema.get(keyword)
    rules = {
        "format": _FORMS.get(str(limit), f"must be a valid {limit}"),
        "pattern": f"must match the pattern {limit}",
        "minimum": f"must be at least {limit}",
        "maximum": f"must be at most {limit}",
        "maxLength": f"must have at most {limit} characters",
        "multipleOf": f"must be a multiple of {limit}",
    }
    return rules.get(keyword, "has a value that is not allowed")


def _schema_at(schema: dict[str, Any], path: tuple[str | int, ...]) -> dict[str, Any]:
    for part in path:
        schema = schema["items"] if isinstance(part, int) else schema["properties"][part]
    return schema


def _unknown(path: tuple[str | int, ...], name: str, known: list[str]) -> ErrorDetail:
    # A longer name is not a typo, and takes long to compare.
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5) if len(name) <= _LONGEST_COMPARED else []
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return _detail((*path, name[:200]), Code.UNKNOWN_PARAMETER, f"is not a parameter of this function{hint}")


def _detail(path: tuple[str | int, ...], code: Code, message: str) -> ErrorDetail:
    field = dotted(path)
    return ErrorDetail(field=field, code=code, message=f"{field} {message}", action=Action.FIX_FIELD)


def _article(kind: str) -> str:
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"
