"""The requests of the authorization code grant, as values."""

import base64
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from service_server.catalog.auth import ClientCredentials, OAuth2Code
from service_server.catalog.auth_parts import Injection, Scopes
from service_server.oauth.app_settings import OAuthClient, seal_client_secret
from service_server.oauth.authorization import authorization_request, issuer_fits
from service_server.oauth.token_request import (
    client_credentials_request,
    exchange_request,
    refresh_request,
    revoke_request,
)
from service_server.vault import Vault, new_keys

CLIENT = OAuthClient("client:id", "s&cret")


def method(**changes: Any) -> OAuth2Code:
    """A way to sign in, with changes."""
    values: dict[str, Any] = {
        "type": "oauth2_code",
        "id": "oauth",
        "title": "Sign in",
        "inject": Injection(),
        "authorize_url": "https://login.test/authorize?tenant=a b",
        "token_url": "https://login.test/token",
    }
    return OAuth2Code(**{**values, **changes})


def test_authorization_request() -> None:
    """The provider's page gets everything it needs, with the connector's own separator and extra parameters."""
    auth = method(scopes=Scopes(default=("a", "b"), separator=","), authorize_parameters={"access_type": "offline"})
    request = authorization_request(auth, {}, "id", "https://service.test/oauth/callback")
    sent = {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}
    assert request.verifier is not None
    assert sent == {
        "tenant": "a b",
        "response_type": "code",
        "client_id": "id",
        "redirect_uri": "https://service.test/oauth/callback",
        "scope": "a,b",
        "state": request.state,
        "code_challenge": create_s256_code_challenge(request.verifier),
        "code_challenge_method": "S256",
        "access_type": "offline",
    }
    assert request.state not in repr(request)
    assert request.verifier not in repr(request)


def test_scopes_may_name_the_installation() -> None:
    """A scope may have a variable in it, such as the address of the one installation that it is for."""
    auth = method(scopes=Scopes(default=("offline_access", "https://${vars.host}/access")))
    request = authorization_request(auth, {"vars": {"host": "acme.test"}}, "id", "https://a.test")

    assert ["offline_access https://acme.test/access"] == parse_qs(urlsplit(request.url).query)["scope"]


def test_providers_that_refuse_pkce() -> None:
    """Neither the challenge nor its method is sent, and there is no verifier; no state is used twice."""
    requests = [authorization_request(method(pkce="none"), {}, "id", "https://a.test") for _ in range(100)]
    assert requests[0].verifier is None
    assert "code_challenge" not in requests[0].url
    assert "scope" not in requests[0].url
    assert 100 == len({request.state for request in requests})


@pytest.mark.parametrize("client_auth", ["basic", "body", "none"])
def test_client_authentication(client_auth: str) -> None:
    """The client's secret goes where the provider wants it, and nowhere else."""
    auth = method(client_auth=client_auth, token_parameters={"audience": "api"})
    request = exchange_request(auth, {}, CLIENT, code="c", redirect_uri="https://s.test/cb", verifier="v")
    body = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
    header = dict(request.headers).get("Authorization")
    expected = {
        "grant_type": "authorization_code",
        "redirect_uri": "https://s.test/cb",
        "code": "c",
        "code_verifier": "v",
        "audience": "api",
    }
    if client_auth == "basic":
        assert header == f"Basic {base64.b64encode(b'client:id:s&cret').decode()}"
    else:
        assert header is None
        expected["client_id"] = "client:id"
    if client_auth == "body":
        expected["client_secret"] = "s&cret"
    assert body == expected
    assert "cret" not in request.url + repr(request)


def test_refresh_and_revocation() -> None:
    """Refresh and revocation name their token and authenticate the client."""
    refreshed = refresh_request(method(), {}, CLIENT, "r+1")
    revoked = revoke_request(method(), "https://login.test/revoke", CLIENT, "r+1", "refresh_token")
    assert parse_qs(refreshed.body.decode()) == {"grant_type": ["refresh_token"], "refresh_token": ["r+1"]}
    assert parse_qs(revoked.body.decode()) == {"token": ["r+1"], "token_type_hint": ["refresh_token"]}
    assert "Authorization" in dict(refreshed.headers)
    assert "Authorization" in dict(revoked.headers)


@pytest.mark.parametrize(
    ("issuer", "expected", "fits"),
    [
        (None, None, True),
        (None, "https://login.test", True),
        ("https://login.test", None, True),
        ("https://login.test/tenant", None, True),
        ("https://evil.test", None, False),
        ("https://login.test:8443", None, False),
        ("http://login.test", None, False),
        ("https://[", None, False),
        ("https://id.test", "https://id.test", True),
        ("https://id.test/", "https://id.test", False),
        ("https://login.test", "https://id.test", False),
    ],
)
def test_issuers(issuer: str | None, expected: str | None, fits: bool) -> None:
    """An `iss` must be the declared issuer, or on the origin of the page the user was sent to."""
    assert issuer_fits(issuer, expected, "https://login.test/authorize") is fits


@pytest.mark.parametrize("secret", ["", "line\nbreak", "é", "tab\t"])
def test_client_secrets_that_no_header_can_carry(secret: str) -> None:
    """A secret that was copied wrongly is refused when it is set, not at the first sign-in."""
    with pytest.raises(ValueError, match="printable ASCII"):
        seal_client_secret(Vault(new_keys()), "app", secret)


def test_client_credentials_say_whom_they_act_for() -> None:
    """What variables tell, such as the user for whom the client acts, is sent beside the client's own words."""
    auth = ClientCredentials(
        type="oauth2_client_credentials",
        id="service",
        title="Credentials",
        inject=Injection(),
        scopes=Scopes(default=("https://${vars.host}/.default",)),
        token_parameters={"sub": "${vars.user}"},
        token_url="https://login.test/token",
    )
    context = {"creds": {"client_id": "id", "client_secret": "secret"}, "vars": {"user": "77", "host": "acme.test"}}
    body = parse_qs(client_credentials_request(auth, context).body.decode())

    assert {"grant_type": ["client_credentials"], "scope": ["https://acme.test/.default"], "sub": ["77"]} == body
