"""The `request` of a function or of the connection test: checked and compiled to a request template."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import compile_value
from service_server.catalog.problems import Report
from service_server.catalog.requests import BODY_METHODS, METHODS, RequestTemplate, compile_path
from service_server.catalog.templates import Names, check_template


def check_request(report: Report, path: KeyPath, request: Mapping[str, Any], names: Names) -> None:
    """Report what in a request means nothing or could not be sent."""
    before = len(report.problems)
    for key, template in request.items():
        check_template(report, (*path, key), template, names)
    method, target = _target(request)
    if len(report.problems) == before:
        try:
            compile_path(target)
        except ValueError as error:
            report.add((*path, method.lower()), str(error))
    bodies = [key for key in ("body", "form") if key in request]
    if bodies and method not in BODY_METHODS:
        report.add((*path, bodies[0]), f"a {method} request has no body")
    if len(bodies) > 1:
        report.add((*path, bodies[1]), "a request has one body: either 'body' or 'form'")
    for name in request.get("headers", {}):
        if name.lower() in ("host", "content-length", "transfer-encoding", "connection", "authorization", "cookie"):
            report.add((*path, "headers", name), "is set by the service; credentials go under 'auth'")


def compile_request(request: Mapping[str, Any], headers: Mapping[str, str]) -> RequestTemplate:
    """Compile a checked request; `headers` are those of the app, which its own ones replace."""
    method, target = _target(request)
    query = request.get("query", {})
    own = {name.lower() for name in request.get("headers", {})}
    all_headers = {name: value for name, value in headers.items() if name.lower() not in own} | request.get(
        "headers", {}
    )
    body = request.get("form", request.get("body"))
    return RequestTemplate(
        method=method,
        segments=compile_path(target),
        query={
            name: compile_value(value["value"] if isinstance(value, dict) else value) for name, value in query.items()
        },
        joins={name: value["join"] for name, value in query.items() if isinstance(value, dict)},
        headers={name: compile_value(value) for name, value in all_headers.items()},
        body=None if body is None else compile_value(body),
        body_kind="form" if "form" in request else "json",
    )


def _target(request: Mapping[str, Any]) -> tuple[str, str]:
    return next((key.upper(), value) for key, value in request.items() if key.upper() in METHODS)
