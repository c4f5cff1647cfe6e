"""Connectors as the rest of the server sees them: addresses, hosts, variables, identities."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.auth import ApiKey, OAuth2Code
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.format.connector import Variable
from service_server.catalog.values import AccountIdentity
from tests.service_server.catalog.connector_folder import connector_with

BY_OPERATOR = {"site": {"title": "Site", "set_by": "operator", "format": "uri"}}
BY_ANSWER = {"site": {"title": "Site", "from": "token.site"}}


@pytest.mark.parametrize(
    ("keys", "site", "patterns"),
    [
        ({"allow_hosts": ["*.files.example"]}, "", ("api.acme.example", "*.files.example")),
        # an address that the operator sets is allowed with just its own port
        ({"vars": BY_OPERATOR, "base_url": "${vars.site}/api"}, "http://10.0.0.5:8080", ("10.0.0.5:8080",)),
        # what an app's answer names can't add its own host
        (
            {"vars": BY_ANSWER, "base_url": "${vars.site}", "allow_hosts": ["*.acme.example"]},
            "https://evil.example",
            ("*.acme.example",),
        ),
    ],
)
def test_what_calls_may_reach(keys: dict[str, Any], site: str, patterns: tuple[str, ...], tmp_path: Path) -> None:
    """The base URL's own host and the declared ones, nothing else."""
    rules = connector_with(**keys).loaded(tmp_path).host_rules({"vars": {"site": site}})

    assert patterns == rules.patterns
    assert not rules.allows("https://evil.example/x")


@pytest.mark.parametrize("site", [None, "acme", "https://acme.example/?a=", "https://u@acme.example", "https://a/../b"])
def test_a_bad_address_makes_no_request(site: str | None, tmp_path: Path) -> None:
    """Without its address, or with one that is none, an app can't be called; that is said and not guessed."""
    variables = {"site": {"title": "Site", "set_by": "operator"}}
    connector = connector_with(vars=variables, base_url="${vars.site}").loaded(tmp_path)

    assert "http://10.0.0.5:8080/a" == connector.base_url({"vars": {"site": "http://10.0.0.5:8080/a"}})
    with pytest.raises(InvalidRequest):
        connector.base_url({"vars": {} if site is None else {"site": site}})


def test_a_variable_of_one_way_to_sign_in_is_for_that_alone(tmp_path: Path) -> None:
    """What only some ways to sign in refer to is for them; what addresses or the account's name need is for all."""
    machine = {
        "id": "machine",
        "type": "oauth2_client_credentials",
        "title": "Machine",
        "token_url": "${vars.issuer}/token?at=${vars.site}",
        "inject": {"header": {"Authorization": "Bearer ${token.access_token}"}},
    }
    variables = {name: {"title": name, "set_by": "user", "format": "uri"} for name in ("site", "issuer", "unused")}
    ways = [{"id": "password", "type": "basic", "title": "Password"}, machine]
    found = connector_with(vars=variables, base_url="${vars.site}/api", auth=ways).loaded(tmp_path).variables

    assert {"site": True, "issuer": False, "unused": True} == {
        name: variable.is_for("password") for name, variable in found.items()
    }
    assert all(variable.is_for("machine") for variable in found.values())


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ({}, "anything", None),
        ({}, "", "1 to 2048"),
        ({}, "a\nb", "printable"),
        ({"format": "uri"}, "https://acme.example:8443/base", None),
        ({"format": "uri"}, "acme.example", "URL"),
        ({"format": "uri"}, "https://acme.example/", "slash"),
        ({"format": "hostname"}, "acme.example", None),
        ({"format": "hostname"}, "acme.example/x", "host name"),
        ({"pattern": "[a-z]+", "example": "acme"}, "acme", None),
        ({"pattern": "[a-z]+", "example": "acme"}, "acme/../x", "such as acme"),
    ],
)
def test_values_of_variables(variable: dict[str, Any], value: str, said: str | None) -> None:
    """A variable says what is wrong with a value, the whole of which must fit its form."""
    problem = Variable(name="site", title="Site", description="", given_by="operator", **variable).problem(value)

    assert (problem is None) if said is None else (problem is not None and said in problem)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ({"id": 7, "name": "Ada", "login": "ada"}, AccountIdentity("7", "Ada (ada)")),
        ({"id": 7, "name": None, "login": "ada"}, AccountIdentity("7", "ada")),
        ({"id": 7}, AccountIdentity("7", "Acme")),
        ({}, AccountIdentity(None, "Acme")),
        ([], AccountIdentity(None, "Acme")),
        (None, AccountIdentity(None, "Acme")),
        ({"id": 7, "name": {"a": 1}, "login": "ada"}, AccountIdentity("7", "ada")),
        ({"id": 7, "name": "Ada", "login": ["ada"]}, AccountIdentity("7", "Acme")),
        ({"id": 7, "login": {"a": 1}}, AccountIdentity("7", "Acme")),
        ({"id": 7, "login": True}, AccountIdentity("7", "Acme")),
        ({"id": 7.0, "login": 5.5}, AccountIdentity("7", "5.5")),
    ],
)
def test_identity(test: Any, expected: AccountIdentity, tmp_path: Path) -> None:
    """The first name made of texts and numbers counts; an answer without a name or an id is no error."""
    account = {"id": "${test.id}", "name": ["${test.name} (${test.login})", "${test.login}"]}
    connector = connector_with(test={"get": "/me"}, account=account).loaded(tmp_path)

    assert expected == connector.identity({"test": test})
    for wrong in ({"a": 1}, ["a"], True):  # an id that is none is refused, and never kept as Python would write it
        with pytest.raises(InvalidRequest):
            connector.identity({"test": {"id": wrong}})


def test_ways_of_signing_in(tmp_path: Path) -> None:
    """What the file leaves out has the usual value: PKCE, client authentication by Basic, rotation."""
    by_oauth = {
        "id": "oauth",
        "type": "oauth2_code",
        "title": "Sign in",
        "authorize_url": "https://acme.example/a",
        "token_url": "https://acme.example/t",
        "refresh": {"leeway": "5m"},
        "inject": {"header": {"Authorization": "Bearer ${token.access_token}"}},
    }
    fields = {"key": {"title": "Key", "pattern": "[a-f]+"}, "site": {"title": "Site", "secret": False}}
    inject = {"query": {"key": "${creds.key}"}}
    by_key = {"id": "key", "type": "api_key", "title": "Key", "fields": fields, "inject": inject}
    connector = connector_with(auth=[by_oauth, by_key]).loaded(tmp_path)
    oauth, key = connector.auth

    assert isinstance(oauth, OAuth2Code)
    assert ("oauth2_code", "S256", "basic", None) == (oauth.type, oauth.pkce, oauth.client_auth, oauth.revoke_url)
    refresh = oauth.refresh
    assert (300.0, True, ("invalid_grant",)) == (refresh.leeway_seconds, refresh.rotates, refresh.dead_on)
    assert isinstance(key, ApiKey)
    assert {"key": True, "site": False} == {name: field.secret for name, field in key.fields.items()}
    assert key == connector.auth_method("key")
    assert connector.auth_method("none") is None


def test_headers_of_the_app_are_sent_and_told_nobody(tmp_path: Path) -> None:
    """They go with each function's request; none shows them, or bodies, when it lands in a log."""
    connector = connector_with(headers={"X-Value": "sesame"}, test={"get": "/me"}).loaded(tmp_path)
    function = connector.functions["acme-find"]
    request = function.request.build("https://h", {"args": {}, "vars": {}})

    assert (("X-Value", "sesame"),) == request.headers
    assert not [each for each in (request, function, connector) if "sesame" in repr(each)]
