"""
Trello as it is described: Atlassian's sign-in with PKCE, tokens of which each lets in by its scopes, and keys.

A token answers for the member whom it is for, wherever it came from.
"""

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

from attrs import define, field

from tests.service_server.connect.signing_in.atlassian import Atlassian

SCOPES = ["read:member:trello", "read:board:trello", "write:board:trello", "offline_access"]
KEY, TOKEN = "0" * 32, "ATTA" + "1" * 72


@define
class Trello(Atlassian):
    """What the emulator knows: what was asked for and granted, and the challenges of codes."""

    asked: list[str] = field(factory=list)
    granted: list[str] = field(factory=list)
    challenges: dict[str, str] = field(factory=dict, repr=False)
    grants: list[str] = field(factory=list)
    authorizations: list[str] = field(factory=list, repr=False)

    def authorize(self, query: dict[str, str]) -> str:
        """Let the user in at once; where their browser is sent back to."""
        assert {"prompt": "consent", "code_challenge_method": "S256", "response_type": "code"}.items() <= query.items()
        assert "audience" not in query  # which is for apps with sites
        self.asked = query["scope"].split(" ")
        address = super().authorize({**query, "audience": "api.atlassian.com"})
        (code,) = parse_qs(urlsplit(address).query)["code"]
        self.challenges[code] = query["code_challenge"]
        return address

    def token(self, form: dict[str, str]) -> tuple[int, Any]:
        """Give tokens for a code whose verifier is right, or for a refresh token; each once."""
        self.grants.append(form["grant_type"])
        if "code" in form:
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            if self.challenges.get(form["code"]) != base64.urlsafe_b64encode(digest).rstrip(b"=").decode():
                return 403, {"error": "invalid_grant"}
        status, answer = super().token(form)
        if status == 200:
            answer["scope"] = " ".join(self.granted or self.asked)
        return status, answer

    def api(self, path: str, authorization: str) -> tuple[int, Any]:
        """Answer what a member may ask, who is let in by a bearer token or by key and token."""
        self.paths.append(path)
        self.authorizations.append(authorization.partition(" ")[0])
        by_key = f'OAuth oauth_consumer_key="{KEY}", oauth_token="{TOKEN}"'
        if authorization != by_key and authorization.removeprefix("Bearer ") not in self.tokens:
            return 401, "invalid token"
        match path:
            case "/1/members/me":
                return 200, {"id": "5b10", "username": "ada", "fullName": "Ada Lovelace"}
            case "/1/members/me/boards":
                return 200, [{"id": "b1", "name": "Roadmap"}]
            case "/1/lists":
                return 200, {"id": "l1", "name": "Doing", "idBoard": "b1"}
        return 404, "not found"
