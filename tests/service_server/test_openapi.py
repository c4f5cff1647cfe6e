"""`/openapi.json` is true to the running service, whatever is sent to it."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from litestar.handlers import HTTPRouteHandler

from service_server.app import ROUTES
from tests.service_server.generated_requests import (
    ADMIN,
    Case,
    description_of,
    operations_of,
    requests_with_known_names,
    schema_of,
    sender,
    wrong_requests,
)
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

EXAMPLES = 5  # the benchmark `reliability` sends thousands
PASSTHROUGH = "/{app_name}-passthrough-request"
CALLS = ("/functions/{function_name}", "/functions/{function_name}/call", PASSTHROUGH)
# Pages and files for browsers, and what is there for machines about the API.
NOT_API = re.compile(
    r"/(first_screens$|console|connect/|oauth/|assets/|servicejs/|pyodide/|icons/|health$|ready$|mcp$|\.well-known/|openapi\.json$|$)"
)
# What says that a request is not written as it should be.
FORMS = {"required", "type", "enum", "format", "unknown_parameter", "malformed_body"}
# Where made-up values are refused because there is no such function or origin.
ASKED_FOR = ("redirect_url", "return_url", "functions[")


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service whose users have no accounts."""
    with service(tmp_path_factory.mktemp("openapi")) as started:
        yield started


@pytest.fixture(scope="module")
def document(described: RunningService) -> dict[str, Any]:
    """The description that the service gives of itself, without credentials."""
    return description_of(described)


def test_answers_are_as_described(described: RunningService, document: dict[str, Any]) -> None:
    """
    Right and wrong requests to every operation get an answer that the description knows, and never a 5xx.

    One as described may be refused for what it asks for, never for how it is written: but for calls, whose arguments
    are described by their functions.
    """
    fitting = set[str]()
    limits = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

    def answer(case: Case) -> None:
        response = tester.send(case)
        tester.check(case, response)
        if case.operation.path.endswith(CALLS) and case.operation.method != "get":
            return
        fitting.add(case.operation.label)
        for detail in response.json()["error_details"] if response.status_code == 400 else ():
            if not (detail["field"] or "").startswith(ASKED_FOR):
                assert detail["code"] not in FORMS, (case.as_curl_command(), detail)

    with sender(described, "tester") as tester:
        for operation in operations_of(schema_of(described, document)):
            limits(given(case=wrong_requests(operation))(tester.try_out))()
            limits(given(case=requests_with_known_names(operation))(answer))()

    # Who only ever gets errors has tried nothing.
    assert {200, 201, 400, 404} <= set(tester.statuses)
    assert 10 <= len(fitting)


def test_everything_has_its_limits(document: dict[str, Any]) -> None:
    """Each text of a parameter or a body has a longest form, a pattern or its choices; each number is bounded."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            schemas = {each["name"]: each["schema"] for each in operation.get("parameters", ())}
            content = operation.get("requestBody", {"content": {}})["content"]
            schemas |= content.get("application/json", {"schema": {}})["schema"].get("properties", {})
            for name, schema in schemas.items():
                assert has_limits(schema), (path, name, schema)


def has_limits(schema: dict[str, Any]) -> bool:
    """Whether a schema says how long, how many or how large."""
    match schema["type"]:
        case "string":
            return bool({"maxLength", "pattern", "enum"} & set(schema))
        case "integer" | "number":
            return {"minimum", "maximum"} <= set(schema)
        case "array":
            return "maxItems" in schema and has_limits(schema["items"])
        case "object":
            return "maxProperties" in schema
    return bool(schema["type"] == "boolean")


def test_every_route_of_the_api_is_described(document: dict[str, Any]) -> None:
    """What the application serves outside of pages and files is in the document, and nothing else is."""
    served = {
        (re.sub(r":[a-z]+}", "}", path), method)
        for handler in ROUTES
        if isinstance(handler, HTTPRouteHandler)
        for path, method in itertools.product(handler.paths, handler.http_methods)
        if method not in ("OPTIONS", "HEAD") and not NOT_API.match(path)
    }
    described = {(path, method.upper()) for path, operations in document["paths"].items() for method in operations}

    assert served | {(PASSTHROUGH, "POST")} == described


def test_bodies_are_described_in_both_forms(document: dict[str, Any]) -> None:
    """Every POST of our own tells what it takes as JSON and as a form; the passthrough paths take the same."""
    bodies = {
        path: operations["post"]["requestBody"]
        for path, operations in document["paths"].items()
        if "post" in operations
        and operations["post"]["tags"] != ["Integry's paths"]
        and not path.endswith(("/batch", "/files"))
        and not path.startswith(ADMIN)
    }

    assert 5 == len(bodies)
    assert {("application/json", "application/x-www-form-urlencoded")} == {
        tuple(each["content"]) for each in bodies.values()
    }
    assert bodies["/functions/{function_name}"] == bodies[PASSTHROUGH]
    session = bodies["/apps/{app_name}/connect_sessions"]["content"]["application/json"]["schema"]
    looks = {"locale", "theme", "accent"}
    assert {"redirect_url", "return_url", "connected_account_id", "functions", "expires_in", *looks} == set(
        session["properties"]
    )


def test_credentials_are_described(document: dict[str, Any]) -> None:
    """The three headers together, or a session token."""
    schemes = document["components"]["securitySchemes"]
    together, token = document["security"]

    assert {"App-Key", "Hash", "User-ID"} == {schemes[name]["name"] for name in together}
    assert ["bearer"] == [schemes[name]["scheme"] for name in token]


def test_every_operation_needs_credentials(described: RunningService, document: dict[str, Any]) -> None:
    """Without them, or with wrong ones, nothing but the same 401 is answered, whatever is asked for."""
    wrong = {**described.headers("anybody"), "Hash": "0" * 64}
    with http(described.url) as anonymous:
        for path, methods in document["paths"].items():
            filled = re.sub(r"{[a-z_]+}", "1", path) if path != PASSTHROUGH else "/sandbox-passthrough-request"
            # Wrong keys of the admin API are slowed down; that each route refuses them is tried in rest/admin.
            for method, headers in itertools.product(methods, [{}] if path.startswith(ADMIN) else [{}, wrong]):
                answer = anonymous.request(method, filled, headers=headers)
                codes = [detail["code"] for detail in answer.json()["error_details"]]
                assert (401, ["unauthenticated"]) == (answer.status_code, codes), (method, path)
