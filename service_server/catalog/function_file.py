"""One `functions/<action>.yaml`: read, checked, and compiled to a function definition."""

from functools import partial
from typing import Any

from attrs import evolve

from service_server.catalog.connector_file import App
from service_server.catalog.format.function import DeclaredFile, DeclaredFunction
from service_server.catalog.format.keys import several
from service_server.catalog.format.read import read
from service_server.catalog.function_checks import check_function, check_use
from service_server.catalog.hooks import PreparedRequest
from service_server.catalog.meta import field_metas
from service_server.catalog.output import compile_output
from service_server.catalog.parameters import (
    arguments_validator,
    check_parameters,
    file_parameters,
    published_schema,
    sensitive_paths,
    sent_defaults,
)
from service_server.catalog.problems import Report
from service_server.catalog.requests import with_app_headers
from service_server.catalog.schemas import check_form
from service_server.catalog.sources import Siblings, check_sources, described
from service_server.catalog.values import FunctionDefinition, Instead


def read_function_file(report: Report) -> DeclaredFunction | None:
    """Return what the file says if its form is right; report what isn't."""
    return read(DeclaredFunction, report.document.value) if check_form(report, "function") else None


def check_function_file(report: Report, function: DeclaredFunction, app: App, siblings: Siblings) -> None:
    """Report what in the file the form can't tell."""
    before = len(report.problems)
    check_parameters(report, ("parameters",), function.parameters)
    if len(report.problems) > before:
        return
    check_sources(report, ("parameters",), function.parameters, siblings)
    check_function(report, function, app)
    if len(report.problems) == before:
        check_use(report, function)


def define_function(stem: str, function: DeclaredFunction, app: App) -> FunctionDefinition:
    """Return the definition of a function that has been checked."""
    app_name = app.declared.name
    function = with_app_headers(function, app.declared.headers)
    parameters: dict[str, Any] = {**function.parameters}
    paging = function.paginate
    scopes = tuple(several(scope) for scope in function.scopes)
    usual = app.declared.default_scopes or frozenset()
    prepare = None if function.prepare is None else app.hooks.functions[function.prepare]
    defaults = sent_defaults(function.request.templates, function.parameters)
    definition = FunctionDefinition(
        name=f"{app_name}-{stem}",
        app_name=app_name,
        type=function.type,
        title=function.title,
        description=function.description,
        destructive=function.destructive,
        idempotent=function.type == "query" if function.idempotent is None else function.idempotent,
        parameters={"required": [], **published_schema(parameters, partial(described, app_name))},
        validator=arguments_validator(parameters),
        allows_additional=parameters.get("additionalProperties", False),
        sensitive=sensitive_paths(parameters),
        fields=field_metas(app_name, parameters),
        examples=tuple((example.prompt, dict(example.arguments)) for example in function.examples),
        scopes=scopes,
        ways=function.auth,
        unusual_scopes=tuple(choice[0] for choice in scopes if not usual & set(choice)),
        request=PreparedRequest(function.request, prepare, defaults) if prepare or defaults else function.request,
        look_up=function.lookup,
        before=function.before,
        pagination=app.declared.pagination[paging] if isinstance(paging, str) else paging,
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
