"""The authorization endpoint: checks what a client asks for, then lets the signed-in user allow or deny it."""

import re
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from attrs import frozen

from examples.sandbox_app.credentials import SCOPES
from examples.sandbox_app.grants import Grants
from examples.sandbox_app.messages import Refusal, Request, Response, see_other, single_values
from examples.sandbox_app.pages import Pages
from examples.sandbox_app.routes import Route
from examples.sandbox_app.settings import Settings
from examples.sandbox_app.users import Session

CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
PATH = "/oauth/authorize"


@frozen
class Asked:
    """A checked authorization request."""

    redirect_uri: str
    state: str | None
    scopes: frozenset[str]
    challenge: str


class _Redirected(Exception):
    def __init__(self, redirect_uri: str, state: str | None, error: str, description: str) -> None:
        super().__init__(description)
        self.redirect_uri = redirect_uri
        self.state = state
        self.error = error
        self.description = description


class Authorization:
    """The endpoint with its consent page."""

    def __init__(self, settings: Settings, redirect_uris: list[str], grants: Grants, pages: Pages) -> None:
        self._settings = settings
        self._redirect_uris = redirect_uris
        self._grants = grants
        self._pages = pages

    def routes(self) -> tuple[Route, ...]:
        """The endpoint's two verbs: show the consent page, and take the decision."""
        return (Route("GET", PATH, self.ask), Route("POST", PATH, self.decide))

    def ask(self, request: Request) -> Response:
        """Show the consent page, or the login page first."""
        try:
            asked = self._check(request)
        except _Redirected as redirected:
            return self._tell_client(redirected)
        session = self._pages.session(request)
        if session is None or session.user is None:
            return _to_login(request)
        return self._consent_page(request, session, asked)

    def decide(self, request: Request) -> Response:
        """Take the user's decision; the request's own parameters are checked again."""
        try:
            asked = self._check(request)
        except _Redirected as redirected:
            return self._tell_client(redirected)
        session = self._pages.session(request)
        if session is None or session.user is None:
            return _to_login(request)
        decision = self._pages.checked_form(request, session).get("decision")
        if decision == "switch":
            self._pages.sessions.close(session)
            return _to_login(request)
        if decision == "deny":
            return self._tell_client(
                _Redirected(asked.redirect_uri, asked.state, "access_denied", "The user did not allow it.")
            )
        if decision != "allow":
            raise Refusal(400, "bad_request", "The decision must be allow, deny or switch.")
        code = self._grants.issue_code(session.user, asked.scopes, asked.redirect_uri, asked.challenge)
        return self._to_client(asked.redirect_uri, {"code": code}, asked.state)

    def _check(self, request: Request) -> Asked:
        """
        The request's parameters, checked.

        Raises `Refusal` while the redirect URI is not known to be the client's (nobody is sent there),
        and `_Redirected` for everything after.
        """
        values = single_values(request.query_string)
        redirect_uri, state = values.get("redirect_uri", ""), values.get("state")
        if values.get("client_id") != self._settings.client_id:
            raise Refusal(400, "bad_request", "No app with this client_id is registered here.")
        if redirect_uri not in self._redirect_uris:
            raise Refusal(400, "bad_request", "The redirect_uri is not one that the app has registered.")
        problem = _find_problem(values)
        if problem is not None:
            raise _Redirected(redirect_uri, state, *problem)
        scopes = frozenset(values.get("scope", "").split()) or frozenset(SCOPES)
        return Asked(redirect_uri, state, scopes, values["code_challenge"])

    def _consent_page(self, request: Request, session: Session, asked: Asked) -> Response:
        context: dict[str, Any] = {
            "client": self._settings.client_id,
            "user": session.user,
            "scopes": [SCOPES[name] for name in SCOPES if name in asked.scopes],
            "action": f"{PATH}?{request.query_string}",
            "csrf_token": session.csrf_token,
        }
        return self._pages.render("consent.html", context, form_leaves=True)

    def _tell_client(self, redirected: _Redirected) -> Response:
        parameters = {"error": redirected.error, "error_description": redirected.description}
        return self._to_client(redirected.redirect_uri, parameters, redirected.state)

    def _to_client(self, redirect_uri: str, parameters: dict[str, str], state: str | None) -> Response:
        if state is not None:
            parameters["state"] = state
        parameters["iss"] = self._settings.url
        separator = "&" if urlsplit(redirect_uri).query else "?"
        return see_other(redirect_uri + separator + urlencode(parameters))


def _find_problem(values: dict[str, str]) -> tuple[str, str] | None:
    """OAuth's error code and a sentence for the first thing wrong, or None."""
    if values.get("response_type") != "code":
        return "unsupported_response_type", "Only response_type=code is supported."
    if values.get("code_challenge_method") != "S256":
        return "invalid_request", "PKCE with code_challenge_method=S256 is required."
    if CHALLENGE.fullmatch(values.get("code_challenge", "")) is None:
        return "invalid_request", "code_challenge must be 43 base64url characters."
    unknown = set(values.get("scope", "").split()) - SCOPES.keys()
    if unknown:
        return "invalid_scope", "An unknown scope was asked for."
    return None


def _to_login(request: Request) -> Response:
    return see_other("/login?next=" + quote(f"{PATH}?{request.query_string}", safe=""))
