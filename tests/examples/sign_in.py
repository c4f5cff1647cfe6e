"""Goes through the sandbox app's login and consent pages as a browser would, with plain HTTP."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.real_apps.sign_in import CHALLENGE


def authorization_request(registered_client: str, registered_uri: str, /, **changes: str | None) -> dict[str, str]:
    """The parameters of a right authorization request, with `changes`; None leaves one out."""
    parameters: dict[str, str | None] = {
        "response_type": "code",
        "client_id": registered_client,
        "redirect_uri": registered_uri,
        "state": "some state & more",
        "scope": "tickets:read tickets:write",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **changes,
    }
    return {name: value for name, value in parameters.items() if value is not None}


def hidden_fields(page: str) -> dict[str, str]:
    """The hidden inputs of a page's first form."""
    form = re.search(r"<form.*?</form>", page, re.DOTALL)
    assert form is not None
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form.group())
    return {name: unescape(value) for name, value in found}


def log_in(visitor: httpx.Client, username: str, password: str, following: str = "/") -> httpx.Response:
    """Fill in the login page; gives the answer to it."""
    page = visitor.get("/login", params={"next": following})
    fields = hidden_fields(page.text) | {"username": username, "password": password}
    return visitor.post("/login", data=fields)


def open_consent_page(visitor: httpx.Client, username: str, parameters: dict[str, str]) -> httpx.Response:
    """Come with an authorization request, sign in, and arrive at the consent page."""
    to_login = visitor.get("/oauth/authorize", params=parameters)
    following = parse_qs(urlsplit(to_login.headers["location"]).query)["next"][0]
    logged_in = log_in(visitor, username, f"{username}-password", following)
    return visitor.get(logged_in.headers["location"])


def decide(visitor: httpx.Client, page: httpx.Response, decision: str) -> httpx.Response:
    """Press a button of the consent page; gives the answer to it."""
    action = re.search(r'<form method="post" action="([^"]+)"', page.text)
    assert action is not None
    return visitor.post(unescape(action.group(1)), data=hidden_fields(page.text) | {"decision": decision})


def callback_of(response: httpx.Response) -> dict[str, str]:
    """The parameters with which the user is sent back to the client."""
    return {name: values[0] for name, values in parse_qs(urlsplit(response.headers["location"]).query).items()}


def allowed_code(visitor: httpx.Client, username: str, parameters: dict[str, str]) -> str:
    """Sign in, allow, and give the authorization code."""
    return callback_of(decide(visitor, open_consent_page(visitor, username, parameters), "allow"))["code"]
