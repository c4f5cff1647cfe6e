"""The first half of the authorization code grant: where the user is sent, and what comes back. Does no I/O."""

import secrets
from collections.abc import Mapping, Sequence
from hmac import compare_digest
from urllib.parse import urlsplit

from attrs import field, frozen
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.expressions import Context, filled_text
from service_server.oauth.scopes import written

_RANDOM_BYTES = 32
_LONGEST_PARAMETER = 8192


@frozen
class AuthorizationRequest:
    """Where to send the user; `state` and `verifier` are needed again at the callback and are never shown."""

    url: str = field(repr=False)
    state: str = field(repr=False)
    verifier: str | None = field(repr=False)


@frozen
class AuthorizationAnswer:
    """What the provider sent back with the browser; exactly one of `code` and `error` is set."""

    code: str | None = field(repr=False)
    error: str | None
    issuer: str | None


class MalformedAnswer(ValueError):
    """The callback had parameters that no provider sends: a repeated one, or both or neither of code and error."""


def authorization_request(
    auth: OAuth2Code, context: Context, client_id: str, redirect_uri: str, scopes: Sequence[str] | None = None
) -> AuthorizationRequest:
    """
    Build the address of the provider's page, with a fresh `state` and, unless the provider refuses it, PKCE.

    `scopes` are those to ask for; None means the connector's usual ones.
    """
    asked = written(auth.scopes.default if scopes is None else scopes, context)
    state = secrets.token_urlsafe(_RANDOM_BYTES)
    verifier = secrets.token_urlsafe(_RANDOM_BYTES) if auth.pkce == "S256" else None
    url = prepare_grant_uri(
        filled_text(auth.authorize_url, context),
        client_id,
        "code",
        redirect_uri=redirect_uri,
        scope=auth.scopes.separator.join(asked) or None,
        state=state,
        code_challenge=None if verifier is None else create_s256_code_challenge(verifier),
        code_challenge_method=None if verifier is None else "S256",
    )
    if auth.authorize_parameters:
        url = add_params_to_uri(url, list(auth.authorize_parameters.items()))
    return AuthorizationRequest(url, state, verifier)


def read_answer(parameters: Mapping[str, Sequence[str]]) -> AuthorizationAnswer:
    """Read the callback's query parameters; MalformedAnswer if they could be read in two ways."""
    values: dict[str, str] = {}
    for name in ("code", "error", "iss"):
        given = parameters.get(name, ())
        if len(given) > 1 or any(len(value) > _LONGEST_PARAMETER for value in given):
            raise MalformedAnswer(f"the parameter {name} came more than once or is too long")
        if given and given[0]:
            values[name] = given[0]
    if ("code" in values) == ("error" in values):
        raise MalformedAnswer("there must be either a code or an error")
    return AuthorizationAnswer(values.get("code"), values.get("error"), values.get("iss"))


def issuer_fits(issuer: str | None, expected: str | None, authorize_url: str) -> bool:
    """
    Tell whether the answer came from the provider that was asked (RFC 9207, against mix-up attacks).

    A provider that names no issuer fits. One that names an issuer must name the connector's; if the connector declares
    none, it must have the same origin as the authorization page.
    """
    if issuer is None:
        return True
    if expected is not None:
        return compare_digest(issuer.encode(), expected.encode())
    return _origin(issuer) == _origin(authorize_url)


def _origin(url: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return (parts.scheme.lower(), parts.netloc.lower())
