"""Answers of token endpoints, as they are in the wild; what they say goes into logs and pages, but never a secret."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused, read_token_answer
from service_server.oauth.token_endpoint import UNDISCLOSED, ask_for_token
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse
from tests.service_server.shipped import shipped_catalog

BASIC = base64.b64encode(b"client:a-client-secret").decode()
REQUEST = OnwardRequest(
    "POST",
    "https://provider.example/token",
    (("authorization", f"Basic {BASIC}"),),
    b"grant_type=refresh_token&refresh_token=A-Refresh-Token&client_id=acme",
)


def answer(body: bytes | dict[str, object], status: int = 200, **headers: str) -> OnwardResponse:
    """An answer of a token endpoint."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return OnwardResponse(status, {name.replace("_", "-"): value for name, value in headers.items()}, content, "")


@pytest.mark.parametrize(
    ("expires_in", "lifetime"),
    [
        (3600, 3600.0),
        ("3600", 3600.0),
        (0.5, 0.5),
        (1e300, 10 * 366 * 86_400.0),
        *((each, None) for each in (0, -1, None, "soon", True, "nan", "inf", [])),
    ],
)
def test_lifetimes(expires_in: object, lifetime: float | None) -> None:
    """A lifetime may be a number, a text or missing; what can't be one counts as none given."""
    read = read_token_answer(answer({"access_token": "t", "token_type": "bearer", "expires_in": expires_in}))
    assert read.lifetime_seconds == lifetime


@pytest.mark.parametrize(
    ("body", "token"),
    [
        (b"access_token=t&scope=repo%2Cgist", {"access_token": "t", "scope": "repo,gist"}),
        ({"access_token": "t", "refresh_token": "", "scope": None}, {"access_token": "t"}),
    ],
)
def test_what_is_read(body: bytes | dict[str, object], token: dict[str, str]) -> None:
    """Some answer form-encoded, whatever was asked for; an empty refresh token doesn't take the place of another."""
    assert token == read_token_answer(answer(body, content_type="text/plain")).token


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (answer({"error": "invalid_grant"}, 400), "invalid_grant"),
        (answer({"error": "bad_verification_code", "error_description": "x"}), "bad_verification_code"),
        (answer(b"error=bad_refresh_token&error_uri=x"), "bad_refresh_token"),
        (answer({"ok": False, "error": "invalid_code"}), "invalid_code"),
        (answer({"error": "invalid_grant"}, 403), "invalid_grant"),
    ],
)
def test_refusals(response: OnwardResponse, code: str) -> None:
    """A no is an OAuth error, with a status of its own or in a 200."""
    with pytest.raises(TokenRefused) as raised:
        read_token_answer(response)
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("response", "kind", "said"),
    [
        (answer({"error": "server_error"}, 500), "passing", "answered 500"),
        (answer({"error": "rate_limited"}, 429), "passing", "answered 429"),
        *(
            (answer(body, status), "unexplained", f"answered {status} without saying why")
            for status in (400, 401, 403)
            for body in ({"message": "maintenance"}, b"", {"error": {"message": "no"}}, {"error": "Down till <b>noon"})
        ),
        (answer(b"<html>blocked</html>", 400, content_type="text/html"), "not_tokens", "answered 400 with a web page"),
        (answer(b"<html>Sign in</html>", 200), "not_tokens", "answered 200 with a web page"),
        (answer(b"", 200), "not_tokens", "answered 200 with nothing"),
        (answer(b"", 404), "not_tokens", "answered 404 with nothing"),
        (answer(b"{", 200), "not_tokens", "with no access_token in it"),
        (answer(b"[" * 100_000, 200), "not_tokens", "with no access_token in it"),
        *(
            (answer({"access_token": each}), "not_tokens", "with an access_token that can't be one")
            for each in ("", 5, "line\nbreak")
        ),
        (answer({"access_token": "t"}, 302), "not_tokens", "with a redirect to another address"),
    ],
)
def test_troubles_are_no_refusals(response: OnwardResponse, kind: str, said: str) -> None:
    """What a broken, busy or intercepted endpoint says costs no one the connection; what was wrong with it is told."""
    with pytest.raises(TokenAnswerUnreadable, match=said) as raised:
        read_token_answer(response)

    assert kind == raised.value.kind


@given(body=st.binary(max_size=200), status=st.integers(200, 599))
def test_any_answer_is_one_of_three(body: bytes, status: int) -> None:
    """Whatever comes back is tokens, a refusal or trouble; no message repeats more of it than a short code."""
    said = f"the token endpoint answered {status}"
    wrong = ("nothing", "a web page", "no access_token in it", "an access_token that can't be one")
    redirect = "a redirect to another address, which token requests don't follow"
    unexplained = f"{said} without saying why by an OAuth error"
    code, reason = "", said
    try:
        assert read_token_answer(answer(body, status)).token["access_token"]
    except TokenRefused as refusal:
        code = refusal.code or ""
    except TokenAnswerUnreadable as unreadable:
        reason = unreadable.reason
    assert len(code) <= 64
    assert code.isascii()
    assert reason in {said, unexplained, *(f"{said} with {each}" for each in (*wrong, redirect))}


@pytest.mark.parametrize(
    "body",
    [
        b'{"access_token": "t", "more": "' + b"x" * 300_000 + b'"}',
        b'{"access_token": "t", "more": [' + b",".join([b"[]"] * 60_000) + b"]}",
        b"access_token=t&more=" + b"%41" * 100_000,
    ],
)
def test_an_answer_that_is_too_large_is_none(body: bytes) -> None:
    """Tokens and what comes with them are short; reading more would keep everybody waiting."""
    with pytest.raises(TokenAnswerUnreadable):
        read_token_answer(answer(body))


class _Refuses:
    """Stands in for the way out: refuses with what it is told."""

    def __init__(self, **body: str) -> None:
        self._body = json.dumps(body).encode()

    async def fetch(self, request: OnwardRequest, rules: HostRules, **_: object) -> OnwardResponse:
        """Answer as a provider that repeats what it likes."""
        return OnwardResponse(400, {}, self._body, request.url)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        *(("A-Refresh-Token", UNDISCLOSED), ("no.a-refresh-token", UNDISCLOSED), ("a-client-secret", UNDISCLOSED)),
        (BASIC.rstrip("="), UNDISCLOSED),
        *((code, code) for code in ("invalid_grant", "invalid_client", "refresh_token", "acme")),
    ],
)
async def test_a_code_that_repeats_a_secret_is_undisclosed(code: str, told: str) -> None:
    """The refusal stands, its words do not: reconnecting is not asked for on the strength of them."""
    with pytest.raises(TokenRefused) as refused:
        await ask_for_token(_Refuses(error=code), REQUEST)
    assert told == refused.value.code
    assert told == code or code not in f"{refused.value!r} {refused.value.__cause__}"


async def test_a_connector_can_tell_a_refusal_without_an_oauth_error() -> None:
    """HubSpot says no in words of its own; its connector's `errors` know them, and other words are no refusal."""
    hubspot = shipped_catalog().connectors["hubspot"]
    with pytest.raises(TokenRefused) as refused:
        await ask_for_token(_Refuses(status="BAD_REFRESH_TOKEN", message="gone"), REQUEST, hubspot)
    with pytest.raises(TokenAnswerUnreadable):
        await ask_for_token(_Refuses(status="MAINTENANCE"), REQUEST, hubspot)

    assert refused.value.code is None
