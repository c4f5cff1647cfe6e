"""One `functions/<action>.yaml`: read, checked, and compiled to a function definition."""

from functools import partial
from typing import Any

from attrs import evolve, frozen

from service_server.catalog.app_parts import AppParts
from service_server.catalog.format.function import DeclaredExchange, DeclaredFile, DeclaredFunction
from service_server.catalog.format.keys import several
from service_server.catalog.format.read import read
from service_server.catalog.function_checks import check_function, check_use
from service_server.catalog.hooks import PreparedRequest
from service_server.catalog.meta import field_metas
from service_server.catalog.output import compile_output
from service_server.catalog.pagination import Pagination
from service_server.catalog.parameters import (
    arguments_validator,
    check_parameters,
    file_parameters,
    published_schema,
    sensitive_paths,
)
from service_server.catalog.problems import Report
from service_server.catalog.requests import with_app_headers
from service_server.catalog.schemas import check_form
from service_server.catalog.sent_defaults import RequestWithDefaults, sent_defaults
from service_server.catalog.sources import Siblings, check_sources, described
from service_server.catalog.values import FunctionDefinition, Instead, RequestBuilder


@frozen
class FunctionFile:
    """A function's file whose form is right, before it is seen together with the other functions of its app."""

    report: Report
    declared: DeclaredFunction


def read_function_file(report: Report) -> FunctionFile | None:
    """Return the file if its form is right; report what isn't."""
    if not check_form(report, "function"):
        return None
    return FunctionFile(report, read(DeclaredFunction, report.document.value))


def check_function_file(file: FunctionFile, app: AppParts, siblings: Siblings) -> None:
    """Report what in the file the form can't tell."""
    report, function = file.report, file.declared
    before = len(report.problems)
    check_parameters(report, ("parameters",), function.parameters)
    if len(report.problems) > before:
        return
    check_sources(report, ("parameters",), function.parameters, siblings)
    check_function(report, function, app)
    if len(report.problems) == before:
        check_use(report, function)


def define_function(stem: str, function: DeclaredFunction, app: AppParts) -> FunctionDefinition:
    """Return the definition of a function that has been checked."""
    function = with_app_headers(function, app.headers)
    parameters: dict[str, Any] = {**function.parameters}
    scopes = tuple(several(scope) for scope in function.scopes)
    defaults = app.default_scopes or frozenset()
    definition = FunctionDefinition(
        name=f"{app.name}-{stem}",
        app_name=app.name,
        type=function.type,
        title=function.title,
        description=function.description,
        destructive=function.destructive,
        idempotent=function.type == "query" if function.idempotent is None else function.idempotent,
        parameters={"required": [], **published_schema(parameters, partial(described, app.name))},
        validator=arguments_validator(parameters),
        allows_additional=parameters.get("additionalProperties", False),
        sensitive=sensitive_paths(parameters),
        fields=field_metas(app.name, parameters),
        examples=tuple((example.prompt, dict(example.arguments)) for example in function.examples),
        scopes=scopes,
        ways=function.auth,
        unusual_scopes=tuple(choice[0] for choice in scopes if not defaults & set(choice)),
        request=_request(function, app),
        look_up=function.lookup,
        before=function.before,
        pagination=_pagination(function, app),
        picker=compile_output(function.output) if isinstance(function.output, str) else None,
        reshape=app.hooks.functions.get(function.reshape or ""),
        outcome=function.outcome,
        files=file_parameters(parameters),
        gives_file=function.output if isinstance(function.output, DeclaredFile) else None,
    )
    if function.instead is None:
        return definition
    other = define_function(stem, function.with_other_request, app)
    return evolve(definition, instead=Instead(function.instead.given, other))


def _pagination(exchange: DeclaredExchange, app: AppParts) -> Pagination | None:
    declared = exchange.paginate
    if declared is None:
        return None
    return app.pagination[declared] if isinstance(declared, str) else declared


def _request(function: DeclaredFunction, app: AppParts) -> RequestBuilder:
    request: RequestBuilder = function.request
    if function.prepare is not None:
        request = PreparedRequest(function.request, app.hooks.functions[function.prepare])
    defaults = sent_defaults(function.request, function.parameters)
    return RequestWithDefaults(request, defaults) if defaults else request
