"""One `functions/<action>.yaml`: checked, and compiled to a function definition."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from service_server.catalog.connector_file import App
from service_server.catalog.expressions import names_in, referred
from service_server.catalog.format.function import DeclaredExchange, DeclaredFile, DeclaredFunction
from service_server.catalog.format.keys import several
from service_server.catalog.hooks import Hooks, PreparedRequest, takes_before
from service_server.catalog.meta import field_metas
from service_server.catalog.outcome_checks import check_outcome
from service_server.catalog.output import Picker
from service_server.catalog.pagination import Pagination
from service_server.catalog.parameters import (
    arguments_validator,
    check_parameters,
    file_parameters,
    published_schema,
    sensitive_paths,
    sent_defaults,
    with_defaults_required,
)
from service_server.catalog.problems import Report, nearest
from service_server.catalog.request_checks import check_before, check_look_up, check_request
from service_server.catalog.requests import with_app_headers
from service_server.catalog.sources import Siblings, check_sources, described, referred_by_sources
from service_server.catalog.templates import ROOTS_AT, Names, check_template
from service_server.catalog.values import FunctionDefinition, Instead


def check_function_file(report: Report, function: DeclaredFunction, app: App, siblings: Siblings) -> None:
    """Report what in the file the form can't tell."""
    before = len(report.problems)
    check_parameters(report, ("parameters",), function.parameters)
    if len(report.problems) > before:
        return
    check_sources(report, ("parameters",), function.parameters, siblings)
    _check_function(report, function, app)
    if len(report.problems) == before:
        _check_use(report, function)


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
        picker=Picker(function.output) if isinstance(function.output, str) else None,
        reshape=app.hooks.functions.get(function.reshape or ""),
        outcome=function.outcome,
        files=file_parameters(parameters),
        gives_file=function.output if isinstance(function.output, DeclaredFile) else None,
    )
    if function.instead is None:
        return definition
    other = define_function(stem, function.with_other_request, app)
    return evolve(definition, instead=Instead(function.instead.given, other))


def _check_function(report: Report, function: DeclaredFunction, app: App) -> None:
    _check_kind(report, function)
    _check_exchange(report, function, app)
    if function.instead is not None:
        _check_instead(report, function, app)
    if function.outcome is not None:
        names = Names(ROOTS_AT["outcome"], {"vars": app.declared.variables}, function.parameters)
        example = function.examples[0].arguments if function.examples else {}
        check_outcome(report.below("outcome"), function.outcome, names, app.declared, example)
    if function.scopes and app.declared.default_scopes is None:
        report.add(("scopes",), "the connector has no 'auth' of the type oauth2_code, so nothing can grant them")
    _check_ways(report, function.auth, [way.id for way in app.declared.auth])
    validator = arguments_validator(function.parameters)
    for index, each in enumerate(function.examples):
        for error in validator.iter_errors(each.arguments):
            report.add(("examples", index, "arguments", *error.instance_path), error.message)


def _check_use(report: Report, function: DeclaredFunction) -> None:
    """Report parameters that no request would ever carry."""
    requests = [exchange.request for exchange in function.exchanges] + [each.request for each in function.before]
    requests += [] if function.lookup is None else [function.lookup.request]
    used = referred("args", [request.templates for request in requests])
    if () in used or any(exchange.prepare is not None for exchange in function.exchanges):  # which sees them all
        return
    named = {keys[0] for keys in used}.union(*(_named_in(exchange.output) for exchange in function.exchanges))
    for name in function.parameters["properties"]:
        if name not in named.union(referred_by_sources(function.parameters)):
            message = f"is neither sent by the request nor narrows choices; use ${{args.{name}}} there"
            report.add(("parameters", "properties", name), message)


def _named_in(output: str | DeclaredFile | None) -> list[str]:
    """The arguments that an output refers to."""
    if output is None:
        return []
    if isinstance(output, str):
        return Picker(output).names
    named = names_in(output.name, "args")
    return named if output.when is None else [*named, output.when]


def _check_kind(report: Report, function: DeclaredFunction) -> None:
    if function.type == "query":
        if function.destructive:
            report.add(("destructive",), "a query destroys nothing; make it a mutation")
        if function.before:
            report.add(("before",), "only mutations have it; a query has a 'lookup' for what it has to know")
        return
    for key in ("output", "paginate", "reshape", "instead", "lookup"):
        if getattr(function, key) is not None:
            report.add((key,), "only queries have it: of a mutation the whole answer to its request is relayed")


def _check_ways(report: Report, named: Sequence[str], known: Sequence[str]) -> None:
    for index, way in enumerate(named):
        if way not in known:
            hint = nearest(way, known) or f"; known are {', '.join(known)}"
            report.add(("auth", index), f"the connector has no way of signing in with the id '{way}'{hint}")
    if named and set(named) >= set(known):
        report.add(("auth",), "names all ways of signing in, which is so without it; leave it out")


def _check_exchange(report: Report, function: DeclaredFunction, app: App) -> None:
    known: dict[str, Collection[str]] = {"vars": app.declared.variables}
    if function.lookup is not None:
        known["lookup"] = function.lookup.gives
        check_look_up(report, function.lookup, function, app.declared)
    if function.before:
        known["before"] = [name for each in function.before for name in each.gives]
    there = {"args", *known} if function.prepare is None else {"args", "prepared", *known}
    names = Names(ROOTS_AT["request"] & there, known, with_defaults_required(function.parameters))
    hook = app.hooks.functions.get(function.prepare or "")
    by_hook = hook is not None and takes_before(hook)
    check_before(report, function, app.declared, used_by_hook=by_hook)
    check_request(report, ("request",), function.request, names, app.declared.hosts)
    _check_hooks(report, function, app.hooks, before=bool(function.before))
    _check_paging(report, function, app.declared.pagination)
    if isinstance(function.output, DeclaredFile):
        _check_file(report, function, function.output)
    elif function.output is not None:
        parameters = function.parameters["properties"]
        for name in Picker(function.output).names:
            if name not in parameters:
                report.add(("output",), f"there is no parameter '{name}'{nearest(name, parameters)}")


def _check_instead(report: Report, function: DeclaredFunction, app: App) -> None:
    part, other = report.below("instead"), function.with_other_request
    given = "" if function.instead is None else function.instead.given
    parameters = function.parameters
    known = parameters["properties"]
    if known.get(given, {}).get("type") != "string":
        part.add(("given",), f"there is no parameter '{given}' that takes a text{nearest(given, known)}")
    if other.paginate is not None and function.paginate is None:
        part.add(("paginate",), "the function has no pages without it, so nobody asks for the next one")
    always = {**parameters, "required": [*parameters.get("required", ()), given]}
    _check_exchange(part, evolve(other, parameters=always), app)


def _check_hooks(report: Report, exchange: DeclaredExchange, hooks: Hooks, *, before: bool) -> None:
    for key, name in (("prepare", exchange.prepare), ("reshape", exchange.reshape)):
        if name is None:
            continue
        hook, problem = hooks.functions.get(name), hooks.problem(name)
        if problem is not None:
            report.add((key,), problem)
        elif hook is not None and takes_before(hook) and (key == "reshape" or not before):
            report.add((key,), f"'{name}' takes what requests under `before` gave, and there are none")
    if exchange.prepare is not None and not referred("prepared", exchange.request.templates):
        report.add(("prepare",), "nothing in the request uses what it prepares; write ${prepared.key} there")


def _check_paging(report: Report, function: DeclaredFunction, known: Mapping[str, Pagination]) -> None:
    declared = function.paginate
    if declared is None:
        return
    if isinstance(declared, str) and declared not in known:
        report.add(("paginate",), f"the connector has no pagination '{declared}'{nearest(declared, known)}")
        return
    if "next_page" in function.parameters["properties"]:
        report.add(("parameters", "properties", "next_page"), "is the name of the cursor that paging itself takes")
    sent = (known[declared] if isinstance(declared, str) else declared).sent_query
    # A number asks for the first page, where an app gives pages only by their numbers; what follows replaces it.
    if sent is not None and not isinstance(function.request.query.get(sent, 1), int):
        report.add(("request", "query", sent), "is sent by the paging itself")


def _check_file(report: Report, function: DeclaredFunction, output: DeclaredFile) -> None:
    for key in ("paginate", "reshape"):
        if getattr(function, key) is not None:
            report.add((key,), "means nothing where the answer is kept as a file")
    known = function.parameters["properties"]
    if output.when is not None and known.get(output.when, {}).get("type") != "boolean":
        report.add(("output", "when"), f"there is no parameter '{output.when}' that is true or false")
    check_template(report, ("output", "name"), output.name, Names({"args"}, {}, function.parameters))
