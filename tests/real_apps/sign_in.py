"""Goes through the OpenID provider's login and consent pages as a browser would, with plain HTTP."""

import base64
import hashlib
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.real_apps.processes import OidcProvider

VERIFIER = "a-verifier-of-more-than-forty-three-characters-0"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


def authorization_url(provider: OidcProvider, *, state: str = "a state") -> str:
    """Where a user is sent to sign in and to allow offline access."""
    parameters = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": provider.redirect_uri,
        "scope": "openid profile offline_access",
        "prompt": "consent",  # without it there is no refresh token
        "state": state,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return str(httpx.URL(f"{provider.url}/auth", params=parameters))


def allow(provider: OidcProvider, login: str, url: str) -> dict[str, str]:
    """Open `url`, sign in as `login`, allow; gives the parameters sent back to the client."""
    with httpx.Client(trust_env=False) as browser:
        page = _follow(browser, browser.get(url), provider)
        for fields in ({"login": login, "password": "any"}, {}):
            form = _read_form(page.text)
            answer = browser.post(form.pop("action"), data=form | fields)
            page = _follow(browser, answer, provider)
    return {name: values[0] for name, values in parse_qs(urlsplit(page.headers["location"]).query).items()}


def exchange(provider: OidcProvider, **form: str) -> httpx.Response:
    """Ask the token endpoint as the client."""
    auth = (provider.client_id, provider.client_secret)
    return httpx.post(f"{provider.url}/token", data=form, auth=auth, trust_env=False)


def tokens_of(provider: OidcProvider, login: str) -> dict[str, Any]:
    """The whole way from signing in to tokens."""
    code = allow(provider, login, authorization_url(provider))["code"]
    answer = exchange(
        provider, grant_type="authorization_code", code=code, redirect_uri=provider.redirect_uri, code_verifier=VERIFIER
    )
    answer.raise_for_status()
    tokens: dict[str, Any] = answer.json()
    return tokens


def _follow(browser: httpx.Client, response: httpx.Response, provider: OidcProvider) -> httpx.Response:
    """Follow redirects until a page comes or the provider sends the user back to the client."""
    while response.is_redirect and not response.headers["location"].startswith(provider.redirect_uri):
        response = browser.get(response.url.join(response.headers["location"]))
    return response


def _read_form(page: str) -> dict[str, str]:
    action = re.search(r'<form[^>]* action="([^"]+)"', page)
    assert action is not None
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    return {"action": unescape(action.group(1)), **{name: unescape(value) for name, value in hidden}}
