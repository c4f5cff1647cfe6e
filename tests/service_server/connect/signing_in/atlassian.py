"""
Atlassian as its sign-in is described: tokens open no site until a second call has told which there are.

Sites stand by their ids below one host. Whoever calls without one, or with that of a site the token isn't for, gets
nothing.
"""

from __future__ import annotations  # at run time Message takes no parameters before Python 3.13

import contextlib
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from attrs import define, field

from tests.emulators.pointed import point
from tests.service_server.http_app import Answering, answering
from tests.service_server.processes import RunningService, configure_app, create_application, service

JIRA = ["read:jira-work", "write:jira-work", "read:jira-user"]
SHOP = {"id": "1324a887-45db-1bf4-1e99-ef0ff456d421", "name": "Shop", "url": "https://shop.atlassian.net"}
LABS = {"id": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "name": "Labs", "url": "https://labs.atlassian.net"}
WIKI_ONLY = {**SHOP, "id": "0fe0bd16-0000-4000-8000-000000000000", "scopes": ["read:page:confluence"]}
CLIENT = ("atlassian-client", "atlassian-secret")

App = TypeVar("App", bound="Atlassian")


@define
class Atlassian:
    """What the emulator knows: which sites tokens are for, and what it was asked."""

    url: str = ""
    sites: list[dict[str, Any]] = field(factory=list)
    faulty: bool = False
    codes: set[str] = field(factory=set, repr=False)
    tokens: set[str] = field(factory=set, repr=False)
    refresh_tokens: set[str] = field(factory=set, repr=False)
    paths: list[str] = field(factory=list)

    def reset(self, *sites: dict[str, Any], faulty: bool = False) -> None:
        """Forget what was, and let people into these sites."""
        self.sites = [{"scopes": JIRA, **site} for site in sites]
        self.faulty = faulty
        for kept in (self.codes, self.tokens, self.refresh_tokens, self.paths):
            kept.clear()

    def authorize(self, query: dict[str, str]) -> str:
        """Let the user in at once; where their browser is sent back to."""
        assert {"audience": "api.atlassian.com", "prompt": "consent"}.items() <= query.items()
        code = secrets.token_hex(8)
        self.codes.add(code)
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str]) -> tuple[int, Any]:
        """Give tokens for a code or a refresh token, each once."""
        right = (form.get("client_id"), form.get("client_secret")) == CLIENT
        kept = self.codes if form.get("grant_type") == "authorization_code" else self.refresh_tokens
        given = form.get("code") or form.get("refresh_token", "")
        if not right or given not in kept:
            return 403, {"error": "invalid_grant"}
        kept.discard(given)
        access, refresh = secrets.token_hex(16), secrets.token_hex(16)
        self.tokens.add(access)
        self.refresh_tokens.add(refresh)
        scope = " ".join([*JIRA, "offline_access"])
        tokens = {"access_token": access, "refresh_token": refresh, "expires_in": 3600, "token_type": "Bearer"}
        return 200, {**tokens, "scope": scope}

    def api(self, path: str, authorization: str) -> tuple[int, Any]:
        """Answer what a token's owner may ask."""
        self.paths.append(path)
        if authorization.removeprefix("Bearer ") not in self.tokens:
            return 401, {"code": 401, "message": "Unauthorized"}
        if path == "/oauth/token/accessible-resources":
            return (503, {}) if self.faulty else (200, self.sites)
        for site in self.sites:
            below = path.removeprefix(f"/ex/jira/{site['id']}/rest/api/2")
            if below == "/myself":
                return 200, {"accountId": "5b10", "displayName": "Ada Lovelace"}
            if below == "/project/search":
                return 200, {"values": [{"key": site["name"].upper(), "name": site["name"]}], "total": 1}
        return 404, {"code": 404, "message": "No message available"}


@contextlib.contextmanager
def served_beside(url: str, app: str, folder: Path, replaced: dict[str, str]) -> Iterator[RunningService]:
    """Run the service with a copy of a shipped connector whose sign-in, and what else is replaced, leads to a URL."""
    sign_in = {
        "https://auth.atlassian.com/authorize": f"{url}/authorize",
        "https://auth.atlassian.com/oauth/token": f"{url}/token",
    }
    point(app, folder / "connectors", {**sign_in, **replaced})
    application = create_application(folder / "data", "Acme Helpdesk", "https://host.test")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(folder / "connectors"))
        configure_app(folder / "data", f"emulated_{app}", client_id=CLIENT[0], client_secret=CLIENT[1], variables={})
        allowed = f"emulated_{app}={urlsplit(url).netloc}"
        with service(folder / "data", "--allow-host", allowed, application=application) as started:
            yield started


@contextlib.contextmanager
def emulated(app: App) -> Iterator[App]:
    """Run an emulator on a free loopback port."""

    class Handler(Answering):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            target, headers = urlsplit(self.path), {"Content-Type": "application/json"}
            text = target.query or self.content().decode()
            sent = {name: values[0] for name, values in parse_qs(text).items()}
            if self.command == "POST":
                status, said = app.token(sent)
            elif target.path == "/authorize":
                status, said, headers["Location"] = 302, {}, app.authorize(sent)
            else:
                status, said = app.api(target.path, self.headers.get("Authorization", ""))
            self.answer(status, json.dumps(said).encode(), headers)

    with answering(Handler) as app.url:
        yield app
