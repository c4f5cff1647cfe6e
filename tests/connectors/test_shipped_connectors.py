"""What holds for every connector that ships with the service, and for the example; one test for each connector."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from service_client.models import CONVERTER, Function
from service_server.catalog.auth import OAuth2Code
from service_server.catalog.catalog import Catalog
from service_server.catalog.check import check
from service_server.catalog.expressions import InvalidRequest, filled_text
from service_server.catalog.format.json_schema import SCHEMAS
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.cli.options import kept_connectors
from service_server.onward.values import OnwardRequest
from tests.connectors.arguments import every_argument
from tests.connectors.building import arguments_of, context_of, request_of

EXAMPLES = Path(__file__).parents[2] / "examples" / "connector"
# Only names are looked up while tests are collected: reading hundreds of files takes seconds.
FOLDERS = {file.parent.name: file.parent for folder in (SHIPPED, EXAMPLES) for file in folder.glob("*/connector.yaml")}
NAMES = sorted(FOLDERS)


@cache
def catalog() -> Catalog:
    """All of them, from what is kept of their files, which `check` reads."""
    return load_catalog([SHIPPED, EXAMPLES], kept_connectors())


def connector_named(name: str) -> Connector:
    """One of them."""
    return catalog().connectors[name]


@pytest.mark.slow
def test_all_of_them_load() -> None:
    """The shipped connectors and the example are free of problems together, and found by their names only."""
    assert NAMES == sorted(catalog().connectors)
    assert sorted(catalog().names()) == list(catalog().names())
    assert catalog().connector("nothing") is None
    assert catalog().function("sandbox-nothing") is None


@pytest.mark.parametrize("name", NAMES)
def test_people_can_fill_every_form(name: str) -> None:
    """`connector check` has nothing to say: ids have choices, objects fields, long lists a search, or a reason."""
    problems = check(FOLDERS[name])

    assert not problems, "\n" + "\n".join(map(str, problems))


@pytest.mark.parametrize("name", NAMES)
def test_every_function_can_be_called(name: str) -> None:
    """It makes requests to its own app, of its examples' arguments and of all; it is published; sources exist."""
    connector = connector_named(name)
    problems = [
        f"{function.name}: {problem}"
        for function in connector.functions.values()
        for problem in (*publishing_problems(function), *building_problems(connector, function))
    ]

    assert not problems, "\n" + "\n".join(problems)


def building_problems(connector: Connector, function: FunctionDefinition) -> Iterator[str]:
    """Say what is wrong with a function that has a file: its requests, and what its fields' sources are said to be."""
    if function.type == "passthrough":
        return
    if not function.examples:
        yield "needs an example to be found by"
    for arguments in arguments_of(function):
        yield from (f"{arguments}: {error.message}" for error in function.validator.iter_errors(arguments))
        try:
            request = request_of(connector, function, arguments)
        except InvalidRequest as error:
            yield f"{arguments}: {error}"
            continue
        if not connector.host_rules(context_of(connector, arguments)).allows(request.url):
            yield f"{request.url} is not allowed"
        if "${" in request.url or b"${" in request.body:
            yield f"{request.url}: a template is sent as it is"
    for path, meta in function.fields.items():
        source = meta.source or meta.dynamic_fields
        if source is not None and "." not in path:
            if source.function not in function.parameters["properties"][path]["description"]:
                yield f"{path} has a source {source.function} that its description doesn't name"
            if source.function not in connector.functions:
                yield f"{path} has a source {source.function} that isn't there"


# How lists are sorted, and where they go on: no condition on what is found.
ORDERS = {"after", "direction", "sort", "sort_by", "sort_direction", "sort_order"}
SAID = ("whatever else is given", "whatever their milestone", "of every kind", "read or not", "and nothing else")


@pytest.mark.parametrize("name", NAMES)
def test_a_search_says_that_other_conditions_do_not_count(name: str) -> None:
    """Where an app searches elsewhere than it lists, no condition that somebody gives is passed over in silence."""
    silent = [
        f"{function.name}: {', '.join(sorted(passed_over))}"
        for function in connector_named(name).functions.values()
        if function.instead is not None
        and function.instead.given == "search"
        and (passed_over := set(passed_over_in_a_search(function)) - ORDERS)
        and not any(phrase in function.parameters["properties"]["search"]["description"] for phrase in SAID)
    ]

    assert [] == silent


def passed_over_in_a_search(function: FunctionDefinition) -> Iterator[str]:
    """Name the parameters that change what a list is asked, but neither what a search is nor what is picked of it."""
    connector, whole = connector_named(function.app_name), every_argument(function)
    picker = None if function.instead is None else function.instead.function.picker
    picking = () if picker is None else picker.names

    def asked(*left_out: str) -> OnwardRequest:
        return request_of(connector, function, {key: value for key, value in whole.items() if key not in left_out})

    for name in set(whole) - {"search", *function.parameters.get("required", ()), *picking}:
        if asked("search") != asked("search", name) and asked() == asked(name):
            yield name


@pytest.mark.parametrize("name", NAMES)
def test_descriptions_name_functions_that_there_are(name: str) -> None:
    """Where a program is told to look something up, the function that it is sent to exists."""
    functions = connector_named(name).functions
    named = re.compile(rf"(?<![\w./-]){re.escape(name)}-[a-z][a-z0-9-]*[a-z0-9]")
    unknown = [
        f"{function.name}: {each}"
        for function in functions.values()
        for text in (function.description, *descriptions(function.parameters))
        for each in named.findall(text)
        if each not in functions
    ]

    assert [] == unknown


def descriptions(schema: dict[str, Any]) -> Iterator[str]:
    """Yield what stands in a schema as descriptions."""
    for key, value in schema.items():
        if key == "description" and isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from descriptions(value)


def publishing_problems(function: FunctionDefinition) -> Iterator[str]:
    """Say what is wrong with a function as it is published: only the five types, and no `x-` keys."""
    public = function.public("https://x/icon", "App", include_meta=True)
    wire = CONVERTER.unstructure(public)
    if public != CONVERTER.structure(wire, Function):
        yield "is another one behind the wire"
    properties = wire["parameters"]["properties"]
    yield from (f"{name} is not as the contract has parameters" for name in faults(properties))
    yield from (f"{name} is required but isn't there" for name in set(wire["parameters"]["required"]) - set(properties))


def faults(properties: dict[str, Any]) -> Iterator[str]:
    """Name the properties that are not as the contract has them."""
    for name, schema in properties.items():
        if schema["type"] not in ("string", "number", "boolean", "array", "object") or "description" not in schema:
            yield name
        if any(key.startswith("x-") for key in schema) or (schema["type"] == "array" and "type" not in schema["items"]):
            yield name
        yield from faults(schema.get("properties", {}))


@pytest.mark.parametrize("name", NAMES)
def test_every_app_can_be_signed_in_to_and_called_freely(name: str) -> None:
    """OAuth addresses are whole once the operator's variables are set; method, url and body are passed through."""
    connector = connector_named(name)
    function = connector.functions[f"{name}-passthrough-request"]
    context = context_of(connector, {})
    properties = function.parameters["properties"]

    assert ("passthrough", ["method", "url"]) == (function.type, function.parameters["required"])
    assert {"method", "url", "body"} == set(properties)
    assert connector.passthrough_methods == set(properties["method"]["enum"])
    for method in connector.auth:
        if isinstance(method, OAuth2Code):
            addresses = [filled_text(url, context) for url in (method.authorize_url, method.token_url)]
            assert all(urlsplit(address).netloc and "${" not in address for address in addresses)
            assert 1 == len(method.inject.secret_headers)


@pytest.mark.parametrize("name", NAMES)
def test_editors_find_the_schema(name: str) -> None:
    """The first line of every file leads editors to the schema that it is checked against."""
    folder = FOLDERS[name]
    for file in [folder / "connector.yaml", *sorted(folder.glob("functions/*.yaml"))]:
        first = file.read_text(encoding="utf-8").partition("\n")[0]
        kind = "connector" if file.name == "connector.yaml" else "function"

        assert first.startswith("# yaml-language-server: $schema="), file
        assert SCHEMAS / f"{kind}.schema.json" == (file.parent / first.partition("$schema=")[2]).resolve(), file


# PyYAML's parser in Python takes a question mark that ends a value between brackets for a key; libyaml doesn't.
ENDS_IN_BRACKETS = re.compile(r"\?[,}\]]")
PARTS = re.compile(r"^(?=\S)", re.MULTILINE)  # of a file, each with a key of its own: it reads slowly


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_is_read_without_libyaml_too(name: str) -> None:
    """What only libyaml reads would be missing where PyYAML comes without it."""
    for file in sorted(FOLDERS[name].rglob("*.yaml")):
        for part in PARTS.split(file.read_text(encoding="utf-8")):
            if ENDS_IN_BRACKETS.search(part) is not None:
                assert yaml.compose(part, yaml.SafeLoader) is not None, file
