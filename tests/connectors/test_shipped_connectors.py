"""What holds for every connector that ships with the service, and for the example."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from service_client.models import CONVERTER, Function
from service_server.catalog.catalog import Catalog
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.catalog.schemas import SCHEMAS
from service_server.catalog.values import Connector, FunctionDefinition, OAuth2Code
from tests.connectors.arguments import every_argument

EXAMPLES = Path(__file__).parents[2] / "examples" / "connector"
CATALOG = load_catalog([SHIPPED, EXAMPLES])
OWN_FUNCTIONS = [name for name in CATALOG.function_names if not name.endswith("-passthrough-request")]


def connector_of(function: FunctionDefinition) -> Connector:
    """Return the app of a function."""
    connector = CATALOG.connector(function.app_name)
    assert connector is not None
    return connector


def context_of(connector: Connector, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a call of the app would build its request from."""
    variables = {
        name: variable.default or variable.example or "https://app.example.com"
        for name, variable in connector.variables.items()
    }
    return {"args": arguments, "vars": variables}


def function_named(name: str) -> FunctionDefinition:
    """Return a function that is there."""
    function = CATALOG.function(name)
    assert function is not None
    return function


def test_all_of_them_load() -> None:
    """The shipped connectors and the example are free of problems and listed by name."""
    names = [file.parent.name for folder in (SHIPPED, EXAMPLES) for file in folder.glob("*/connector.yaml")]
    assert sorted(names) == list(CATALOG.connectors)
    assert sorted(CATALOG.function_names) == list(CATALOG.function_names)


@pytest.mark.parametrize("name", OWN_FUNCTIONS)
def test_every_function_builds(name: str) -> None:
    """Every function makes a request to its own app out of its examples' arguments, and out of all arguments."""
    function = function_named(name)
    connector = connector_of(function)
    assert function.examples, "a function needs an example to be found by"
    for arguments in [*(arguments for _, arguments in function.examples), every_argument(function)]:
        assert [] == [error.message for error in function.validator.iter_errors(arguments)]
        context = context_of(connector, arguments)
        request = function.request.build(connector.base_url(context), context)

        assert connector.host_rules(context).allows(request.url)
        assert "${" not in request.url
        assert b"${" not in request.body


@pytest.mark.parametrize("name", CATALOG.function_names)
def test_every_function_goes_over_the_wire(name: str) -> None:
    """What is published of a function survives the wire, has only the five types, and keeps `x-` keys to itself."""
    public = function_named(name).public("https://x/icon", "App", include_meta=True)
    wire = CONVERTER.unstructure(public)

    assert public == CONVERTER.structure(wire, Function)
    assert [] == list(faults(wire["parameters"]["properties"]))
    assert set(wire["parameters"]["required"]) <= set(wire["parameters"]["properties"])


def faults(properties: dict[str, Any]) -> list[str]:
    """Name the properties that are not as the contract has them."""
    found = []
    for name, schema in properties.items():
        if schema["type"] not in ("string", "number", "boolean", "array", "object") or "description" not in schema:
            found.append(name)
        if any(key.startswith("x-") for key in schema) or (schema["type"] == "array" and "type" not in schema["items"]):
            found.append(name)
        found += faults(schema.get("properties", {}))
    return found


@pytest.mark.parametrize("name", OWN_FUNCTIONS)
def test_descriptions_name_their_sources(name: str) -> None:
    """The description of a field with a source says which function lists its values."""
    function = function_named(name)
    for path, meta in function.fields.items():
        source = meta.source or meta.dynamic_fields
        if source is not None and "." not in path:
            assert source.function in function.parameters["properties"][path]["description"]
            assert source.function in CATALOG.function_names


@pytest.mark.parametrize("connector", CATALOG.connectors.values(), ids=lambda connector: connector.name)
def test_every_app_has_a_passthrough_function(connector: Connector) -> None:
    """Each app has its generated passthrough function with method, url and body."""
    function = function_named(f"{connector.name}-passthrough-request")

    assert "passthrough" == function.type
    assert {"method", "url", "body"} == set(function.parameters["properties"])
    assert ["method", "url"] == function.parameters["required"]
    assert connector.passthrough_methods == set(function.parameters["properties"]["method"]["enum"])


@pytest.mark.parametrize("connector", CATALOG.connectors.values(), ids=lambda connector: connector.name)
def test_oauth_addresses_are_whole(connector: Connector) -> None:
    """Every OAuth address is an absolute URL once the operator's variables are set."""
    context = context_of(connector, {})
    for method in connector.auth:
        if isinstance(method, OAuth2Code):
            addresses = [method.authorize_url(context), method.token_url(context)]
            assert all(urlsplit(address).netloc and "${" not in address for address in addresses)
            assert {"authorization"} == method.inject.secret_headers


def test_catalog_knows_its_connectors_and_functions_by_name() -> None:
    """Unknown names give None."""
    assert CATALOG.connector("nothing") is None
    assert CATALOG.function("sandbox-nothing") is None
    assert isinstance(CATALOG, Catalog)


FILES = [
    file
    for directory in (SHIPPED, EXAMPLES)
    for file in sorted([*directory.glob("*/connector.yaml"), *directory.glob("*/functions/*.yaml")])
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}/{file.name}")
def test_editors_find_the_schema(file: Path) -> None:
    """The first line of every file leads editors to the schema that it is checked against."""
    first = file.read_text().splitlines()[0]
    kind = "connector" if file.name == "connector.yaml" else "function"

    assert first.startswith("# yaml-language-server: $schema=")
    assert SCHEMAS / f"{kind}.schema.json" == (file.parent / first.partition("$schema=")[2]).resolve()
