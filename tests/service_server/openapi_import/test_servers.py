"""The base URL comes from the document's servers."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import document, taken

PATHS = {"/a": {"get": {}}}


def server(url: str, **more: Any) -> dict[str, Any]:
    """Return a server, with defaults of its variables."""
    variables = {name: {"default": value} for name, value in more.pop("defaults", {}).items()}
    return {"url": url, "variables": variables, **more}


SERVER_URL = ["server_url"]


@pytest.mark.parametrize(
    ("servers", "base_url", "variables"),
    [
        ([server("https://api.acme.example/v1/")], "https://api.acme.example/v1", []),
        ([server("//api.acme.example")], "https://api.acme.example", []),
        ([server("/api/v3")], "${vars.server_url}/api/v3", SERVER_URL),
        ([], "${vars.server_url}", SERVER_URL),
        ([server("http://localhost:8080/api")], "${vars.server_url}/api", SERVER_URL),
        ([server("https://your-subdomain.acme.example/api")], "${vars.server_url}/api", SERVER_URL),
        ([server("https://yourself.acme.example")], "https://yourself.acme.example", []),
        ([server("http://localhost"), server("https://acme.example")], "https://acme.example", []),
        (
            [server("https://api.sandbox.acme.example"), server("https://api.acme.example", description="Live")],
            "https://api.acme.example",
            [],
        ),
        ([server("https://acme.example", description="Sandbox")], "https://acme.example", []),
        ([server("https://{tenant}.acme.example")], "https://${vars.tenant}.acme.example", ["tenant"]),
        ([server("https://acme.example/{path}", defaults={"path": "v2"})], "https://acme.example/v2", []),
        ([server("{host}/v1", defaults={"host": "https://acme.example/"})], "https://acme.example/v1", []),
        ([server("{scheme}://acme.example", defaults={"scheme": "https"})], "https://acme.example", []),
    ],
)
def test_base_urls(servers: list[dict[str, Any]], base_url: str, variables: list[str]) -> None:
    """Variables of the host are asked for, those of the path have their default, and a missing host is asked for."""
    connector = taken(document(PATHS, servers=servers)).connector

    assert base_url == connector["base_url"]
    assert variables == list(connector.get("vars", {}))


def test_listed_values_of_a_variable() -> None:
    """A variable with listed values takes only those, and starts with its default."""
    server = {
        "url": "https://{region}.acme.example",
        "variables": {"region": {"default": "eu", "enum": ["eu", "us.east"], "description": "Where your data is."}},
    }
    [variable] = taken(document(PATHS, servers=[server])).connector["vars"].values()

    assert ("eu", r"eu|us\.east", "user") == (variable["default"], variable["pattern"], variable["set_by"])
    assert "Where your data is." == variable["description"]


def test_operations_below_the_base_url() -> None:
    """An operation whose server lies below that of most others gets the rest into its path; others are told."""
    below = [{"url": "https://api.acme.example/v1/beta"}]
    paths = {**PATHS, "/b": {"get": {}}, "/c": {"servers": below, "get": {}}}
    assert {"get": "/beta/c"} == taken(document(paths)).functions["get-c"]["request"]


def test_what_is_told_of_servers() -> None:
    """Those that aren't used, and that one without TLS, which is taken as it is, is unencrypted."""
    servers = [server("https://api.acme.example"), server("https://eu.acme.example")]
    plain = taken(document(PATHS, servers=[server("http://api.acme.example")]))

    assert "https://eu.acme.example" in taken(document(PATHS, servers=servers)).report.notes[0]
    assert "http://api.acme.example" == plain.connector["base_url"]
    assert any("unencrypted" in note for note in plain.report.notes)
