"""Requests to a provider's token and revocation endpoints, as values. Does no I/O."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from authlib.common.urls import add_params_to_qs
from authlib.oauth2.auth import encode_client_secret_basic, encode_client_secret_post, encode_none
from authlib.oauth2.rfc6749.parameters import prepare_token_request

from service_server.catalog.auth import ClientCredentials, OAuth2Code, SignedAssertion
from service_server.catalog.expressions import Context, filled, filled_text
from service_server.oauth.app_settings import OAuthClient
from service_server.onward.values import OnwardRequest

# GitHub, for one, answers form-encoded unless asked for JSON.
_HEADERS = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
_JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_CLIENT_AUTHENTICATIONS: dict[str, Callable[..., Any]] = {
    "basic": encode_client_secret_basic,
    "body": encode_client_secret_post,
    "none": encode_none,
}


def exchange_request(
    auth: OAuth2Code, context: Context, client: OAuthClient, *, code: str, redirect_uri: str, verifier: str | None
) -> OnwardRequest:
    """Exchange an authorization code for tokens."""
    body = prepare_token_request("authorization_code", redirect_uri=redirect_uri, code=code, code_verifier=verifier)
    return _post(auth, filled_text(auth.token_url, context), client, _with_parameters(auth.token_parameters, body))


def refresh_request(auth: OAuth2Code, context: Context, client: OAuthClient, refresh_token: str) -> OnwardRequest:
    """Renew the access token."""
    body = prepare_token_request("refresh_token", refresh_token=refresh_token)
    return _post(auth, filled_text(auth.token_url, context), client, _with_parameters(auth.token_parameters, body))


def client_credentials_request(auth: ClientCredentials, context: Context) -> OnwardRequest:
    """Ask for a token with the client that the user typed in."""
    creds = context["creds"]
    body = prepare_token_request("client_credentials", scope=filled_text(auth.scope, context) or None)
    client = OAuthClient(creds["client_id"], creds["client_secret"])
    parameters = filled(auth.token_parameters, context)
    return _post(auth, filled_text(auth.token_url, context), client, _with_parameters(parameters, body))


def assertion_request(auth: SignedAssertion, url: str, assertion: str) -> OnwardRequest:
    """Exchange a signed JWT for a token (RFC 7523)."""
    body = add_params_to_qs("", {"grant_type": _JWT_BEARER, "assertion": assertion})
    return OnwardRequest("POST", url, tuple(_HEADERS.items()), _with_parameters(auth.token_parameters, body).encode())


def revoke_request(
    auth: OAuth2Code,
    url: str,
    client: OAuthClient,
    token: str,
    hint: Literal["access_token", "refresh_token"],
) -> OnwardRequest:
    """Revoke a token (RFC 7009)."""
    return _post(auth, url, client, add_params_to_qs("", {"token": token, "token_type_hint": hint}))


def _with_parameters(parameters: Mapping[str, str], body: str) -> str:
    return str(add_params_to_qs(body, dict(parameters))) if parameters else body


def _post(auth: OAuth2Code | ClientCredentials, url: str, client: OAuthClient, body: str) -> OnwardRequest:
    authenticate = _CLIENT_AUTHENTICATIONS[auth.client_auth]
    url, headers, body = authenticate(client, "POST", url, dict(_HEADERS), body)
    return OnwardRequest("POST", url, tuple(headers.items()), body.encode())
