"""The ways to sign in to Trello, by the connector as it ships, against an emulator: Atlassian's page, and a key."""

import base64
import contextlib
import hashlib
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from tests.service_server.connect.signing_in.atlassian import Atlassian, emulated, served_beside
from tests.service_server.connect.signing_in.attempts import Browser, call, names

pytestmark = pytest.mark.slow

APP = "emulated_trello"
SCOPES = ["read:member:trello", "read:board:trello", "write:board:trello", "offline_access"]
KEY, TOKEN = "0" * 32, "ATTA" + "1" * 72


@define
class Trello(Atlassian):
    """Atlassian's sign-in with PKCE, and an API that takes its tokens as well as keys; what they were asked."""

    asked: dict[str, str] = field(factory=dict)
    authorizations: list[str] = field(factory=list)

    def authorize(self, query: dict[str, str]) -> str:
        """Let the user in at once; where their browser is sent back to."""
        assert "audience" not in query  # which is for apps with sites
        self.asked = query
        return super().authorize({**query, "audience": "api.atlassian.com"})

    def token(self, form: dict[str, str]) -> tuple[int, Any]:
        """Give tokens for a code whose verifier is right."""
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert self.asked["code_challenge"] == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        status, answer = super().token(form)
        return status, {**answer, "scope": self.asked["scope"]}

    def api(self, path: str, authorization: str) -> tuple[int, Any]:
        """Answer what a member may ask, who is let in by a bearer token or by key and token."""
        self.authorizations.append(authorization)
        if path == "/1/members/me":
            return 200, {"id": "5b10", "username": "ada", "fullName": "Ada Lovelace"}
        return 200, [{"id": "b1", "name": "Roadmap"}]


def test_both_ways_lead_to_one_account(tmp_path: Path) -> None:
    """It has the member's name; calls go by the token of the sign-in, or by the header that Trello wants for a key."""
    with emulated(Trello()) as trello:
        # What was made is linked on trello.com, one of the app's own hosts.
        elsewhere = {"docs_url: https://developer.atlassian.com": "docs_url: https://trello.com"}
        replaced = {"https://api.trello.com": trello.url, **elsewhere}
        with served_beside(trello.url, "trello", tmp_path, replaced) as served:
            for way in ("page", "key"):
                with contextlib.closing(Browser(served, APP, "ada")) as browser:
                    shown = browser.sign_in() if way == "page" else browser.type_in("token", key=KEY, token=TOKEN)
                assert "is connected" in shown.text, shown.text
                answer = call(served, "ada", f"{APP}-list-boards").json()
                assert [{"id": "b1", "name": "Roadmap"}] == answer["output"], answer
            assert ["Ada Lovelace (ada)"] == names(served, APP, "ada")

    assert SCOPES == trello.asked["scope"].split(" ")
    (bearer,) = trello.tokens
    by_key = f'OAuth oauth_consumer_key="{KEY}", oauth_token="{TOKEN}"'
    assert [f"Bearer {bearer}"] * 2 + [by_key] * 2 == trello.authorizations
