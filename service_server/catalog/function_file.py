"""One `functions/<action>.yaml`: checked and compiled to a function definition."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import jsonschema_rs
from attrs import evolve, field, frozen

from service_server.catalog.expressions import compile_text, references
from service_server.catalog.hooks import Hooks, PreparedRequest
from service_server.catalog.meta import field_metas
from service_server.catalog.outcome import OutcomeTemplate
from service_server.catalog.outcome_checks import Addresses, check_outcome
from service_server.catalog.output import OutputError, compile_output, keys_picked
from service_server.catalog.pagination import Pagination
from service_server.catalog.pagination_file import compile_pagination
from service_server.catalog.parameters import (
    arguments_validator,
    check_parameters,
    file_parameters,
    published_schema,
    sensitive_paths,
)
from service_server.catalog.prior_requests_file import check_before, check_look_up, compile_before, compile_look_up
from service_server.catalog.problems import Report, nearest
from service_server.catalog.request_file import check_request, compile_request, templates
from service_server.catalog.roots import ROOTS_AT
from service_server.catalog.schemas import check_form
from service_server.catalog.sources import Sibling, check_sources, described, referred_by_sources
from service_server.catalog.templates import Names, check_template
from service_server.catalog.values import FunctionDefinition, GivesFile, Instead, RequestBuilder
from service_server.onward.values import HostRules

_EXCHANGE: Final = ("lookup", "request", "prepare", "paginate", "reshape", "output")
"""The keys of a request and of how its answer is read."""


@frozen
class AppParts:
    """
    What the functions of an app share.

    `default_scopes` is None where nothing can be granted any; `hosts` are those beside the base URL's own, `addresses`
    what the app's own pages are known by; `ways` are the ids of its ways of signing in.
    """

    name: str
    variables: frozenset[str]
    headers: Mapping[str, str]
    pagination: Mapping[str, Pagination]
    hooks: Hooks = field(factory=Hooks)
    default_scopes: frozenset[str] | None = None
    hosts: HostRules = field(factory=lambda: HostRules(()))
    addresses: Addresses = field(factory=Addresses)
    ways: tuple[str, ...] = ()


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

    def saying(self, value: dict[str, Any]) -> "FunctionFile":
        """Return a file that says something else."""
        return evolve(self, report=evolve(self.report, document=evolve(self.report.document, value=value)))

    @property
    def sibling(self) -> Sibling:
        """What the sources of other functions have to know of this one."""
        outputs = (part.get("output") for part in (self.value, self.value.get("instead", {})))
        entries = tuple(keys for keys in map(keys_picked, outputs) if keys is not None)
        return Sibling(self.value["type"], self.value["parameters"], entries)


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
    _check_kind(report, value)
    _check_exchange(report, value, app)
    if "instead" in value:
        _check_instead(report, value, app)
    if "outcome" in value:
        names = Names(ROOTS_AT["outcome"], app.variables, (), parameters)
        check_outcome(report.below("outcome"), value["outcome"], names, app.addresses, _example(value))
    if "scopes" in value and app.default_scopes is None:
        report.add(("scopes",), "the connector has no 'auth' of the type oauth2_code, so nothing can grant them")
    _check_ways(report, value, app.ways)
    validator = arguments_validator(parameters)
    _check_examples(report, value, validator)
    if len(report.problems) > before:
        return None
    _check_use(report, value)
    return define_function(file, app)


def define_function(file: FunctionFile, app: AppParts) -> FunctionDefinition:
    """Return the definition in a file that has been checked."""
    value = file.value
    parameters = value["parameters"]
    validator = arguments_validator(parameters)
    output = value.get("output")
    picker = compile_output(output) if isinstance(output, str) else None
    scopes = tuple((scope,) if isinstance(scope, str) else tuple(scope) for scope in value.get("scopes", ()))
    definition = FunctionDefinition(
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
        ways=tuple(value.get("auth", ())),
        unusual_scopes=tuple(choice[0] for choice in scopes if not (app.default_scopes or frozenset()) & set(choice)),
        request=_request(value, app),
        look_up=compile_look_up(value["lookup"], app.headers) if "lookup" in value else None,
        before=compile_before(value.get("before", ()), app.headers),
        pagination=_pagination(value, app),
        picker=picker,
        reshape=app.hooks.functions.get(value.get("reshape", "")),
        outcome=_outcome(value),
        files=file_parameters(parameters),
        gives_file=_gives_file(output) if isinstance(output, Mapping) else None,
    )
    if "instead" not in value:
        return definition
    other = define_function(file.saying(_instead(value)), app)
    return evolve(definition, instead=Instead(value["instead"]["given"], other))


def _outcome(value: Mapping[str, Any]) -> OutcomeTemplate | None:
    declared = value.get("outcome")
    if declared is None:
        return None
    return OutcomeTemplate(declared["title"], declared.get("link"), tuple(declared.get("facts", {}).items()))


def _example(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of the first example, none where there isn't one."""
    arguments: Mapping[str, Any] = next((each["arguments"] for each in value.get("examples", ())), {})
    return arguments


def _gives_file(output: Mapping[str, Any]) -> GivesFile:
    name = output.get("name")
    return GivesFile(output.get("when"), None if name is None else compile_text(name), output.get("base64"))


def _instead(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a function's file would say if it had only the other request."""
    listing = {key: each for key, each in value.items() if key not in (*_EXCHANGE, "instead")}
    return listing | {key: each for key, each in value["instead"].items() if key != "given"}


def _check_exchange(report: Report, value: Mapping[str, Any], app: AppParts) -> None:
    """Report what is wrong with a request and with how its answer is read."""
    keys = (("prepare", "prepared"), ("lookup", "lookup"), ("before", "before"))
    lacking = {root for key, root in keys if key not in value}
    looked_up = value.get("lookup", {}).get("gives", ())
    given = [name for each in value.get("before", ()) for name in each.get("gives", ())]
    names = Names(ROOTS_AT["request"] - lacking, app.variables, (), value["parameters"], looked_up, given)
    if "lookup" in value:
        check_look_up(report, value, app.variables, app.hosts)
    if "before" in value:
        check_before(report, value, app.variables, app.hosts)
    check_request(report, ("request",), value["request"], names, app.hosts)
    _check_hooks(report, value, app.hooks)
    _check_paging(report, value, app.pagination)
    _check_output(report, value)


def _check_instead(report: Report, value: Mapping[str, Any], app: AppParts) -> None:
    part = report.below("instead")
    given, known = value["instead"]["given"], value["parameters"]["properties"]
    if known.get(given, {}).get("type") != "string":
        part.add(("given",), f"there is no parameter '{given}' that takes a text{nearest(given, known)}")
    if "paginate" in value["instead"] and "paginate" not in value:
        part.add(("paginate",), "the function has no pages without it, so nobody asks for the next one")
    parameters = value["parameters"]
    always = {**parameters, "required": [*parameters.get("required", ()), given]}
    _check_exchange(part, {**_instead(value), "parameters": always}, app)


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


def _check_ways(report: Report, value: Mapping[str, Any], known: tuple[str, ...]) -> None:
    named = value.get("auth", ())
    for index, way in enumerate(named):
        if way not in known:
            hint = nearest(way, known) or f"; known are {', '.join(known)}"
            report.add(("auth", index), f"the connector has no way of signing in with the id '{way}'{hint}")
    if named and set(named) >= set(known):
        report.add(("auth",), "names all ways of signing in, which is so without it; leave it out")


def _check_kind(report: Report, value: Mapping[str, Any]) -> None:
    if value["type"] == "query" and value.get("destructive"):
        report.add(("destructive",), "a query destroys nothing; make it a mutation")
    if value["type"] == "mutation":
        for key in ("output", "paginate", "reshape", "instead", "lookup"):
            if key in value:
                report.add((key,), "only queries have it: of a mutation the whole answer to its request is relayed")
    elif "before" in value:
        report.add(("before",), "only mutations have it; a query has a 'lookup' for what it has to know")


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
    exchanges = [value, value["instead"]] if "instead" in value else [value]
    requests = [templates(exchange["request"]) for exchange in exchanges]
    prior = [*([value["lookup"]] if "lookup" in value else []), *value.get("before", ())]
    requests += [templates(each["request"]) for each in prior]
    used = [reference.keys for each in requests for _, reference in references(each) if reference.root == "args"]
    if () in used or any("prepare" in exchange for exchange in exchanges):  # which sees them all
        return
    used += [(name,) for each in exchanges if "output" in each for name in _named_in(each["output"])]
    narrowing = set(referred_by_sources(value["parameters"]))
    for name in value["parameters"]["properties"]:
        if name not in {keys[0] for keys in used} | narrowing:
            message = f"is neither sent by the request nor narrows choices; use ${{args.{name}}} there"
            report.add(("parameters", "properties", name), message)


def _named_in(output: str | Mapping[str, Any]) -> list[str]:
    """The arguments that an output refers to."""
    if isinstance(output, str):
        return compile_output(output).names
    named = [reference.keys[0] for _, reference in references(output.get("name", "")) if reference.keys]
    return [*named, *([output["when"]] if "when" in output else [])]


def _check_file_output(report: Report, value: Mapping[str, Any]) -> None:
    output, known = value["output"], value["parameters"]["properties"]
    for key in ("paginate", "reshape"):
        if key in value:
            report.add((key,), "means nothing where the answer is kept as a file")
    if "when" in output and known.get(output["when"], {}).get("type") != "boolean":
        report.add(("output", "when"), f"there is no parameter '{output['when']}' that is true or false")
    if "name" in output:
        check_template(report, ("output", "name"), output["name"], Names({"args"}, (), (), value["parameters"]))


def _check_output(report: Report, value: Mapping[str, Any]) -> None:
    if "output" not in value:
        return
    if isinstance(value["output"], Mapping):
        _check_file_output(report, value)
        return
    try:
        names = compile_output(value["output"]).names
    except OutputError as error:
        report.add(("output",), str(error))
        return
    known = value["parameters"]["properties"]
    for name in names:
        if name not in known:
            report.add(("output",), f"there is no parameter '{name}'{nearest(name, known)}")
