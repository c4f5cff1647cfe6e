"""Credentials are kept only when the app says whose account they are of."""

from typing import Any

import pytest
from attrs import evolve

from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.verification import choices_of, verify
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse
from tests.service_server.shipped import shipped_catalog


class _Answers:
    """Stands in for the way out: gives one answer to whatever is sent."""

    def __init__(self, body: bytes, status: int, content_type: str) -> None:
        self._answer = (status, {"content-type": content_type}, body)

    async def fetch(self, request: OnwardRequest, rules: HostRules, **_: object) -> OnwardResponse:
        """Answer to anything."""
        return OnwardResponse(*self._answer, request.url)


TOO_OFTEN = b'{"err": {"code": 104, "msg": "Maximum number of login attempts exceeded."}, "stat": "fail"}'
LOGIN_PAGE = b"<!doctype html><title>Sign in</title>"
CONTEXTS: dict[str, dict[str, Any]] = {
    "kinto": {"vars": {"server_url": "https://kinto.example", "issuer": "https://login.example"}},
    "zendesk": {"vars": {"subdomain": "acmee"}, "creds": {"email": "a@acme.example", "api_token": "t"}},
    "sendgrid": {"vars": {"host": "api.sendgrid.com"}, "creds": {"api_key": "SG.a.b"}},
    "review_board": {"vars": {"server_url": "https://reviews.example"}},
    "trello": {"creds": {"key": "k", "token": "t"}},
}


async def verified(
    app: str,
    body: bytes,
    status: int = 200,
    *,
    content_type: str = "application/json",
    bearer: str = "dead",
    way: int = -1,
    **declared: Any,
) -> Any:
    """The identity that an answer to the test request of a shipped connector tells."""
    connector = evolve(shipped_catalog().connectors[app], **declared)
    context = {"vars": {}, "creds": {}, "token": {"access_token": bearer}} | CONTEXTS[app]
    return await verify(_Answers(body, status, content_type), connector, connector.auth[way], context)


async def setback(app: str, body: bytes, status: int = 200, **options: Any) -> Setback:
    """What comes of an answer that tells none."""
    with pytest.raises(Setback) as raised:
        await verified(app, body, status, **options)
    return raised.value


@pytest.mark.parametrize(
    ("app", "body", "status", "said", "about"),
    [
        # An app that answers 200 to a token it does not know must not make a connected account.
        ("kinto", b'{"project_name": "kinto"}', 200, "did not recognise the account", "credentials"),
        # An object where the connector looks for the account's id is not kept as Python would write it.
        ("kinto", b'{"user": {"id": {"oidc": "a"}}}', 200, "not in the way this service expects", None),
        # What a connector reads as a rate limit is said to be one, also where the app answers it with 401.
        ("review_board", TOO_OFTEN, 401, "busy", None),
        ("zendesk", b"{}", 503, "Try again later", None),
    ],
)
async def test_who_is_not_named_is_not_connected(
    app: str, body: bytes, status: int, said: str, about: str | None
) -> None:
    """The page says what it is about: what was typed in, or nobody's typing."""
    came = await setback(app, body, status, way=0)

    assert said in came.text
    assert about == came.about


async def test_an_answer_that_names_the_user_is_an_account() -> None:
    """If it does so by the very token, the name is redacted, the identity hashed, and both still tell."""
    body = b'{"user": {"id": "oidc:%s", "profile": {"name": "Alice %s"}}}'
    alice = await verified("kinto", body % (b"alice", b"A."), way=0)
    tokens = ("living-token-0001", "living-token-0002")
    named = [await verified("kinto", body % (each.encode(), each.encode()), bearer=each, way=0) for each in tokens]

    assert ("oidc:alice", "Alice A.") == (alice.external_id, alice.display_name)
    assert all(token not in f"{identity}" for token in tokens for identity in named)
    assert named[0].external_id != named[1].external_id
    assert "Alice [redacted]" in named[0].display_name


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        (LOGIN_PAGE, "text/html; charset=utf-8", "a web page"),
        (LOGIN_PAGE, "application/json", "a web page"),
        (b" \n", "application/json", "nothing"),
        (b"", "", "nothing"),
        (b"[1]", "application/json", "something other than a JSON object"),
        (b"OK", "text/plain", "something other than a JSON object"),
    ],
)
@pytest.mark.parametrize("app", ["sendgrid", "zendesk"])
async def test_what_no_api_answers_connects_nobody(app: str, body: bytes, content_type: str, said: str) -> None:
    """A 200 with a sign-in page, with nothing or with something else than an object is no account, named or not."""
    came = await setback(app, body, content_type=content_type)

    assert said in came.text
    assert came.about is not None


@pytest.mark.parametrize(
    ("declared", "body", "connects"),
    [
        ("list", b"[1]", True),
        ("list", b"[]", True),
        ("list", b"{}", False),
        ("any", b"", True),
        ("any", b"OK", True),
        ("any", LOGIN_PAGE, False),
        ("object", b"{}", True),
    ],
)
async def test_a_connector_says_what_a_right_answer_is(declared: Any, body: bytes, connects: bool) -> None:
    """`test_answer` admits lists, or answers without JSON; a web page is none of them."""
    if connects:
        assert "SendGrid" == (await verified("sendgrid", body, test_answer=declared)).display_name
    else:
        assert "and try again" in " ".join((await setback("sendgrid", body, test_answer=declared)).steps)


@pytest.mark.parametrize(
    ("app", "status", "checks", "about"),
    [
        ("zendesk", 404, "Subdomain", "address"),
        ("zendesk", 302, "Subdomain", "address"),
        ("zendesk", 400, "Subdomain, E-mail address and API token", "everything"),
        ("zendesk", 422, "Subdomain, E-mail address and API token", "everything"),
        ("trello", 404, "API key and Token", "everything"),  # there is no address
    ],
)
async def test_a_mistyped_name_is_pointed_at(app: str, status: int, checks: str, about: str) -> None:
    """What an app answers where nothing is names the fields to look at, and doesn't ask to wait."""
    came = await setback(app, b"{}", status)

    assert (f"Check {checks}, and try again.", about) == (" ".join(came.steps), came.about)
    assert f"it answered {status}" in came.text
    assert "later" not in came.text


@pytest.mark.parametrize(
    ("body", "said", "reason"),
    [
        (b'{"sites": []}', "not in the way", "there is no list where then.output leads"),
        (b'[{"cloudId": "1", KNOWN}]', "not in the way", "the only entry lacks id"),
        (b'[{"key": 1, KNOWN}, {KNOWN}]', "not in the way", "all 2 entries lack id"),
        (b'[{"id": "a/../b", KNOWN}]', "has no Site", "none of the 1 it lists fits vars.cloud_id"),
        (b"[]", "has no Site", "it lists none"),
    ],
)
async def test_what_is_wrong_with_choices_is_told_apart(body: bytes, said: str, reason: str) -> None:
    """Nobody is sent to ask for access where it is the connector that looks for the wrong key."""
    connector = shipped_catalog().connectors["jira"]
    method = connector.auth[0]
    body = body.replace(b"KNOWN", b'"name": "Shop", "url": "https://shop", "scopes": ["read:jira-work"]')
    context = {"vars": {}, "token": {"access_token": "live"}, "creds": {}}
    answers = _Answers(body, 200, "application/json")
    with pytest.raises(Setback) as caught:
        await choices_of(answers, connector, method, method.then, context)

    assert said in caught.value.text
    assert reason in str(caught.value.reason)
