"""The sandbox app's OAuth2 server."""

from typing import Any

import httpx
import pytest

from tests.examples.processes import CLIENT_ID, CLIENT_SECRET, SandboxApp
from tests.examples.sign_in import allowed_code, authorization_request, callback_of, decide, open_consent_page
from tests.real_apps.sign_in import VERIFIER


@pytest.fixture
def request_parameters(redirect_uri: str) -> dict[str, str]:
    """A right authorization request."""
    return authorization_request(CLIENT_ID, redirect_uri)


def post_token(visitor: httpx.Client, **form: str) -> httpx.Response:
    """Ask the token endpoint as the registered client."""
    return visitor.post("/oauth/token", data=form, auth=(CLIENT_ID, CLIENT_SECRET))


def exchange(visitor: httpx.Client, code: str, redirect_uri: str, verifier: str = VERIFIER) -> httpx.Response:
    """Exchange a code."""
    return post_token(
        visitor, grant_type="authorization_code", code=code, redirect_uri=redirect_uri, code_verifier=verifier
    )


def refresh(visitor: httpx.Client, token: str) -> httpx.Response:
    """Exchange a refresh token."""
    return post_token(visitor, grant_type="refresh_token", refresh_token=token)


def status_with(visitor: httpx.Client, token: str, path: str = "/api/v1/me") -> int:
    """What the API answers to this bearer token."""
    return visitor.get(path, headers={"authorization": f"Bearer {token}"}).status_code


@pytest.fixture
def tokens(visitor: httpx.Client, request_parameters: dict[str, str], redirect_uri: str) -> dict[str, Any]:
    """Tokens that Alice has just granted."""
    return exchange(visitor, allowed_code(visitor, "alice", request_parameters), redirect_uri).json()


def test_deny_tells_the_client(visitor: httpx.Client, request_parameters: dict[str, str]) -> None:
    """A user who denies is sent back with access_denied and the state."""
    callback = callback_of(decide(visitor, open_consent_page(visitor, "alice", request_parameters), "deny"))

    assert ("access_denied", "some state & more") == (callback["error"], callback["state"])
    assert "code" not in callback


def test_another_account_can_be_chosen(visitor: httpx.Client, request_parameters: dict[str, str]) -> None:
    """Use another account signs out, and comes back to the same request after signing in."""
    to_login = decide(visitor, open_consent_page(visitor, "alice", request_parameters), "switch")

    assert to_login.headers["location"].startswith("/login?next=%2Foauth%2Fauthorize")
    assert "Bob Berger" in open_consent_page(visitor, "bob", request_parameters).text


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"scope": "tickets:read everything"}, "invalid_scope"),
    ],
)
def test_bad_request_is_told_to_the_client(
    visitor: httpx.Client, redirect_uri: str, changes: dict[str, str | None], error: str
) -> None:
    """A wrong authorization request of a known client is answered by redirect, without asking the user."""
    response = visitor.get("/oauth/authorize", params=authorization_request(CLIENT_ID, redirect_uri, **changes))

    assert response.headers["location"].startswith(redirect_uri + "?")
    assert error == callback_of(response)["error"]


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "somebody-else"},
        {"redirect_uri": "http://127.0.0.1:9/oauth/callback/"},
        {"redirect_uri": "http://127.0.0.1:9/oauth/callback?x=1"},
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": None},
    ],
)
def test_nobody_is_sent_to_an_unregistered_address(
    visitor: httpx.Client, redirect_uri: str, changes: dict[str, str | None]
) -> None:
    """With an unknown client or redirect URI the user sees an error page and stays."""
    response = visitor.get("/oauth/authorize", params=authorization_request(CLIENT_ID, redirect_uri, **changes))

    assert (400, "text/html; charset=utf-8") == (response.status_code, response.headers["content-type"])


def test_code_works_once(visitor: httpx.Client, request_parameters: dict[str, str], redirect_uri: str) -> None:
    """A code used a second time is refused, and the tokens of its first use die."""
    code = allowed_code(visitor, "alice", request_parameters)
    first = exchange(visitor, code, redirect_uri).json()
    second = exchange(visitor, code, redirect_uri)

    assert (400, "invalid_grant") == (second.status_code, second.json()["error"])
    assert 401 == status_with(visitor, first["access_token"])


def test_code_is_bound_to_verifier_and_redirect_uri(
    visitor: httpx.Client, request_parameters: dict[str, str], redirect_uri: str
) -> None:
    """A code is refused with another verifier or redirect URI, and still works with the right ones."""
    code = allowed_code(visitor, "alice", request_parameters)

    assert "invalid_grant" == exchange(visitor, code, redirect_uri, "x" * 43).json()["error"]
    assert "invalid_grant" == exchange(visitor, code, redirect_uri + "2").json()["error"]
    assert "invalid_request" == exchange(visitor, code, redirect_uri, "short").json()["error"]
    assert 200 == exchange(visitor, code, redirect_uri).status_code


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_revocation_ends_the_grant(visitor: httpx.Client, tokens: dict[str, Any], which: str) -> None:
    """Revoking either token ends both; revoking again, or an unknown token, is fine."""
    auth = (CLIENT_ID, CLIENT_SECRET)
    for token in (tokens[which], tokens[which], "unknown"):
        revoked = visitor.post("/oauth/revoke", data={"token": token, "token_type_hint": which}, auth=auth)
        assert (200, b"") == (revoked.status_code, revoked.content)

    assert 401 == status_with(visitor, tokens["access_token"])
    assert "invalid_grant" == refresh(visitor, tokens["refresh_token"]).json()["error"]


def test_scopes_are_enforced(visitor: httpx.Client, redirect_uri: str) -> None:
    """A token with the reading scope only cannot write."""
    code = allowed_code(visitor, "alice", authorization_request(CLIENT_ID, redirect_uri, scope="tickets:read"))
    token = exchange(visitor, code, redirect_uri).json()["access_token"]
    headers = {"authorization": f"Bearer {token}"}
    written = visitor.post("/api/v1/tickets", json={}, headers=headers)

    assert 200 == status_with(visitor, token, "/api/v1/tickets")
    assert (403, "insufficient_scope") == (written.status_code, written.json()["error"]["code"])
    assert 'scope="tickets:write"' in written.headers["www-authenticate"]


def test_where_tokens_and_secrets_are_taken(visitor: httpx.Client, tokens: dict[str, Any]) -> None:
    """An OAuth token is taken as a bearer token only; the client's secret in the form as well as in the header."""
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    client = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}

    assert 401 == visitor.get("/api/v1/me", headers={"x-api-key": tokens["access_token"]}).status_code
    assert 200 == visitor.post("/oauth/token", data=form | client).status_code


@pytest.mark.parametrize(
    ("auth", "form", "status", "error"),
    [
        ((CLIENT_ID, "wrong"), {}, 401, "invalid_client"),
        (("wrong", CLIENT_SECRET), {}, 401, "invalid_client"),
        (None, {}, 401, "invalid_client"),
        (None, {"client_id": CLIENT_ID, "client_secret": "ä"}, 401, "invalid_client"),
        ((CLIENT_ID, CLIENT_SECRET), {"client_secret": CLIENT_SECRET}, 400, "invalid_request"),
        ((CLIENT_ID, CLIENT_SECRET), {}, 400, "invalid_request"),
        ((CLIENT_ID, CLIENT_SECRET), {"grant_type": "password"}, 400, "unsupported_grant_type"),
        ((CLIENT_ID, CLIENT_SECRET), {"grant_type": "refresh_token"}, 400, "invalid_request"),
        ((CLIENT_ID, CLIENT_SECRET), {"grant_type": ["refresh_token", "password"]}, 400, "invalid_request"),
    ],
)
def test_bad_token_requests(
    visitor: httpx.Client, auth: tuple[str, str] | None, form: dict[str, Any], status: int, error: str
) -> None:
    """The token endpoint refuses wrong clients and wrong forms with OAuth's own codes."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = visitor.post("/oauth/token", data=form, auth=auth, headers=headers)

    assert (status, error) == (response.status_code, response.json()["error"])


def test_metadata_names_the_endpoints(visitor: httpx.Client, sandbox: SandboxApp) -> None:
    """The metadata document is found at its well-known path and names this server."""
    metadata = visitor.get("/.well-known/oauth-authorization-server").json()

    assert (sandbox.url, f"{sandbox.url}/oauth/token") == (metadata["issuer"], metadata["token_endpoint"])
