"""Defaults that a request sends itself, where an app insists on a value that nobody has to give."""

from pathlib import Path
from typing import Any

from service_server.catalog.values import FunctionDefinition
from tests.service_server.catalog.connector_folder import ConnectorFolder, function_with, parameter

BASE = "https://api.acme.example"


def sorting(order: str, **more: Any) -> ConnectorFolder:
    """Return a connector with a query whose order has a default; how it is referred to is given."""
    return function_with(
        request={"get": "/things", "query": {"order": order}},
        parameters={"type": "object", "properties": {"order": parameter(default="up", enum=["up", "down"])}},
        **more,
    )


def url(function: FunctionDefinition, **given: Any) -> str:
    """Return where the function's request goes."""
    return function.request.build(BASE, {"args": given, "vars": {}}).url


def test_a_default_is_sent_where_nobody_gave_a_value(tmp_path: Path) -> None:
    """A reference without a `?` sends the default of a parameter that isn't required, or what was given."""
    function = sorting("${args.order}").loaded(tmp_path).functions["acme-find"]

    assert f"{BASE}/things?order=up" == url(function)
    assert f"{BASE}/things?order=down" == url(function, order="down")
    assert [] == function.parameters["required"]


def test_the_default_of_an_app_is_left_to_it(tmp_path: Path) -> None:
    """A reference with a `?` sends nothing: the app takes the default itself."""
    function = sorting("${args.order?}").loaded(tmp_path).functions["acme-find"]

    assert f"{BASE}/things" == url(function)


def test_a_hook_finds_the_default_too(tmp_path: Path) -> None:
    """What the request sends, the hook that prepares for it sees."""
    folder = sorting("${args.order} ${prepared.order}", prepare="again")
    folder.hooks = 'def again(arguments: dict) -> dict:\n    return {"order": arguments["order"]}\n'

    assert f"{BASE}/things?order=up%20up" == url(folder.loaded(tmp_path).functions["acme-find"]).replace("+", "%20")


def test_requests_before_are_sent_no_default(tmp_path: Path) -> None:
    """Only the function's own request is: elsewhere a parameter that isn't required can be absent."""
    folder = sorting("${args.order}", lookup={"request": {"get": "/x/${args.order}"}, "gives": {"id": "body.id"}})
    folder.functions["find"]["request"]["query"]["id"] = "${lookup.id}"
    problems = {problem.key: problem.message for problem in folder.problems(tmp_path)}

    assert {"lookup.request.get": "write ${args.order?}, because order is not required"} == problems
