"""The token and revocation endpoints, and the server's metadata document."""

import base64
import binascii
import re
import secrets
from typing import Any
from urllib.parse import unquote_plus

from examples.sandbox_app.credentials import SCOPES
from examples.sandbox_app.grants import Grants, InvalidGrant, TokenPair
from examples.sandbox_app.messages import Refusal, Request, Response, json_response
from examples.sandbox_app.routes import Route
from examples.sandbox_app.settings import Settings

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


class OAuthError(Exception):
    """An error answer in OAuth's own shape."""

    def __init__(self, code: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.code = code
        self.status = status


class Tokens:
    """The endpoints that a client calls itself."""

    def __init__(self, settings: Settings, grants: Grants) -> None:
        self._settings = settings
        self._grants = grants

    def routes(self) -> tuple[Route, ...]:
        """Token, revocation, metadata."""
        return (
            Route("POST", "/oauth/token", self.token),
            Route("POST", "/oauth/revoke", self.revoke),
            Route("GET", "/.well-known/oauth-authorization-server", self.metadata),
        )

    def token(self, request: Request) -> Response:
        """Exchange a code or a refresh token."""
        try:
            form = self._authenticated_form(request)
            return _token_response(self._exchange(form))
        except OAuthError as error:
            return _error_response(error)

    def revoke(self, request: Request) -> Response:
        """End the grant that a token belongs to; an unknown token is fine too."""
        try:
            form = self._authenticated_form(request)
            self._grants.revoke(_required(form, "token"))
        except OAuthError as error:
            return _error_response(error)
        return Response(200, (("cache-control", "no-store"),))

    def metadata(self, request: Request) -> Response:
        """Tell clients where everything is."""
        url = self._settings.url
        return json_response(
            {
                "issuer": url,
                "authorization_endpoint": f"{url}/oauth/authorize",
                "token_endpoint": f"{url}/oauth/token",
                "revocation_endpoint": f"{url}/oauth/revoke",
                "response_types_supported": ["code"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
                "scopes_supported": list(SCOPES),
                "authorization_response_iss_parameter_supported": True,
            }
        )

    def client_of(self, request: Request) -> str | None:
        """The client id that a request names in its Basic header, for the log; not checked."""
        pair = _basic_pair(request.headers.get("authorization", ""))
        return pair[0] if pair else None

    def _authenticated_form(self, request: Request) -> dict[str, str]:
        try:
            form = request.form()
        except Refusal as refusal:
            raise OAuthError("invalid_request", refusal.message) from None
        header = request.headers.get("authorization")
        if header is not None and "client_secret" in form:
            raise OAuthError("invalid_request", "Authenticate the client in one way only.")
        given = (
            _basic_pair(header) if header is not None else (form.get("client_id", ""), form.get("client_secret", ""))
        )
        if given is None or not self._is_client(*given):
            raise OAuthError("invalid_client", "The client is unknown or its secret is wrong.", 401)
        return form

    def _is_client(self, client_id: str, client_secret: str) -> bool:
        same_id = secrets.compare_digest(client_id.encode(), self._settings.client_id.encode())
        same_secret = secrets.compare_digest(client_secret.encode(), self._settings.client_secret.encode())
        return same_id and same_secret

    def _exchange(self, form: dict[str, str]) -> TokenPair:
        kind = _required(form, "grant_type")
        try:
            if kind == "authorization_code":
                verifier = _required(form, "code_verifier")
                if VERIFIER.fullmatch(verifier) is None:
                    raise OAuthError("invalid_request", "code_verifier must be 43 to 128 unreserved characters.")
                return self._grants.exchange_code(_required(form, "code"), _required(form, "redirect_uri"), verifier)
            if kind == "refresh_token":
                scopes = frozenset(form["scope"].split()) if form.get("scope") else None
                return self._grants.refresh(_required(form, "refresh_token"), scopes)
        except InvalidGrant as error:
            raise OAuthError("invalid_grant", f"The grant cannot be used: {error}.") from None
        except ValueError as error:
            raise OAuthError("invalid_scope", f"{error}.") from None
        raise OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.")


def _required(form: dict[str, str], name: str) -> str:
    if not form.get(name):
        raise OAuthError("invalid_request", f"{name} is required.")
    return form[name]


def _basic_pair(header: str) -> tuple[str, str] | None:
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (ValueError, binascii.Error):
        return None
    # OAuth form-encodes both halves before they are joined.
    return (unquote_plus(name), unquote_plus(secret)) if colon else None


def _token_response(pair: TokenPair) -> Response:
    body: dict[str, Any] = {
        "access_token": pair.access_token,
        "token_type": "Bearer",
        "expires_in": int(pair.expires_in),
        "refresh_token": pair.refresh_token,
        "scope": " ".join(sorted(pair.scopes)),
    }
    return json_response(body).with_headers(("pragma", "no-cache"))


def _error_response(error: OAuthError) -> Response:
    response = json_response({"error": error.code, "error_description": str(error)}, error.status)
    return response.with_headers(("www-authenticate", 'Basic realm="tickets"')) if error.status == 401 else response
