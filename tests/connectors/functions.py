"""What functions of shipped connectors make of arguments and of answers, without an account."""

import json
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest, PreparedRequest
from service_server.catalog.output import listed
from service_server.catalog.values import FunctionDefinition
from service_server.onward.values import OnwardRequest, OnwardResponse
from tests.connectors.building import connector_of, prior_requests_of, request_of
from tests.connectors.descriptions.sent import Sent


def function_of(name: str) -> FunctionDefinition:
    """Return a function by its full name."""
    return connector_of(name.partition("-")[0]).functions[name]


def request(name: str, /, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    function = function_of(name)
    return request_of(connector_of(function.app_name), function, arguments)


def prior(name: str, /, **arguments: Any) -> OnwardRequest:
    """Build the one request that comes before that of a function."""
    function = function_of(name)
    (only,) = prior_requests_of(connector_of(function.app_name), function, arguments)
    return only


def body(name: str, /, **arguments: Any) -> Any:
    """Return the body that a function sends: JSON or a form."""
    return Sent.of(request(name, **arguments)).body


def query_in(url: str) -> dict[str, str]:
    """Return the query of an address, in which each name stands once."""
    return {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}


def query(name: str, /, **arguments: Any) -> dict[str, str]:
    """Return the query that a function sends."""
    return query_in(request(name, **arguments).url)


def path(name: str, /, **arguments: Any) -> str:
    """Return the path that a function's request goes to, decoded."""
    return unquote(urlsplit(request(name, **arguments).url).path)


def refused_at(name: str, /, **arguments: Any) -> str | None:
    """Return the field at which arguments are refused before anything is sent."""
    with pytest.raises(InvalidRequest) as problem:
        request(name, **arguments)
    return problem.value.field


def prepared(name: str, arguments: dict[str, Any], *found: dict[str, Any]) -> Any:
    """Return what a function's hook makes of arguments, and of what was asked before."""
    made = function_of(name).request
    assert isinstance(made, PreparedRequest)
    assert made.prepare is not None
    return made.prepare(arguments, *found)


def read(name: str, answer: Any, /, **arguments: Any) -> Any:
    """Return what a function makes of an answer."""
    return function_of(name).given(arguments).pick(answer)


def response(content: Any, status: int = 200, **headers: str) -> OnwardResponse:
    """Return an app's answer in JSON."""
    return OnwardResponse(status, headers, json.dumps(content).encode(), "https://app.example.com/")


def next_position(name: str, answer: OnwardResponse, /, **arguments: Any) -> Any:
    """Return the position of the page after an answer, None where that was the last one."""
    function, content = function_of(name), json.loads(answer.body)
    assert function.pagination is not None
    asked = request(name, **arguments)
    answer = OnwardResponse(answer.status, answer.headers, answer.body, asked.url)
    items = listed(content, function.picker, function.pick(content))
    return function.pagination.following(None, asked, answer, content, items).position


def request_at(name: str, position: Any, /, **arguments: Any) -> OnwardRequest:
    """Build the request for a later page."""
    pagination = function_of(name).pagination
    assert pagination is not None
    return pagination.apply(request(name, **arguments), position)
