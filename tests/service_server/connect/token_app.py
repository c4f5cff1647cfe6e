"""A third-party app with every way of signing in but a provider's page, and a connector for it."""

from __future__ import annotations  # at run time Message takes no parameters before Python 3.13

import base64
import contextlib
import json
import secrets
import time
from collections.abc import Callable, Iterator
from email.message import Message
from typing import Any
from urllib.parse import parse_qs, urlsplit

from attrs import define, field
from joserfc import jwk, jwt
from joserfc.errors import JoseError

from tests.service_server.catalog.connector_folder import known_at
from tests.service_server.function_files import query
from tests.service_server.http_app import Answering, answering

USER = {"id": "u-ada", "name": "Ada (Analytical Engines)"}
ITEMS = [1, 2, 3, 4, 5]
CLIENT = ("ada-client", "client:secret with spaces & signs")
LOGIN = ("ada", "correct horse battery staple")
HEX_SECRET = secrets.token_hex(32)
RSA_KEY = jwk.RSAKey.generate_key(2048)
EC_KEY = jwk.ECKey.generate_key("P-256")
BEARER = {"header": {"Authorization": "Bearer ${token.access_token}"}}


@define
class TokenApp:
    """The app's state: who may come in, which tokens live, and what it was asked for."""

    url: str = ""
    admits: bool = True
    lifetime: float | None = 3600
    fault: str = ""
    tokens: dict[str, float] = field(factory=dict, repr=False)
    refresh_tokens: set[str] = field(factory=set, repr=False)
    issued: list[str] = field(factory=list)
    asked: list[dict[str, str]] = field(factory=list, repr=False)

    def reset(self) -> None:
        """Let everyone in again and forget what was."""
        self.admits, self.lifetime, self.fault = True, 3600, ""
        for kept in (self.tokens, self.refresh_tokens, self.issued, self.asked):
            kept.clear()

    def issue(self, grant: str) -> str:
        """Make a token."""
        token = secrets.token_hex(16)
        self.tokens[token] = time.time() + (self.lifetime or 1e9)
        self.issued.append(grant)
        return token

    def knows(self, authorization: str) -> bool:
        """Whether a request's credentials are right."""
        scheme, _, value = authorization.partition(" ")
        if not self.admits:
            return False
        if scheme == "Basic":
            return _basic(authorization) == LOGIN
        return self.tokens.get(value, 0) > time.time() or _is_signed(value, EC_KEY, "ES256") or self._is_hex(value)

    def _is_hex(self, value: str) -> bool:
        return _is_signed(value, jwk.OctKey.import_key(bytes.fromhex(HEX_SECRET)), "HS256")


def _is_signed(token: str, key: Any, algorithm: str) -> bool:
    try:
        claims = jwt.decode(token, key, algorithms=[algorithm]).claims
    except (JoseError, ValueError):
        return False
    return bool(claims["iss"] == "ada" and claims["iat"] <= time.time() <= claims["exp"])


def _basic(authorization: str) -> tuple[str, str]:
    try:
        name, _, password = base64.b64decode(authorization.partition(" ")[2]).decode().partition(":")
    except ValueError:
        return "", ""
    return name, password


def _me(app: TokenApp, headers: Message[str, str], _: dict[str, str]) -> tuple[int, Any]:
    return (200, USER) if app.knows(headers.get("Authorization", "")) else (401, {"error": "who are you?"})


def _list(app: TokenApp, headers: Message[str, str], query: dict[str, str]) -> tuple[int, Any]:
    if not app.knows(headers.get("Authorization", "")):
        return 401, {"error": "who are you?"}
    page, size = int(query.get("page", "1")), int(query.get("size", "5"))
    return 200, {"items": ITEMS[(page - 1) * size : page * size], "pages": -(-len(ITEMS) // size)}


def _token(app: TokenApp, headers: Message[str, str], form: dict[str, str]) -> tuple[int, Any]:
    app.asked.append(form)
    if app.fault:
        return (503, {}) if app.fault == "down" else (400, {"error": app.fault})
    grant = form.get("grant_type", "")
    if grant == "client_credentials":
        sent = _basic(headers.get("Authorization", "")) if "Authorization" in headers else None
        # RFC 6749 2.3.1 wants both form-encoded inside Basic; many servers want them as they are.
        client = sent or (form.get("client_id", ""), form.get("client_secret", ""))
        right = app.admits and client == CLIENT
    else:
        right = app.admits and _is_signed(form.get("assertion", ""), RSA_KEY, "RS256")
    if not right:
        return 401, {"error": "invalid_client"}
    answer = {"access_token": app.issue(grant), "token_type": "bearer"}
    return 200, answer if app.lifetime is None else {**answer, "expires_in": str(int(app.lifetime))}


def _login(app: TokenApp, _: Message[str, str], body: dict[str, str]) -> tuple[int, Any]:
    app.asked.append(body)
    if not app.admits or (body.get("user"), body.get("password")) != LOGIN:
        return 403, {"problem": "wrong name or password"}
    return 200, _session(app, "login")


def _renew(app: TokenApp, _: Message[str, str], body: dict[str, str]) -> tuple[int, Any]:
    token = body.get("refresh_token", "")
    if not app.admits or token not in app.refresh_tokens:
        return 401, {"problem": "this session has ended"}
    app.refresh_tokens.discard(token)
    return 200, _session(app, "renew")


def _session(app: TokenApp, grant: str) -> dict[str, Any]:
    refresh = secrets.token_hex(16)
    app.refresh_tokens.add(refresh)
    milliseconds = int((app.lifetime or 0) * 1000)
    return {"session": {"key": app.issue(grant), "next": refresh, "ms": milliseconds}}


def _nothing(_app: TokenApp, _headers: Message[str, str], _query: dict[str, str]) -> tuple[int, Any]:
    return 404, {"problem": "nothing here"}


def _logout(app: TokenApp, headers: Message[str, str], _: dict[str, str]) -> tuple[int, Any]:
    app.tokens.pop(headers.get("Authorization", "").removeprefix("Bearer "), None)
    return 200, {}


ROUTES: dict[str, Callable[[TokenApp, Message[str, str], dict[str, str]], tuple[int, Any]]] = {
    "/me": _me,
    "/list": _list,
    "/token": _token,
    "/login": _login,
    "/renew": _renew,
    "/logout": _logout,
}


@contextlib.contextmanager
def token_app() -> Iterator[TokenApp]:
    """Run the app on a free loopback port."""
    app = TokenApp()

    class Handler(Answering):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            target, text = urlsplit(self.path), self.content().decode()
            if "json" in self.headers.get("Content-Type", ""):
                sent = json.loads(text)
            else:
                sent = {name: values[0] for name, values in parse_qs(text or target.query).items()}
            status, said = ROUTES.get(target.path, _nothing)(app, self.headers, sent)
            self.answer(status, json.dumps(said).encode(), {"Content-Type": "application/json"})

    with answering(Handler) as app.url:
        yield app


def connector(url: str) -> dict[str, Any]:
    """The app's connector file."""
    login = {
        "type": "token_exchange",
        "title": "Log in",
        "fields": {"user": {"title": "User", "secret": False}, "password": {"title": "Password"}},
        "login": {"post": "/login", "body": {"user": "${creds.user}", "password": "${creds.password}"}},
        "token": {
            "access_token": "body.session.key",
            "refresh_token": "body.session.next",
            "expires_in": {"from": "body.session.ms", "unit": "ms"},
        },
        "inject": BEARER,
    }
    renewal = {"request": {"post": "/renew", "body": {"refresh_token": "${token.refresh_token}"}}}
    token_url = {"token_url": f"{url}/token"}
    service = {"type": "oauth2_client_credentials", "title": "Service account", **token_url, "inject": BEARER}
    in_body = {"client_auth": "body", "token_parameters": {"resource": "urn:acme"}}
    fields = {"name": {"title": "Name", "secret": False}, "key": {"title": "Private key", "multiline": True}}
    signed = {"type": "jwt", "title": "Signed", "claims": {"iss": "${creds.name}"}, "key": "${creds.key}"}
    signed |= {"inject": BEARER, "fields": fields}
    short = {"fields": {**fields, "key": {"title": "Secret"}}, "key_encoding": "hex"}
    return known_at(
        url,
        {"id": "basic", "type": "basic", "title": "User name and password"},
        {"id": "service", **service, "scopes": {"default": ["read", "write"]}},
        {"id": "service_body", **service, **in_body},
        {"id": "exchanged", **signed, **token_url, "algorithm": "RS256", "header": {"kid": "key-1"}},
        {"id": "signed", **signed, "algorithm": "ES256", "lifetime": "10m"},
        {"id": "signed_hex", **signed, **short, "algorithm": "HS256"},
        {"id": "login", **login, "refresh": renewal, "logout": {"post": "/logout"}},
        {"id": "login_again", **login},
    )


WHO_AM_I = query({"get": "/me"}, title="Who am I", description="Tell who is signed in.")


def right_answers() -> dict[str, dict[str, str]]:
    """What a user types in, by way of signing in."""
    client = {"client_id": CLIENT[0], "client_secret": CLIENT[1]}
    login = {"user": LOGIN[0], "password": LOGIN[1]}
    return {
        "basic": {"username": LOGIN[0], "password": LOGIN[1]},
        "service": client,
        "service_body": client,
        "exchanged": {"name": "ada", "key": RSA_KEY.as_pem(private=True).decode().replace("\n", "\r\n")},
        "signed": {"name": "ada", "key": EC_KEY.as_pem(private=True).decode()},
        "signed_hex": {"name": "ada", "key": HEX_SECRET},
        "login": login,
        "login_again": login,
    }
