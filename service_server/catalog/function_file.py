"""One `functions/<action>.yaml`: checked and compiled to a function definition."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jsonschema_rs
from attrs import field, frozen

from service_server.catalog.expressions import references
from service_server.catalog.hooks import Hooks, PreparedRequest
from service_server.catalog.meta import field_metas
from service_server.catalog.output import OutputError, compile_output
from service_server.catalog.pagination import Pagination
from service_server.catalog.pagination_file import compile_pagination
from service_server.catalog.parameters import check_parameters, checking_schema, published_schema, sensitive_paths
from service_server.catalog.problems import Report, nearest
from service_server.catalog.request_file import check_request, compile_request, templates
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.schemas import check_form
from service_server.catalog.sources import Sibling, check_sources, described, referred_by_sources
from service_server.catalog.templates import Names
from service_server.catalog.values import FunctionDefinition, RequestBuilder
from service_server.onward.values import HostRules


@frozen
class AppParts:
    """
    What the functions of an app share.

    `default_scopes` is None where nothing can be granted any; `hosts` are those beside the base URL's own.
    """

    name: str
    variables: frozenset[str]
    headers: Mapping[str, str]
    pagination: Mapping[str, Pagination]
    hooks: Hooks = field(factory=Hooks)
    default_scopes: frozenset[str] | None = None
    hosts: HostRules = field(factory=lambda: HostRules(()))


@frozen
class FunctionFile:
    """A function's file whose form is right, before it is seen together with the other functions of its app."""

    stem: str
    report: Report

    @property
    def value(self) -> dict[str, Any]:
        """The content of the file."""
        value: dict[str, Any] = self.report.document.value
        return value

    @property
    def sibling(self) -> Sibling:
        """What the sources of other functions have to know of this one."""
        return Sibling(self.value["type"], self.value["parameters"])


def read_function_file(report: Report, stem: str) -> FunctionFile | None:
    """Return the file if its form is right; report what isn't."""
    return FunctionFile(stem, report) if check_form(report, "function") else None


def compile_function(
    file: FunctionFile, app: AppParts, siblings: Mapping[str, Sibling | None]
) -> FunctionDefinition | None:
    """Check what the form can't tell and return the definition, None where there are problems."""
    report, value = file.report, file.value
    parameters = value["parameters"]
    before = len(report.problems)
    check_parameters(report, ("parameters",), parameters)
    if len(report.problems) > before:
        return None
    check_sources(report, ("parameters",), parameters, siblings)
    roots = ROOTS_AT["request"] if "prepare" in value else ROOTS_AT["request"] - {"prepared"}
    check_request(report, ("request",), value["request"], Names(roots, app.variables, (), parameters), app.hosts)
    _check_kind(report, value)
    _check_hooks(report, value, app.hooks)
    if "scopes" in value and app.default_scopes is None:
        report.add(("scopes",), "the connector has no 'auth' of the type oauth2_code, so nothing can grant them")
    _check_paging(report, value, app.pagination)
    _check_output(report, value)
    validator = jsonschema_rs.validator_for(checking_schema(parameters), validate_formats=True)
    _check_examples(report, value, validator)
    if len(report.problems) > before:
        return None
    _check_use(report, value)
    return define_function(file, app)


def define_function(file: FunctionFile, app: AppParts) -> FunctionDefinition:
    """Return the definition in a file that has been checked."""
    value = file.value
    parameters = value["parameters"]
    validator = jsonschema_rs.validator_for(checking_schema(parameters), validate_formats=True)
    picker = compile_output(value["output"]) if "output" in value else None
    scopes = tuple((scope,) if isinstance(scope, str) else tuple(scope) for scope in value.get("scopes", ()))
    return FunctionDefinition(
        name=f"{app.name}-{file.stem}",
        app_name=app.name,
        type=value["type"],
        title=value["title"],
        description=value["description"],
        destructive=value.get("destructive", False),
        idempotent=value.get("idempotent", value["type"] == "query"),
        parameters={"required": [], **published_schema(parameters, partial(described, app.name))},
        validator=validator,
        allows_additional=parameters.get("additionalProperties", False),
        sensitive=sensitive_paths(parameters),
        fields=field_metas(app.name, parameters),
        examples=tuple((example["prompt"], example["arguments"]) for example in value.get("examples", ())),
        scopes=scopes,
        unusual_scopes=tuple(choice[0] for choice in scopes if not (app.default_scopes or frozenset()) & set(choice)),
        request=_request(value, app),
        pagination=_pagination(value, app),
        picker=picker,
        reshape=app.hooks.functions.get(value.get("reshape", "")),
    )


def _pagination(value: Mapping[str, Any], app: AppParts) -> Pagination | None:
    declared = value.get("paginate")
    return app.pagination[declared] if isinstance(declared, str) else declared and compile_pagination(declared)


def _request(value: Mapping[str, Any], app: AppParts) -> RequestBuilder:
    template = compile_request(value["request"], app.headers)
    if "prepare" not in value:
        return template
    return PreparedRequest(template, app.hooks.functions[value["prepare"]])


def _check_hooks(report: Report, value: Mapping[str, Any], hooks: Hooks) -> None:
    for key in ("prepare", "reshape"):
        problem = hooks.problem(value[key]) if key in value else None
        if problem is not None:
            report.add((key,), problem)
    if "prepare" in value and not _mentions(value["request"], "prepared"):
        report.add(("prepare",), "nothing in the request uses what it prepares; write ${prepared.key} there")


def _mentions(request: Mapping[str, Any], root: str) -> bool:
    return any(reference.root == root for _, reference in references(templates(request)))


def _check_kind(report: Report, value: Mapping[str, Any]) -> None:
    if value["type"] == "query" and value.get("destructive"):
        report.add(("destructive",), "a query destroys nothing; make it a mutation")
    if value["type"] == "mutation":
        for key in ("output", "paginate", "reshape"):
            if key in value:
                report.add((key,), "only queries have it: the whole answer of a mutation is relayed")


def _check_paging(report: Report, value: Mapping[str, Any], known: Mapping[str, Pagination]) -> None:
    if "paginate" not in value:
        return
    name = value["paginate"]
    if isinstance(name, str) and name not in known:
        report.add(("paginate",), f"the connector has no pagination '{name}'{nearest(name, known)}")
        return
    if "next_page" in value["parameters"]["properties"]:
        report.add(("parameters", "properties", "next_page"), "is the name of the cursor that paging itself takes")
    sent = (known[name] if isinstance(name, str) else compile_pagination(name)).sent_query
    # A number asks for the first page, where an app gives pages only by their numbers; what follows replaces it.
    if sent is not None and not isinstance(value["request"].get("query", {}).get(sent, 1), int):
        report.add(("request", "query", sent), "is sent by the paging itself")


def _check_examples(report: Report, value: Mapping[str, Any], validator: jsonschema_rs.Validator) -> None:
    for index, example in enumerate(value.get("examples", ())):
        for error in validator.iter_errors(example["arguments"]):
            report.add(("examples", index, "arguments", *error.instance_path), error.message)


def _check_use(report: Report, value: Mapping[str, Any]) -> None:
    """Report parameters that no request would ever carry."""
    used = [reference.keys for _, reference in references(templates(value["request"])) if reference.root == "args"]
    if () in used or "prepare" in value:  # which sees them all
        return
    narrowing = set(referred_by_sources(value["parameters"]))
    for name in value["parameters"]["properties"]:
        if name not in {keys[0] for keys in used} | narrowing:
            message = f"is neither sent by the request nor narrows choices; use ${{args.{name}}} there"
            report.add(("parameters", "properties", name), message)


def _check_output(report: Report, value: Mapping[str, Any]) -> None:
    if "output" not in value:
        return
    try:
        compile_output(value["output"])
    except OutputError as error:
        report.add(("output",), str(error))
