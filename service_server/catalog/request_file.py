"""The `request` of a function or of the connection test: checked and compiled to a request template."""

import re
from collections.abc import Mapping
from typing import Any

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
from service_server.catalog.expressions import SPREAD, Evaluate, Reference, compile_value, parse_text
from service_server.catalog.problems import Report, nearest
from service_server.catalog.requests import BODY_METHODS, METHODS, RequestTemplate, compile_path
from service_server.catalog.templates import Names, check_template, is_file
from service_server.onward.values import HostRules

_ORIGIN = re.compile(r"https?://[^/]+")
_GIVEN_ADDRESS = re.compile(r"\$\{(?:before|lookup)\.\w+\}")
_BASE_URL_ONLY = HostRules(())

# Comments and texts of a GraphQL document, in which a dollar sign means nothing.
_GRAPHQL_TEXT = re.compile(r'#[^\n]*|"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"')
_GRAPHQL_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


def check_request(
    report: Report, path: KeyPath, request: Mapping[str, Any], names: Names, hosts: HostRules = _BASE_URL_ONLY
) -> None:
    """Report what in a request means nothing or could not be sent; `hosts` are those beside the base URL's own."""
    before = len(report.problems)
    for key, template in templates(request).items():
        check_template(report, (*path, key), template, names)
    _check_names(report, path, request)
    method, origin, target = _target(request)
    if origin is not None and not hosts.allows(origin):
        report.add((*path, method.lower()), f"{origin} can't be reached here; list its host in 'allow_hosts'")
    if len(report.problems) == before and _address(target) is None:
        try:
            compile_path(target)
        except ValueError as error:
            report.add((*path, method.lower()), str(error))
    bodies = [key for key in ("body", "form", "multipart", "graphql", "raw") if key in request]
    if bodies and method not in BODY_METHODS:
        report.add((*path, bodies[0]), f"a {method} request has no body")
    if len(bodies) > 1:
        report.add((*path, bodies[1]), f"a request has one body, and there is a '{bodies[0]}' already")
    if "form_lists" in request and "form" not in request:
        report.add((*path, "form_lists"), "says how a 'form' writes its lists, and there is none")
    _check_media_types(report, path, request, names)
    if "graphql" in request:
        _check_graphql(report, path, method, request["graphql"])
    for name in request.get("headers", {}):
        if name.lower() in ("host", "content-length", "transfer-encoding", "connection", "authorization", "cookie"):
            report.add((*path, "headers", name), "is set by the service; credentials go under 'auth'")


def _check_media_types(report: Report, path: KeyPath, request: Mapping[str, Any], names: Names) -> None:
    """What is no given file has to say of which media type it is."""
    raw, parts = request.get("raw"), request.get("multipart", {})
    if raw is not None and "type" not in raw and not is_file(raw["content"], names):
        report.add((*path, "raw"), "needs the 'type' of what is sent")
    for name, part in parts.items():
        if isinstance(part, Mapping) and "type" not in part and not is_file(part["file"], names):
            report.add((*path, "multipart", name), "needs the 'type' of what is sent")


def _check_names(report: Report, path: KeyPath, request: Mapping[str, Any]) -> None:
    for part in ("query", "headers", "multipart"):
        for name in request.get(part, {}):
            if "${" in name:
                report.add((*path, part, name), "an expression can be a key in a body or a form only")


def templates(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a request can hold expressions: all but the text of a GraphQL operation."""
    operation = request.get("graphql")
    if operation is None:
        return dict(request)
    return {**request, "graphql": {key: value for key, value in operation.items() if key != "query"}}


def _check_graphql(report: Report, path: KeyPath, method: str, operation: Mapping[str, Any]) -> None:
    if method != "POST":
        report.add((*path, method.lower()), "a GraphQL operation is sent with post")
    known = set(_GRAPHQL_VARIABLE.findall(_GRAPHQL_TEXT.sub("", operation["query"])))
    for name in operation.get("variables", {}):
        if name != SPREAD and name not in known:
            report.add((*path, "graphql", "variables", name), f"the query has no ${name}{nearest(name, known)}")


def compile_request(request: Mapping[str, Any], headers: Mapping[str, str]) -> RequestTemplate:
    """Compile a checked request; `headers` are those of the app, which its own ones replace."""
    method, origin, target = _target(request)
    query = request.get("query", {})
    own = {name.lower() for name in request.get("headers", {})}
    all_headers = {name: value for name, value in headers.items() if name.lower() not in own} | request.get(
        "headers", {}
    )
    written = {name: value for name, value in query.items() if isinstance(value, dict)}
    return RequestTemplate(
        method=method,
        segments=() if (address := _address(target)) is not None else compile_path(target),
        origin=origin,
        address=address,
        query={
            name: compile_value(value["value"] if isinstance(value, dict) else value) for name, value in query.items()
        },
        joins={name: value["join"] for name, value in written.items() if "join" in value},
        lists={name: value["lists"] for name, value in written.items() if "lists" in value},
        headers={name: compile_value(value) for name, value in all_headers.items()},
        body=_body(request),
    )


def _body(request: Mapping[str, Any]) -> BodyTemplate | None:
    if "body" in request:
        return JsonBodyTemplate(compile_value(request["body"]))
    if "form" in request:
        return FormBodyTemplate(compile_value(request["form"]), request.get("form_lists", "repeat"))
    if "multipart" in request:
        return MultipartBodyTemplate({name: _part(part) for name, part in request["multipart"].items()})
    if "graphql" in request:
        operation = request["graphql"]
        return GraphQLBodyTemplate(operation["query"], compile_value(operation.get("variables", {})))
    if "raw" in request:
        raw = request["raw"]
        media_type = compile_value(raw["type"]) if "type" in raw else None
        return RawBodyTemplate(compile_value(raw["content"]), media_type, raw.get("encoding", "text"))
    return None


def _part(part: Any) -> Evaluate | File:
    if not isinstance(part, Mapping):
        return compile_value(part)
    name = compile_value(part["name"]) if "name" in part else None
    return File(compile_value(part["file"]), name, part.get("type"), part.get("encoding", "text"))


def _address(target: str) -> Reference | None:
    """Return what stands for a whole address that the app gave before, None where the target is a path."""
    parts = parse_text(target) if _GIVEN_ADDRESS.fullmatch(target) else ()
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Reference) else None


def _target(request: Mapping[str, Any]) -> tuple[str, str | None, str]:
    """Return the method, the origin where the request names one, and the path."""
    method, target = next((key.upper(), value) for key, value in request.items() if key.upper() in METHODS)
    match = _ORIGIN.match(target)
    return (method, None, target) if match is None else (method, match[0], target[match.end() :])
