"""What of a `request`, and of those that come before one, the form can't tell."""

import re
from collections.abc import Iterable

from service_server.catalog.bodies import DeclaredOperation, DeclaredPart
from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import SPREAD, names_in
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.prior_requests import LookUp, PriorStep
from service_server.catalog.problems import Report, nearest
from service_server.catalog.requests import BODY_METHODS, Request, check_path
from service_server.catalog.templates import ROOTS_AT, Names, check_template, is_file
from service_server.onward.values import HostRules

_BASE_URL_ONLY = HostRules(())

# Comments and texts of a GraphQL document, in which a dollar sign means nothing.
_GRAPHQL_TEXT = re.compile(r'#[^\n]*|"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"')
_GRAPHQL_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_SET_BY_SERVICE = ("host", "content-length", "transfer-encoding", "connection", "authorization", "cookie")


def check_request(
    report: Report, path: KeyPath, request: Request, names: Names, hosts: HostRules = _BASE_URL_ONLY
) -> None:
    """Report what in a request means nothing or could not be sent; `hosts` are those beside the base URL's own."""
    before = len(report.problems)
    report = report.below(*path)
    for key, template in request.templates.items():
        check_template(report, (key,), template, names)
    for part in ("query", "headers", "multipart"):
        for name in getattr(request, part) or ():
            if "${" in name:
                report.add((part, name), "an expression can be a key in a body or a form only")
    method, origin = request.method, request.origin
    if origin is not None and not hosts.allows(origin):
        report.add((method,), f"{origin} can't be reached here; list its host in 'allow_hosts'")
    if len(report.problems) == before and request.address is None:
        with report.telling((method,)):
            check_path(request.path)
    _check_body(report, request, names)
    for name in request.headers:
        if name.lower() in _SET_BY_SERVICE:
            report.add(("headers", name), "is set by the service; credentials go under 'auth'")


def _check_body(report: Report, request: Request, names: Names) -> None:
    method = request.method.upper()
    bodies = [key for key in ("body", "form", "multipart", "graphql", "raw") if getattr(request, key) is not None]
    if bodies and method not in BODY_METHODS:
        report.add((bodies[0],), f"a {method} request has no body")
    if len(bodies) > 1:
        report.add((bodies[1],), f"a request has one body, and there is a '{bodies[0]}' already")
    if request.form_lists is not None and request.form is None:
        report.add(("form_lists",), "says how a 'form' writes its lists, and there is none")
    # What is no given file has to say of which media type it is.
    if request.raw is not None and request.raw.type is None and not is_file(request.raw.content, names):
        report.add(("raw",), "needs the 'type' of what is sent")
    for name, part in (request.multipart or {}).items():
        if isinstance(part, DeclaredPart) and part.type is None and not is_file(part.file, names):
            report.add(("multipart", name), "needs the 'type' of what is sent")
    if request.graphql is not None:
        _check_graphql(report, request.method, request.graphql)


def _check_graphql(report: Report, method: str, operation: DeclaredOperation) -> None:
    if method != "post":
        report.add((method,), "a GraphQL operation is sent with post")
    known = set(_GRAPHQL_VARIABLE.findall(_GRAPHQL_TEXT.sub("", operation.query)))
    for name in operation.variables:
        if name != SPREAD and name not in known:
            report.add(("graphql", "variables", name), f"the query has no ${name}{nearest(name, known)}")


def check_look_up(report: Report, declared: LookUp, function: DeclaredFunction, app: DeclaredConnector) -> None:
    """Report what is wrong with the look-up of a function's file."""
    names = Names(ROOTS_AT["lookup.request"], {"vars": app.variables}, function.parameters)
    check_request(report, ("lookup", "request"), declared.request, names, app.hosts)
    _check_gives(report.below("lookup"), declared.gives, names_in(function.request.templates, "lookup"), "lookup")


def check_before(report: Report, function: DeclaredFunction, app: DeclaredConnector, *, used_by_hook: bool) -> None:
    """Report what is wrong with the requests before a function's own; what they give its hook alone may use."""
    given = set[str]()
    names = Names(ROOTS_AT["before[].request"], {"vars": app.variables, "before": given}, function.parameters)
    for position, step in enumerate(function.before):
        part = report.below("before", position)
        check_request(part, ("request",), step.request, names, app.hosts)
        _check_given(part, step, function, used_by_hook=used_by_hook)
        following = [*(each.request for each in function.before[position + 1 :]), function.request]
        used = step.gives if used_by_hook else names_in([each.templates for each in following], "before")
        _check_gives(part, step.gives, used, "before")
        for name in given & step.gives.keys():
            report.add(("before", position, "gives", name), "is given by an earlier request already")
        given.update(step.gives)


def _check_given(report: Report, step: PriorStep, function: DeclaredFunction, *, used_by_hook: bool) -> None:
    known, required = function.parameters["properties"], function.parameters.get("required", ())
    for position, name in enumerate(step.given):
        if name not in known:
            report.add(("given", position), f"there is no parameter '{name}'{nearest(name, known)}")
        elif name in required:
            report.add(("given", position), f"'{name}' is always given; leave `given` out")
    if step.given and not used_by_hook:
        report.add(("given",), "what it gives isn't always there, which only a hook can tell; name one under `prepare`")


def _check_gives(report: Report, gives: Iterable[str], used: Iterable[str], root: str) -> None:
    for name in gives:
        if name not in used:
            report.add(("gives", name), f"nothing in the request uses it; write ${{{root}.{name}}} there")
