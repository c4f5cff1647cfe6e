"""GitHub's connector against GitHub's own OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from openapi_core import Config, OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest

from service_server.catalog.load import SHIPPED, load_connector
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.onward.values import OnwardRequest
from tests.connectors.arguments import every_argument
from tests.connectors.vendor_descriptions import GITHUB

FUNCTIONS = sorted(path.stem for path in (SHIPPED / "github" / "functions").glob("*.yaml"))


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """GitHub's description, fetched before."""
    if not GITHUB.file.exists():
        pytest.skip("GitHub's description isn't fetched: run python -m tests.connectors.vendor_descriptions")
    return GITHUB.read()


@pytest.fixture(scope="module")
def openapi(description: dict[str, Any]) -> OpenAPI:
    """What validates requests against the description; the description itself is taken as it is."""
    return OpenAPI.from_dict(description, config=Config(spec_validator_cls=None))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def github() -> Connector:
    """The shipped connector."""
    connector, problems = load_connector(SHIPPED / "github")
    assert [] == problems
    assert connector is not None
    return connector


def built(connector: Connector, function: FunctionDefinition, arguments: dict[str, Any]) -> OnwardRequest:
    """Build the request for the first page."""
    context = {"args": arguments, "vars": {}}
    request = function.request.build(connector.base_url(context), context)
    return request if function.pagination is None else function.pagination.apply(request, None)


@pytest.mark.parametrize("stem", FUNCTIONS)
def test_requests_follow_the_description(stem: str, github: Connector, openapi: OpenAPI) -> None:
    """Every function's request, with its examples' arguments and with all arguments, is one that GitHub describes."""
    function = github.functions[f"github-{stem}"]
    for arguments in [*(arguments for _, arguments in function.examples), every_argument(function)]:
        request = built(github, function, arguments)
        url = urlsplit(request.url)
        openapi.validate_request(
            MockRequest(
                f"{url.scheme}://{url.netloc}",
                request.method.lower(),
                unquote(url.path),
                args=parse_qs(url.query),
                data=request.body or None,
                content_type=dict(request.headers).get("content-type", "application/json"),
                headers=dict(request.headers),
            )
        )


@pytest.mark.parametrize("stem", FUNCTIONS)
def test_every_name_sent_is_declared(stem: str, github: Connector, description: dict[str, Any]) -> None:
    """No function sends a query parameter or a key of the body that GitHub's description doesn't know."""
    function = github.functions[f"github-{stem}"]
    request = built(github, function, every_argument(function))
    operation = operation_of(description, request)

    declared = [resolved(description, parameter) for parameter in operation.get("parameters", [])]
    queries = {parameter["name"] for parameter in declared if parameter["in"] == "query"}
    assert set() == set(parse_qs(urlsplit(request.url).query)) - queries
    if request.body:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert set() == set(json.loads(request.body)) - set(property_names(description, schema))


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/repos/a/b/issues", b"{}", "title"),
        ("/repos/a/b/issues", b'{"title": "x", "labels": "bug"}', "array"),
        ("/repos/a/b/isues", b'{"title": "x"}', "Path not found"),
    ],
)
def test_a_wrong_request_is_noticed(path: str, body: bytes, error: str, openapi: OpenAPI) -> None:
    """The description does refuse a request that lacks a key, has one of a wrong type or goes to an unknown path."""
    with pytest.raises(OpenAPIError, match=error):
        openapi.validate_request(MockRequest("https://api.github.com", "post", path, data=body))


def operation_of(description: dict[str, Any], request: OnwardRequest) -> dict[str, Any]:
    """Find the described operation: of several paths that fit, the one with the fewest parameters."""
    path = urlsplit(request.url).path.split("/")
    fitting = [
        (template.count("{"), operations[request.method.lower()])
        for template, operations in description["paths"].items()
        if request.method.lower() in operations
        and len(parts := template.split("/")) == len(path)
        and all(part == given or part.startswith("{") for part, given in zip(parts, path, strict=True))
    ]
    assert fitting, f"{request.method} {request.url} is not described"
    operation: dict[str, Any] = min(fitting, key=lambda pair: pair[0])[1]
    return operation


def resolved(description: dict[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references until there is none."""
    while "$ref" in value:
        target: Any = description
        for key in value["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        value = target
    return value


def property_names(description: dict[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names an object may have, in any of the schema's alternatives."""
    schema = resolved(description, schema)
    yield from schema.get("properties", {})
    for keyword in ("oneOf", "anyOf", "allOf"):
        for option in schema.get(keyword, ()):
            yield from property_names(description, option)
