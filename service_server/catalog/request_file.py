"""The `request` of a function or of the connection test: checked and compiled to a request template."""

import re
from collections.abc import Mapping

from service_server.catalog.bodies import (
    BodyTemplate,
    File,
    FormBodyTemplate,
    GraphQLBodyTemplate,
    JsonBodyTemplate,
    MultipartBodyTemplate,
    RawBodyTemplate,
)
from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import SPREAD, Evaluate, Reference, compile_optional, compile_value, parse_text
from service_server.catalog.format.requests import DeclaredList, DeclaredOperation, DeclaredPart, DeclaredRequest
from service_server.catalog.problems import Report, nearest
from service_server.catalog.requests import BODY_METHODS, RequestTemplate, compile_path
from service_server.catalog.templates import Names, check_template, is_file
from service_server.onward.values import HostRules

_ORIGIN = re.compile(r"https?://[^/]+")
_GIVEN_ADDRESS = re.compile(r"\$\{(?:before|lookup)\.\w+\}")
_BASE_URL_ONLY = HostRules(())

# Comments and texts of a GraphQL document, in which a dollar sign means nothing.
_GRAPHQL_TEXT = re.compile(r'#[^\n]*|"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"')
_GRAPHQL_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_SET_BY_SERVICE = ("host", "content-length", "transfer-encoding", "connection", "authorization", "cookie")


def check_request(
    report: Report, path: KeyPath, request: DeclaredRequest, names: Names, hosts: HostRules = _BASE_URL_ONLY
) -> None:
    """Report what in a request means nothing or could not be sent; `hosts` are those beside the base URL's own."""
    before = len(report.problems)
    report = report.below(*path)
    for key, template in request.templates.items():
        check_template(report, (key,), template, names)
    _check_names(report, request)
    method, (origin, target) = request.method, _target(request)
    if origin is not None and not hosts.allows(origin):
        report.add((method,), f"{origin} can't be reached here; list its host in 'allow_hosts'")
    if len(report.problems) == before and _address(target) is None:
        try:
            compile_path(target)
        except ValueError as error:
            report.add((method,), str(error))
    _check_body(report, request, names)
    for name in request.headers:
        if name.lower() in _SET_BY_SERVICE:
            report.add(("headers", name), "is set by the service; credentials go under 'auth'")


def _check_names(report: Report, request: DeclaredRequest) -> None:
    parts: dict[str, Mapping[str, object]] = {"query": request.query, "headers": request.headers}
    for part, values in {**parts, "multipart": request.multipart or {}}.items():
        for name in values:
            if "${" in name:
                report.add((part, name), "an expression can be a key in a body or a form only")


def _check_body(report: Report, request: DeclaredRequest, names: Names) -> None:
    method, bodies = request.method.upper(), request.bodies
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


def compile_request(request: DeclaredRequest, headers: Mapping[str, str]) -> RequestTemplate:
    """Compile a checked request; `headers` are those of the app, which its own ones replace."""
    origin, target = _target(request)
    address = _address(target)
    own = {name.lower() for name in request.headers}
    all_headers = {name: value for name, value in headers.items() if name.lower() not in own} | {**request.headers}
    lists = {name: value for name, value in request.query.items() if isinstance(value, DeclaredList)}
    return RequestTemplate(
        method=request.method.upper(),
        segments=compile_path(target) if address is None else (),
        origin=origin,
        address=address,
        query={
            name: compile_value(value.value if isinstance(value, DeclaredList) else value)
            for name, value in request.query.items()
        },
        joins={name: value.join for name, value in lists.items() if value.join is not None},
        lists={name: value.lists for name, value in lists.items() if value.lists is not None},
        headers={name: compile_value(value) for name, value in all_headers.items()},
        body=_body(request),
    )


def _body(request: DeclaredRequest) -> BodyTemplate | None:
    if request.body is not None:
        return JsonBodyTemplate(compile_value(request.body))
    if request.form is not None:
        return FormBodyTemplate(compile_value(request.form), request.form_lists or "repeat")
    if request.multipart is not None:
        return MultipartBodyTemplate({name: _part(part) for name, part in request.multipart.items()})
    if (operation := request.graphql) is not None:
        return GraphQLBodyTemplate(operation.query, compile_value(operation.variables))
    if (raw := request.raw) is not None:
        return RawBodyTemplate(compile_value(raw.content), compile_optional(raw.type), raw.encoding)
    return None


def _part(part: str | float | DeclaredPart) -> Evaluate | File:
    if not isinstance(part, DeclaredPart):
        return compile_value(part)
    return File(compile_value(part.file), compile_optional(part.name), part.type, part.encoding)


def _address(target: str) -> Reference | None:
    """Return what stands for a whole address that the app gave before, None where the target is a path."""
    parts = parse_text(target) if _GIVEN_ADDRESS.fullmatch(target) else ()
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Reference) else None


def _target(request: DeclaredRequest) -> tuple[str | None, str]:
    """Return the origin, where the request names one, and the path."""
    match = _ORIGIN.match(request.target)
    return (None, request.target) if match is None else (match[0], request.target[match.end() :])
