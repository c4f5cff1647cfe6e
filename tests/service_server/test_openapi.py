"""`/openapi.json` is true to the running service, whatever is sent to it."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar.handlers import HTTPRouteHandler

from service_client.models import CONVERTER, Code, ErrorEnvelope
from service_server.app import ROUTES
from tests.service_server.generated_requests import (
    ADMIN,
    Operation,
    Sender,
    description_of,
    operations_of,
    requests_with_known_names,
    schema_of,
    sender,
    wrong_requests,
)
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

EXAMPLES = 15
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


@pytest.fixture(scope="module")
def operations(described: RunningService, document: dict[str, Any]) -> list[Operation]:
    """The same, for Schemathesis."""
    return operations_of(schema_of(described, document))


@pytest.fixture
def tester(described: RunningService) -> Iterator[Sender]:
    """What sends requests as a user and as an operator."""
    with sender(described, "tester") as sending:
        yield sending


def test_answers_are_as_described(operations: list[Operation], tester: Sender) -> None:
    """
    Right and wrong requests to every operation get an answer that the description knows, and never a 5xx.

    One as described may be refused for what it asks for, never for how it is written: but for calls, whose arguments
    are described by their functions.
    """
    fitting = Counter[str]()

    def answer(case: schemathesis.Case) -> None:
        response = tester.send(case)
        tester.check(case, response)
        if case.operation.path.endswith(CALLS) and case.operation.method != "get":
            return
        fitting[case.operation.label] += 1
        if response.status_code != 400:
            return
        for detail in response.json()["error_details"]:
            if not (detail["field"] or "").startswith(ASKED_FOR):
                assert detail["code"] not in FORMS, (case.as_curl_command(), detail)

    for operation in operations:
        try_out(wrong_requests(operation), tester.try_out)
        try_out(requests_with_known_names(operation), answer)

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


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/session_tokens", {"expires_in": 0}, "expires_in"),
        ("/session_tokens", {"expires_in": 86_401}, "expires_in"),
        ("/session_tokens", {"apps": ["x"] * 501}, "apps"),
        ("/session_tokens", {"apps": ["sandbox", "Not-an-app"]}, "apps[1]"),
        ("/session_tokens", {"functions": ["a-" + "b" * 63]}, "functions[0]"),
        ("/session_tokens", {"origin": "https://x.example/" + "p" * 300}, "origin"),
        ("/apps/sandbox/connect_sessions", {"connected_account_id": 0}, "connected_account_id"),
        ("/apps/sandbox/connect_sessions", {"connected_account_id": 2**53}, "connected_account_id"),
        ("/apps/sandbox/connect_sessions", {"redirect_url": "ftp://x.example"}, "redirect_url"),
    ],
)
def test_limits_of_bodies_are_kept(described: RunningService, path: str, body: dict[str, Any], field: str) -> None:
    """What is over a described limit is refused at its place, in JSON and in a form."""
    with described.api("tester") as api:
        detail = read_envelope(api.post(path, json=body)).error_details[0]
        form = {f"{name}[]" if isinstance(value, list) else name: value for name, value in body.items()}
        in_form = read_envelope(api.post(path, data=form)).error_details[0]

    assert (Code.FORMAT, field) == (detail.code, detail.field) == (in_form.code, in_form.field)


@pytest.mark.parametrize("name", ["", "a[b", "n" * 101])
def test_names_in_objects_have_their_form(described: RunningService, tester: Sender, name: str) -> None:
    """What a form couldn't hold is refused in JSON, too, at its field."""
    with http(described.url) as operator:
        answer = operator.post("/admin/apps/sandbox", json={"variables": {name: "x"}}, headers=tester.of_key)
        (detail,) = read_envelope(answer).error_details

    assert (Code.FORMAT, "variables") == (detail.code, detail.field)


@pytest.mark.parametrize(
    "path",
    [
        "/apps?cursor=" + "x" * 2001,
        "/functions?app=" + "x" * 4001,
        "/functions?connected_account_id=0",
        f"/functions?connected_account_id={2**53}",
        "/connect_sessions/x?wait=26",
    ],
)
def test_limits_of_parameters_are_kept(described: RunningService, path: str) -> None:
    """What is over a described limit is refused at its parameter."""
    with described.api("tester") as api:
        (detail,) = read_envelope(api.get(path)).error_details

    assert (Code.FORMAT, path.partition("?")[2].partition("=")[0]) == (detail.code, detail.field)


def try_out(cases: st.SearchStrategy[schemathesis.Case], answer: Callable[[schemathesis.Case], None]) -> None:
    """Send some of these requests."""
    limits = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    limits(given(case=cases)(answer))()


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


def test_every_error_has_the_envelope(described: RunningService, document: dict[str, Any]) -> None:
    """Unknown paths, wrong methods, missing credentials and refused input are all told in the same form."""
    with described.api("tester") as known, http(described.url) as anonymous:
        answers = {
            Code.NOT_FOUND: known.get("/nothing/here"),
            Code.METHOD_NOT_ALLOWED: known.patch("/apps"),
            Code.UNKNOWN_APP: known.get("/apps/nothing"),
            Code.UNKNOWN_FUNCTION: known.post("/functions/sandbox-nothing"),
            Code.UNKNOWN_CONNECT_SESSION: known.get("/connect_sessions/none"),
            Code.UNKNOWN_FILE: known.get("/files/none"),
            Code.NOT_CONNECTED: known.post("/functions/sandbox-list-projects"),
            Code.TYPE: known.get("/apps", params={"connected_only": "maybe"}),
            Code.ENUM: known.get("/functions", params={"type": "anything"}),
            Code.BAD_CURSOR: known.get("/apps", params={"cursor": "forged"}),
            Code.MALFORMED_BODY: known.post(
                "/session_tokens", content=b"{", headers={"Content-Type": "application/json"}
            ),
            Code.UNSUPPORTED_MEDIA_TYPE: known.post("/session_tokens", content=b"<a/>"),
            Code.BODY_TOO_LARGE: known.post("/session_tokens", content=b" " * 1_100_000),
            Code.UNAUTHENTICATED: anonymous.get("/apps"),
        }

    for code, answer in answers.items():
        envelope = read_envelope(answer)
        assert code in {detail.code for detail in envelope.error_details}, answer.text
        assert 400 <= answer.status_code < 500


def test_every_operation_needs_credentials(described: RunningService, document: dict[str, Any]) -> None:
    """Without them, or with wrong ones, nothing but the same 401 is answered, whatever is asked for."""
    wrong = {**described.headers("anybody"), "Hash": "0" * 64}
    with http(described.url) as anonymous:
        for path, methods in document["paths"].items():
            filled = re.sub(r"{[a-z_]+}", "1", path) if path != PASSTHROUGH else "/sandbox-passthrough-request"
            # Wrong keys of the admin API are slowed down; that each route refuses them is tried in rest/admin.
            for method, headers in itertools.product(methods, [{}] if path.startswith(ADMIN) else [{}, wrong]):
                answer = anonymous.request(method, filled, headers=headers)
                codes = [detail.code for detail in read_envelope(answer).error_details]
                assert (401, ["unauthenticated"]) == (answer.status_code, codes), (method, path)


def read_envelope(answer: httpx.Response) -> ErrorEnvelope:
    """The error of an answer, which has every key of the envelope and the request's own id."""
    body = answer.json()
    assert {"error", "error_details", "request_id"} == set(body)
    assert all({"field", "code", "message", "action"} == set(detail) for detail in body["error_details"])
    assert answer.headers["request-id"] == body["request_id"]
    assert "application/json" == answer.headers["content-type"].partition(";")[0]
    return CONVERTER.structure(body, ErrorEnvelope)
