"""Credentials are kept only when the app says whose account they are of."""

from typing import Any

import pytest
from attrs import evolve

from service_server.catalog.values import Connector
from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.verification import choices_of, verify
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse
from tests.service_server.shipped import shipped_catalog


class _Answers:
    """Stands in for the way out: gives one answer to whatever is sent."""

    def __init__(self, body: bytes, status: int = 200, content_type: str = "application/json") -> None:
        self._body = body
        self._status = status
        self._content_type = content_type

    async def fetch(self, request: OnwardRequest, rules: HostRules, **_: object) -> OnwardResponse:
        """Answer to anything."""
        return OnwardResponse(self._status, {"content-type": self._content_type}, self._body, request.url)


CONTEXT = {
    "vars": {"server_url": "https://kinto.example", "issuer": "https://login.example"},
    "token": {"access_token": "dead"},
    "creds": {},
}


async def test_an_answer_that_names_nobody_is_a_refusal() -> None:
    """An app that answers 200 to a token it does not know must not make a connected account."""
    connector = shipped_catalog().connectors["kinto"]
    with pytest.raises(Setback, match="did not recognise the account"):
        await verify(_Answers(b'{"project_name": "kinto"}'), connector, connector.auth[0], CONTEXT)  # type: ignore[arg-type]


async def test_an_answer_that_names_the_user_is_an_account() -> None:
    """The same call with a living token tells whose account it is."""
    connector = shipped_catalog().connectors["kinto"]
    body = b'{"user": {"id": "oidc:alice", "profile": {"name": "Alice"}}}'
    identity = await verify(_Answers(body), connector, connector.auth[0], CONTEXT)  # type: ignore[arg-type]

    assert "oidc:alice" == identity.external_id


async def test_a_rate_limit_is_no_refusal_of_the_credentials() -> None:
    """What a connector reads as a rate limit is said to be one, also where the app answers it with 401."""
    connector = shipped_catalog().connectors["review_board"]
    body = b'{"err": {"code": 104, "msg": "Maximum number of login attempts exceeded."}, "stat": "fail"}'
    with pytest.raises(Setback, match="busy") as setback:
        await verify(_Answers(body, 401), connector, connector.auth[0], CONTEXT)  # type: ignore[arg-type]

    assert setback.value.about is None


async def test_an_identity_that_holds_the_token_is_not_kept_in_the_clear() -> None:
    """An app that names the user by the very token: the name is redacted, the identity hashed, and both still tell."""
    connector = shipped_catalog().connectors["kinto"]
    tokens = ("living-token-0001", "living-token-0002")
    identities = []
    for token in tokens:
        body = f'{{"user": {{"id": "of {token}", "profile": {{"name": "Alice {token}"}}}}}}'.encode()
        context = {**CONTEXT, "token": {"access_token": token}}
        identities.append(await verify(_Answers(body), connector, connector.auth[0], context))  # type: ignore[arg-type]

    assert all(token not in f"{identity}" for token in tokens for identity in identities)
    assert identities[0].external_id != identities[1].external_id
    assert "Alice [redacted]" in identities[0].display_name


ZENDESK = {"vars": {"subdomain": "acmee"}, "token": {}, "creds": {"email": "a@acme.example", "api_token": "t"}}
SENDGRID: dict[str, Any] = {"vars": {"host": "api.sendgrid.com"}, "token": {}, "creds": {"api_key": "SG.a.b"}}
LOGIN_PAGE = b"<!doctype html><title>Sign in</title>"


async def _setback(connector: Connector, context: dict[str, Any], answers: _Answers, way: int = -1) -> Setback:
    with pytest.raises(Setback) as raised:
        await verify(answers, connector, connector.auth[way], context)  # type: ignore[arg-type]
    return raised.value


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        (LOGIN_PAGE, "text/html; charset=utf-8", "a web page"),
        (LOGIN_PAGE, "application/json", "a web page"),
        (b"", "", "nothing"),
        (b" \n", "application/json", "nothing"),
        (b"[1]", "application/json", "something other than a JSON object"),
        (b"OK", "text/plain", "something other than a JSON object"),
        (b'"ok"', "application/json", "something other than a JSON object"),
    ],
)
@pytest.mark.parametrize("app", ["sendgrid", "zendesk"])
async def test_what_no_api_answers_connects_nobody(app: str, body: bytes, content_type: str, said: str) -> None:
    """A 200 with a sign-in page, with nothing or with something else than an object is no account, named or not."""
    connector, context = shipped_catalog().connectors[app], ZENDESK if app == "zendesk" else SENDGRID
    setback = await _setback(connector, context, _Answers(body, 200, content_type))

    assert said in setback.text
    assert setback.about is not None


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
    connector = evolve(shipped_catalog().connectors["sendgrid"], test_answer=declared)
    if not connects:
        assert "and try again" in " ".join((await _setback(connector, SENDGRID, _Answers(body))).steps)
        return
    identity = await verify(_Answers(body), connector, connector.auth[0], SENDGRID)  # type: ignore[arg-type]

    assert "SendGrid" == identity.display_name


@pytest.mark.parametrize(
    ("status", "checks", "about"),
    [
        (404, "Check Subdomain, and try again.", "address"),
        (302, "Check Subdomain, and try again.", "address"),
        (400, "Check Subdomain, E-mail address and API token, and try again.", "everything"),
        (422, "Check Subdomain, E-mail address and API token, and try again.", "everything"),
    ],
)
async def test_a_mistyped_name_is_pointed_at(status: int, checks: str, about: str) -> None:
    """What an app answers where nothing is names the fields to look at, and doesn't ask to wait."""
    setback = await _setback(shipped_catalog().connectors["zendesk"], ZENDESK, _Answers(b"{}", status))

    assert (checks, about) == (" ".join(setback.steps), setback.about)
    assert f"it answered {status}" in setback.text
    assert "later" not in setback.text


async def test_without_an_address_the_credentials_are_looked_at() -> None:
    """Where the user entered nothing but a key, it is the key that is pointed at."""
    context = {"vars": {}, "token": {}, "creds": {"key": "k", "token": "t"}}
    setback = await _setback(shipped_catalog().connectors["trello"], context, _Answers(b"{}", 404))

    assert ("Check API key and Token, and try again.", "everything") == (" ".join(setback.steps), setback.about)


async def test_an_app_in_trouble_is_waited_for() -> None:
    """A 5xx is nobody's typing."""
    setback = await _setback(shipped_catalog().connectors["zendesk"], ZENDESK, _Answers(b"{}", 503))

    assert "Try again later" in setback.text
    assert setback.about is None


async def test_an_account_that_is_named_by_no_text_is_the_operators_matter() -> None:
    """An object where the connector looks for the account's id is not kept as Python would write it."""
    body = b'{"user": {"id": {"oidc": "alice"}, "profile": {"name": "Alice"}}}'
    setback = await _setback(shipped_catalog().connectors["kinto"], CONTEXT, _Answers(body))

    assert "not in the way this service expects" in setback.text


SITES = {"vars": {}, "token": {"access_token": "live"}, "creds": {}}


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
    assert method.then is not None
    body = body.replace(b"KNOWN", b'"name": "Shop", "url": "https://shop", "scopes": ["read:jira-work"]')
    with pytest.raises(Setback) as caught:
        await choices_of(_Answers(body), connector, method, method.then, SITES)  # type: ignore[arg-type]

    assert said in caught.value.text
    assert reason in str(caught.value.reason)
