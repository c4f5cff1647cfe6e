"""Answers of token endpoints, as they are in the wild."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused, read_token_answer
from service_server.onward.values import OnwardResponse


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
        (0, None),
        (-1, None),
        (None, None),
        ("soon", None),
        (True, None),
        ("nan", None),
        ("inf", None),
        (1e300, 10 * 366 * 86_400.0),
        ([], None),
    ],
)
def test_lifetimes(expires_in: object, lifetime: float | None) -> None:
    """A lifetime may be a number, a text or missing; what can't be one counts as none given."""
    read = read_token_answer(answer({"access_token": "t", "token_type": "bearer", "expires_in": expires_in}))
    assert read.lifetime_seconds == lifetime


def test_form_encoded() -> None:
    """Some providers answer form-encoded, whatever was asked for."""
    read = read_token_answer(answer(b"access_token=t&scope=repo%2Cgist&token_type=bearer", content_type="text/plain"))
    assert read.token == {"access_token": "t", "scope": "repo,gist", "token_type": "bearer"}


def test_null_and_empty_values_are_left_out() -> None:
    """An empty refresh token must not take the place of the one there is."""
    read = read_token_answer(answer({"access_token": "t", "refresh_token": "", "scope": None}))
    assert read.token == {"access_token": "t"}


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (answer({"error": "invalid_grant"}, 400), "invalid_grant"),
        (answer({"error": "bad_verification_code", "error_description": "x"}), "bad_verification_code"),
        (answer(b"error=bad_refresh_token&error_uri=x"), "bad_refresh_token"),
        (answer({"ok": False, "error": "invalid_code"}), "invalid_code"),
        (answer(b"", 400), None),
        (answer(b"", 401), None),
        (answer({"error": {"message": "no"}}, 400), None),
        (answer({"error": "<script>"}, 400), None),
        (answer({"error": "invalid_grant"}, 403), "invalid_grant"),
    ],
)
def test_refusals(response: OnwardResponse, code: str | None) -> None:
    """A no comes as a status, as an error in a 200, or with nothing at all; only plain codes are repeated."""
    with pytest.raises(TokenRefused) as raised:
        read_token_answer(response)
    assert raised.value.code == code


@pytest.mark.parametrize(
    "response",
    [
        answer({"error": "server_error"}, 500),
        answer({"error": "rate_limited"}, 429),
        answer(b"<html>blocked</html>", 400, content_type="text/html"),
        answer(b"", 200),
        answer(b"{", 200),
        answer(b"[" * 100_000, 200),
        answer({"access_token": ""}),
        answer({"access_token": 5}),
        answer({"access_token": "line\nbreak"}),
        answer({"access_token": "t"}, 302),
        answer(b"", 403),
    ],
)
def test_troubles_are_no_refusals(response: OnwardResponse) -> None:
    """What a broken, busy or intercepted endpoint says must not cost the user the connection."""
    with pytest.raises(TokenAnswerUnreadable):
        read_token_answer(response)


@given(body=st.binary(max_size=200), status=st.integers(200, 599))
def test_any_answer_is_one_of_three(body: bytes, status: int) -> None:
    """Whatever comes back is tokens, a refusal or trouble; no message repeats more of it than a short code."""
    said = ""
    try:
        token = read_token_answer(answer(body, status)).token["access_token"]
    except TokenRefused as refusal:
        said = refusal.code or ""
    except TokenAnswerUnreadable as unreadable:
        said = unreadable.reason.removesuffix(f"the token endpoint answered {status} without a token")
    else:
        assert token
    assert len(said) <= 64
    assert said == "" or said.isascii()
