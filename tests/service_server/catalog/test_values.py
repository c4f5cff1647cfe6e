"""Connectors as the rest of the server sees them: addresses, hosts, variables, identities."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.auth import ApiKey, OAuth2Code
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.load import load_connector
from service_server.catalog.values import AccountIdentity, Connector, Variable
from tests.service_server.catalog.connector_folder import ConnectorFolder


def connector_with(tmp_path: Path, **changes: Any) -> Connector:
    """Return a loaded connector with these keys."""
    folder = ConnectorFolder()
    folder.connector.update(changes)
    connector, problems = load_connector(folder.write(tmp_path))
    assert [] == problems
    assert connector is not None
    return connector


def test_own_host_and_declared_hosts(tmp_path: Path) -> None:
    """Calls may reach the base URL's own host and the declared ones, nothing else."""
    connector = connector_with(tmp_path, allow_hosts=["*.files.example"])
    rules = connector.host_rules({})

    assert ("api.acme.example", "*.files.example") == rules.patterns
    assert rules.allows("https://a.files.example/x")
    assert not rules.allows("https://evil.example/x")


def test_an_operators_address_may_have_a_port(tmp_path: Path) -> None:
    """An address that the operator sets is allowed with just its own port."""
    variables = {"site": {"title": "Site", "set_by": "operator", "format": "uri"}}
    connector = connector_with(tmp_path, vars=variables, base_url="${vars.site}/api")
    context = {"vars": {"site": "http://10.0.0.5:8080"}}

    assert "http://10.0.0.5:8080/api" == connector.base_url(context)
    assert ("10.0.0.5:8080",) == connector.host_rules(context).patterns


def test_an_address_out_of_an_answer_must_be_declared(tmp_path: Path) -> None:
    """An address that an app's answer names is only reached if the connector allows its host: it can't add its own."""
    connector = connector_with(
        tmp_path,
        vars={"domain": {"title": "Domain", "from": "token.domain"}},
        base_url="${vars.domain}",
        allow_hosts=["*.acme.example"],
    )

    assert ("*.acme.example",) == connector.host_rules({"vars": {"domain": "https://evil.example"}}).patterns


@pytest.mark.parametrize("site", [None, "acme", "https://acme.example/?a=", "https://u@acme.example", "https://a/../b"])
def test_a_bad_address_makes_no_request(site: str | None, tmp_path: Path) -> None:
    """Without its address, or with one that is none, an app can't be called; that is said and not guessed."""
    variables = {"site": {"title": "Site", "set_by": "operator"}}
    connector = connector_with(tmp_path, vars=variables, base_url="${vars.site}")

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
    connector = connector_with(
        tmp_path,
        vars=variables,
        base_url="${vars.site}/api",
        auth=[{"id": "password", "type": "basic", "title": "Password"}, machine],
    )

    assert {"site": True, "issuer": False, "unused": True} == {
        name: variable.is_for("password") for name, variable in connector.variables.items()
    }
    assert all(variable.is_for("machine") for variable in connector.variables.values())


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
    connector = connector_with(tmp_path, test={"get": "/me"}, account=account)

    assert expected == connector.identity({"test": test})


@pytest.mark.parametrize("wrong", [{"a": 1}, ["a"], True])
def test_what_identifies_nobody(wrong: Any, tmp_path: Path) -> None:
    """An id that is no text or number is refused, and never kept as Python would write it."""
    connector = connector_with(tmp_path, test={"get": "/me"}, account={"id": "${test.id}", "name": "Acme"})

    with pytest.raises(InvalidRequest):
        connector.identity({"test": {"id": wrong}})


def test_ways_of_signing_in(tmp_path: Path) -> None:
    """What the file leaves out has the usual value: PKCE, client authentication by Basic, rotation."""
    connector = connector_with(
        tmp_path,
        auth=[
            {
                "id": "oauth",
                "type": "oauth2_code",
                "title": "Sign in",
                "authorize_url": "https://acme.example/a",
                "token_url": "https://acme.example/t",
                "refresh": {"leeway": "5m"},
                "inject": {"header": {"Authorization": "Bearer ${token.access_token}"}},
            },
            {
                "id": "key",
                "type": "api_key",
                "title": "Key",
                "fields": {"key": {"title": "Key", "pattern": "[a-f]+"}, "site": {"title": "Site", "secret": False}},
                "inject": {"query": {"key": "${creds.key}"}},
            },
        ],
    )
    oauth, key = connector.auth

    assert isinstance(oauth, OAuth2Code)
    assert ("oauth2_code", "S256", "basic", None) == (oauth.type, oauth.pkce, oauth.client_auth, oauth.revoke_url({}))
    assert (300.0, True, ("invalid_grant",)) == (
        oauth.refresh.leeway_seconds,
        oauth.refresh.rotates,
        oauth.refresh.dead_on,
    )
    assert isinstance(key, ApiKey)
    assert {"key": True, "site": False} == {name: field.secret for name, field in key.fields.items()}
    assert key == connector.auth_method("key")
    assert connector.auth_method("none") is None


def test_headers_of_the_app_go_with_every_request(tmp_path: Path) -> None:
    """A connector's headers are sent with each of its functions' requests."""
    connector = connector_with(tmp_path, headers={"Accept": "application/json"})
    request = connector.functions["acme-find"].request.build("https://h", {"args": {}, "vars": {}})

    assert (("Accept", "application/json"),) == request.headers


def test_secrets_stay_out_of_representations(tmp_path: Path) -> None:
    """Neither a connector nor a function or request shows headers or bodies when it lands in a log."""
    connector = connector_with(tmp_path, headers={"X-Value": "sesame"}, test={"get": "/me"})
    function = connector.functions["acme-find"]
    request = function.request.build("https://h", {"args": {}, "vars": {}})

    assert "sesame" not in repr(request)
    assert "sesame" not in repr(function)
    assert "sesame" not in repr(connector)
