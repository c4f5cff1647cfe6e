"""The sandbox app's own pages: signing in, API keys, and what protects them."""

import re

import httpx
import pytest

from tests.examples.processes import CLIENT_ID, SandboxApp
from tests.examples.sign_in import authorization_request, hidden_fields, log_in, open_consent_page


def keys_on(page: httpx.Response) -> list[str]:
    """The API keys that the page shows."""
    return re.findall(r"<code data-api-key>([^<]+)</code>", page.text)


def test_wrong_password_stays_on_the_login_page(visitor: httpx.Client) -> None:
    """A wrong name or password says so, keeps the name as a text, and signs nobody in."""
    for username, password in (("alice", "bob-password"), ("nobody", "x"), ("", ""), ('"><script>', "x")):
        response = log_in(visitor, username, password)
        assert (401, True) == (response.status_code, "User name or password is wrong" in response.text)
        assert "<script>" not in response.text

    assert visitor.get("/account/api-keys").headers["location"].startswith("/login")


@pytest.mark.parametrize(
    "following", ["https://evil.example/", "//evil.example", "/\\evil.example", "evil", "/\r\nx: y", ""]
)
def test_login_leads_nowhere_else(visitor: httpx.Client, following: str) -> None:
    """After signing in nobody is sent to another site."""
    assert "/" == log_in(visitor, "alice", "alice-password", following).headers["location"]


def test_api_keys_are_shown_made_and_revoked(visitor: httpx.Client, sandbox: SandboxApp) -> None:
    """A user sees their own keys, a new one works at once, and a revoked one no more."""
    log_in(visitor, "alice", "alice-password")
    page = visitor.get("/account/api-keys")
    assert [sandbox.api_keys["alice"]] == keys_on(page)

    token = hidden_fields(page.text)
    visitor.post("/account/api-keys", data=token)
    made = keys_on(visitor.get("/account/api-keys"))[1]
    assert "u-alice" == visitor.get("/api/v1/me", headers={"x-api-key": made}).json()["id"]

    actions = re.findall(r'action="(/account/api-keys/\d+/revoke)"', visitor.get("/account/api-keys").text)
    assert 303 == visitor.post(actions[1], data=token).status_code
    assert 401 == visitor.get("/api/v1/me", headers={"x-api-key": made}).status_code
    assert 404 == visitor.post(actions[1], data=token).status_code


def test_keys_of_others_cannot_be_revoked(visitor: httpx.Client, sandbox: SandboxApp, alice: httpx.Client) -> None:
    """A user cannot revoke another user's key by its number."""
    log_in(visitor, "bob", "bob-password")
    token = hidden_fields(visitor.get("/account/api-keys").text)

    assert {404, 303} == {
        visitor.post(f"/account/api-keys/{number}/revoke", data=token).status_code for number in range(1, 50)
    }
    assert 200 == alice.get("/api/v1/me").status_code


def test_forms_of_other_sites_are_refused(visitor: httpx.Client, redirect_uri: str) -> None:
    """Without the page's own token no form does anything, the consent form least of all."""
    parameters = authorization_request(CLIENT_ID, redirect_uri)
    open_consent_page(visitor, "alice", parameters)
    consent = visitor.post("/oauth/authorize", params=parameters, data={"decision": "allow", "csrf_token": "guess"})

    assert 403 == consent.status_code
    assert "location" not in consent.headers
    assert 403 == visitor.post("/account/api-keys", data={"csrf_token": ""}).status_code


def test_sessions_begin_and_end_with_signing_in(visitor: httpx.Client) -> None:
    """The session of before signing in is worth nothing after; after signing out it is over."""
    visitor.get("/login")
    before = visitor.cookies["tickets_session"]
    log_in(visitor, "alice", "alice-password")
    after = visitor.cookies["tickets_session"]
    visitor.post("/logout", data=hidden_fields(visitor.get("/").text))

    for session in (before, after):
        visitor.cookies.clear()
        visitor.cookies["tickets_session"] = session
        assert 303 == visitor.get("/account/api-keys").status_code
    assert before != after


def test_pages_cannot_be_framed_or_cached(visitor: httpx.Client) -> None:
    """Every page forbids framing, scripts and caching, and its cookie is out of scripts' reach."""
    response = visitor.get("/login")

    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
    assert "no-store" == response.headers["cache-control"]
    assert "HttpOnly; SameSite=Lax" in response.headers["set-cookie"]


def test_home_and_static_files(visitor: httpx.Client) -> None:
    """The home page, its style and its icon are there, and nothing else of the folder."""
    assert "Keep track" in visitor.get("/").text
    assert "text/css; charset=utf-8" == visitor.get("/static/tickets.css").headers["content-type"]
    assert "image/svg+xml" == visitor.get("/static/tickets.svg").headers["content-type"]
    assert {404} == {visitor.get(f"/static/{name}").status_code for name in ("..%2Fpages.py", "other.css")}
