"""Security schemes become ways of signing in."""

from typing import Any

import pytest

from service_server.openapi_import.steps import Imported
from tests.service_server.openapi_import.made_documents import document, taken

OAUTH = {
    "type": "oauth2",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "https://acme.example/authorize",
            "tokenUrl": "https://acme.example/token",
            "scopes": {"read": "Read.", "write": "Write.", "admin": "All."},
        }
    },
}


KEY = {"type": "apiKey", "in": "query", "name": "key"}
TOKEN = {"type": "apiKey", "in": "query", "name": "token"}


def with_schemes(schemes: dict[str, Any], security: list[dict[str, Any]] | None = None, **more: Any) -> Imported:
    """Import a document of two operations with these security schemes."""
    operation = {}
    used = [{name: []} for name in schemes] if security is None else security
    return taken(
        document(
            {"/a": {"get": operation, "post": operation}},
            components={"securitySchemes": schemes},
            security=used,
            **more,
        )
    )


def in_authorization(sent: str) -> dict[str, Any]:
    """Return what injects the Authorization header."""
    return {"header": {"Authorization": sent}}


def key_in_authorization(told: str) -> dict[str, str]:
    """Return the scheme of a key that is the Authorization header."""
    return {"type": "apiKey", "in": "header", "name": "Authorization", "description": told}


BY_CLIENT = {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://acme.example/t", "scopes": {}}}}
ACCESS_TOKEN = in_authorization("Bearer ${token.access_token}")
ALTERNATIVES = "Your key, as `Authorization: pk_…`, or a token: `Authorization: Bearer {token}`"


@pytest.mark.parametrize(
    ("scheme", "kind", "inject"),
    [
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, "api_key", {"header": {"X-Key": "${creds.api_key}"}}),
        ({"type": "apiKey", "in": "query", "name": "key"}, "api_key", {"query": {"key": "${creds.api_key}"}}),
        (key_in_authorization("`Bearer ` before it"), "api_key", in_authorization("Bearer ${creds.api_key}")),
        (key_in_authorization("`Token token=<KEY>`"), "api_key", in_authorization("Token token=${creds.api_key}")),
        (key_in_authorization(ALTERNATIVES), "api_key", in_authorization("${creds.api_key}")),
        (key_in_authorization("SSWS {API Token}"), "api_key", in_authorization("SSWS ${creds.api_key}")),
        (key_in_authorization("`Klaxon <key>`"), "api_key", in_authorization("Klaxon ${creds.api_key}")),
        (key_in_authorization("Say Bearer and the key."), "api_key", in_authorization("Bearer ${creds.api_key}")),
        (key_in_authorization("Put {token} there"), "api_key", in_authorization("${creds.api_key}")),
        ({"type": "http", "scheme": "Bearer"}, "api_key", in_authorization("Bearer ${creds.token}")),
        ({"type": "http", "scheme": "basic"}, "basic", None),
        (OAUTH, "oauth2_code", ACCESS_TOKEN),
        (BY_CLIENT, "oauth2_client_credentials", ACCESS_TOKEN),
    ],
)
def test_each_scheme(scheme: dict[str, Any], kind: str, inject: dict[str, Any] | None) -> None:
    """A scheme becomes the way of signing in that sends its credentials as it says."""
    imported = with_schemes({"theScheme": scheme})

    [way] = imported.connector["auth"]
    assert ("the_scheme", kind, inject) == (way["id"], way["type"], way.get("inject"))
    assert imported.report.is_whole


@pytest.mark.parametrize(
    ("scheme", "reason"),
    [
        ({"type": "openIdConnect", "openIdConnectUrl": "https://acme.example/x"}, "stands in another document"),
        ({"type": "apiKey", "in": "cookie", "name": "session"}, "into a cookie"),
        ({"type": "http", "scheme": "digest"}, "'digest'"),
        ({"type": "mutualTLS"}, "mutualTLS"),
        ({"type": "oauth2", "flows": {}}, "no flow"),
    ],
)
def test_schemes_that_are_not_possible(scheme: dict[str, Any], reason: str) -> None:
    """A scheme that connectors don't have is told with the reason; requests then go without credentials."""
    imported = with_schemes({"odd": scheme})

    assert [{"id": "open", "type": "none"}] == imported.connector["auth"]
    assert reason in dict(imported.report.sign_in_left_out)["odd"]
    assert not imported.report.is_whole


def test_the_usual_way_comes_first() -> None:
    """Ways are in the order of how many operations accept them."""
    schemes = {"basic": {"type": "http", "scheme": "basic"}, "key": KEY}
    paths = {
        "/a": {"get": {"security": [{"key": []}, {"basic": []}]}},
        "/b": {"get": {"security": [{"key": []}]}},
    }
    made = document(paths, components={"securitySchemes": schemes})

    assert ["key", "basic"] == [way["id"] for way in taken(made).connector["auth"]]


def test_keys_that_go_together() -> None:
    """Two keys that every request needs are asked for together and both sent."""
    schemes = {
        "appKey": {"type": "apiKey", "in": "header", "name": "X-App"},
        "userKey": {"type": "apiKey", "in": "query", "name": "user"},
    }
    [way] = with_schemes(schemes, [{"appKey": [], "userKey": []}]).connector["auth"]

    assert {"api_key", "api_key_2"} == set(way["fields"])
    assert {"header": {"X-App": "${creds.api_key}"}, "query": {"user": "${creds.api_key_2}"}} == way["inject"]


def test_relative_addresses_of_a_server_of_ones_own() -> None:
    """Addresses to sign in at are taken from the server's, which only the operator may then set."""
    flow = {"authorizationUrl": "/oauth/a", "tokenUrl": "/oauth/t", "scopes": {}}
    imported = with_schemes({"o": {"type": "oauth2", "flows": {"authorizationCode": flow}}}, servers=[{"url": "/api"}])

    assert "${vars.server_url}/oauth/t" == imported.connector["auth"][0]["token_url"]
    assert "operator" == imported.connector["vars"]["server_url"]["set_by"]


def test_functions_say_their_scopes() -> None:
    """Each function names the scopes it needs; at connect those are asked for that most need, and none for deleting."""

    def needs(*scopes: str) -> dict[str, Any]:
        return {"security": [{"oauth": [scope]} for scope in scopes]}

    paths = {f"/a{number}": {"get": needs("read")} for number in range(7)}
    made = document(
        {**paths, "/b": {"get": needs("read", "write")}, "/c": {"post": needs("write"), "delete": needs("admin")}},
        components={"securitySchemes": {"oauth": OAUTH}},
    )
    imported = taken(made)

    assert {"default": ["read"]} == imported.connector["auth"][0]["scopes"]
    assert ["read"] == imported.functions["get-a0"]["scopes"]
    assert [["read", "write"]] == imported.functions["get-b"]["scopes"]
    assert ["admin"] == imported.functions["delete-c"]["scopes"]


def test_what_is_noted_of_flows() -> None:
    """Where there are only ones that connectors don't know, users give a token; scopes nothing is said of are many."""
    implicit = {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://acme.example/a", "scopes": {}}}}
    old, unscoped = with_schemes({"old": implicit}), with_schemes({"oauth": OAUTH})

    assert ["api_key"] == [way["type"] for way in old.connector["auth"]]
    assert any("implicit" in note for note in old.report.notes)
    assert {"default": ["read", "write", "admin"]} == unscoped.connector["auth"][0]["scopes"]
    assert any("3 scopes" in note for note in unscoped.report.notes)


@pytest.mark.parametrize("security", [[{"Key": []}, {"Token": []}], [{"Key": [], "Token": []}]])
def test_a_key_and_a_token_are_sent_together(security: list[dict[str, Any]]) -> None:
    """One tells which application asks and the other for whom, so that either alone opens nothing, whatever is said."""
    imported = with_schemes({"Key": KEY, "Token": TOKEN}, security)

    [way] = imported.connector["auth"]
    assert {"key": "${creds.api_key}", "token": "${creds.api_key_2}"} == way["inject"]["query"]
    assert ["Key", "Token"] == [field["title"] for field in way["fields"].values()]
    assert (len(security) > 1) == any("Key or Token" in note for note in imported.report.notes)


def test_the_same_credential_at_two_places_stays_a_choice() -> None:
    """A key that may travel in a header or in the query is one key; people choose a way by its title, each its own."""
    for other in ({**TOKEN, "in": "header"}, {**TOKEN, "name": "key2"}, {**KEY, "in": "header"}):
        assert 2 == len(with_schemes({"Key": KEY, "Other": other}).connector["auth"])
    places = {"Header": {**KEY, "in": "header"}, "Query": KEY, "Sudo": {**KEY, "name": "sudo"}}
    ways = with_schemes(places).connector["auth"]

    assert ["API key (Header)", "API key (Query)", "API key (Sudo)"] == sorted(way["title"] for way in ways)
