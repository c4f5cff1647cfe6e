"""Signing in by OpenID Connect: the provider's own description, where a person is sent, and who came back."""

import base64
import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote_plus, urlencode

from attrs import define, field, frozen
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from service_server.catalog.requests import own_host
from service_server.json_texts.foreign import read_json
from service_server.oauth.token_endpoint import TokenEndpointUnreachable, post
from service_server.onward.sender import Sender
from service_server.onward.values import OnwardRequest, OnwardResponse
from service_server.settings import OpenIdSettings

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
_TIMEOUT_SECONDS = 10.0
_KEPT_SECONDS = 3600.0
_LEEWAY_SECONDS = 60
_RANDOM_BYTES = 32
_LONGEST_CODE = 4096


class OpenIdFailed(Exception):
    """Nobody was signed in; says why in a way that holds no secret."""


@frozen
class Departure:
    """Where to send the browser; the rest is needed again when it comes back, and is never shown."""

    url: str = field(repr=False)
    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)


@define
class OpenIdProvider:
    """One provider with our client there. What it says of itself, and its keys, are kept for an hour."""

    settings: OpenIdSettings
    redirect_uri: str
    sender: Sender
    _described: Mapping[str, Any] = field(factory=dict, init=False)
    _keys: KeySet | None = field(default=None, init=False)
    _read_at: float = field(default=float("-inf"), init=False)

    async def departure(self) -> Departure:
        """Build the address of the provider's page, with fresh `state`, `nonce` and PKCE; raises OpenIdFailed."""
        described = await self._description()
        state, nonce, verifier = (secrets.token_urlsafe(_RANDOM_BYTES) for _ in range(3))
        parameters = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": self.settings.scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        url = add_params_to_uri(_address(described, "authorization_endpoint"), list(parameters.items()))
        return Departure(url, state, nonce, verifier)

    async def claims(self, code: str, verifier: str, nonce: str, issuer: str | None) -> dict[str, Any]:
        """
        Exchange a code for what the provider says of the person: the claims of the ID token, and those of userinfo.

        `issuer` is what the answer said of itself (RFC 9207). Raises OpenIdFailed.
        """
        described = await self._description()
        if issuer is not None and issuer != self.settings.issuer:
            raise OpenIdFailed("the answer came from another provider")
        if not code or len(code) > _LONGEST_CODE:
            raise OpenIdFailed("the answer holds no code")
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": verifier,
        }
        answer = await self._asked(self._token_request(described, form))
        found = await self._verified(str(answer.get("id_token", "")), nonce)
        wanted = {self.settings.name_claim, self.settings.role_claim}
        if not wanted <= found.keys() and described.get("userinfo_endpoint"):
            bearer = (("authorization", f"Bearer {answer.get('access_token', '')}"), ("accept", "application/json"))
            more = await self._asked(OnwardRequest("GET", _address(described, "userinfo_endpoint"), bearer))
            if more.get("sub") != found["sub"]:
                raise OpenIdFailed("its userinfo is about somebody else")
            found = {**more, **found}
        return found

    def _token_request(self, described: Mapping[str, Any], form: dict[str, str]) -> OnwardRequest:
        headers = [("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json")]
        client_id, secret = self.settings.client_id, self.settings.client_secret
        methods = described.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if not secret:
            form["client_id"] = client_id
        elif "client_secret_basic" in methods:
            pair = f"{quote_plus(client_id)}:{quote_plus(secret)}".encode()
            headers.append(("authorization", f"Basic {base64.b64encode(pair).decode()}"))
        else:
            form |= {"client_id": client_id, "client_secret": secret}
        return OnwardRequest("POST", _address(described, "token_endpoint"), tuple(headers), urlencode(form).encode())

    async def _verified(self, id_token: str, nonce: str) -> dict[str, Any]:
        try:
            try:
                token = jwt.decode(id_token, await self._key_set(), algorithms=_ALGORITHMS)
            except (JoseError, ValueError):
                # The provider may have new keys.
                token = jwt.decode(id_token, await self._key_set(again=True), algorithms=_ALGORITHMS)
            registry = jwt.JWTClaimsRegistry(
                leeway=_LEEWAY_SECONDS,
                iss={"essential": True, "value": self.settings.issuer},
                aud={"essential": True, "value": self.settings.client_id},
                sub={"essential": True},
                exp={"essential": True},
                iat={"essential": True},
                nonce={"essential": True, "value": nonce},
            )
            registry.validate(token.claims)
        except (JoseError, ValueError) as problem:
            raise OpenIdFailed(f"its ID token is not valid ({type(problem).__name__})") from None
        claims = dict(token.claims)
        audience = claims["aud"]
        several = isinstance(audience, list) and len(audience) > 1
        if claims.get("azp", None if several else self.settings.client_id) != self.settings.client_id:
            raise OpenIdFailed("its ID token is for another client")
        if not isinstance(claims["sub"], str) or not claims["sub"]:
            raise OpenIdFailed("its ID token is about nobody")
        return claims

    async def _key_set(self, *, again: bool = False) -> KeySet:
        if self._keys is None or again:
            described = await self._description()
            keys = await self._asked(OnwardRequest("GET", _address(described, "jwks_uri")))
            self._keys = KeySet.import_key_set(cast(Any, keys))
        return self._keys

    async def _description(self) -> Mapping[str, Any]:
        if time.monotonic() - self._read_at > _KEPT_SECONDS:
            url = f"{self.settings.issuer.rstrip('/')}/.well-known/openid-configuration"
            described = await self._asked(OnwardRequest("GET", url, (("accept", "application/json"),)))
            if described.get("issuer") != self.settings.issuer:
                raise OpenIdFailed(f"the provider calls itself another issuer than {self.settings.issuer}")
            self._described, self._keys, self._read_at = described, None, time.monotonic()
        return self._described

    async def _asked(self, request: OnwardRequest) -> dict[str, Any]:
        try:
            answer = await post(self.sender, request, _TIMEOUT_SECONDS)
        except TokenEndpointUnreachable as failure:
            raise OpenIdFailed(f"the provider can't be reached: {failure.reason}") from None
        return _object(answer)


def subject_of(issuer: str, sub: str) -> str:
    """What is kept of a person at a provider, to know them again."""
    return hashlib.sha256(f"{issuer}\n{sub}".encode()).hexdigest()


def allowed_for(settings: OpenIdSettings) -> str:
    """The host of the issuer, which may be one of the operator's own network."""
    return own_host(settings.issuer)


def _object(answer: OnwardResponse) -> dict[str, Any]:
    try:
        found = read_json(answer.body)
    except ValueError:
        found = None
    if answer.status != 200 or not isinstance(found, dict):
        error = found.get("error") if isinstance(found, dict) else None
        code = f" ({error})" if isinstance(error, str) and error.isascii() and len(error) <= 64 else ""
        raise OpenIdFailed(f"the provider answered {answer.status}{code}")
    return found


def _address(described: Mapping[str, Any], name: str) -> str:
    value = described.get(name)
    if not isinstance(value, str):
        raise OpenIdFailed(f"the provider names no {name}")
    return value
