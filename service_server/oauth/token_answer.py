"""Reads the answers of token endpoints as they come in practice. Does no I/O."""

import math
import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qsl

from attrs import field, frozen

from service_server.json_texts.foreign import read_json
from service_server.onward.values import OnwardResponse

_ERROR_CODE = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")
_LONGEST_LIFETIME_SECONDS = 10 * 366 * 86_400.0
_LONGEST_TOKEN = 32_768
_LONGEST_ANSWER = 256 * 1024  # bytes
_REFUSING = frozenset({400, 401, 403})


@frozen
class TokenAnswer:
    """Tokens and what came with them; `lifetime_seconds` is None when the provider named no end."""

    token: Mapping[str, Any] = field(repr=False)
    lifetime_seconds: float | None


Trouble: TypeAlias = Literal["passing", "unexplained", "not_tokens"]


class TokenRefused(Exception):
    """
    The provider understood and refused; `code` is its OAuth error code.

    It is None where there are no such codes: for an app's own login, and for a key that can't sign.
    """

    def __init__(self, code: str | None) -> None:
        super().__init__(code or "no reason given")
        self.code = code


class TokenAnswerUnreadable(Exception):
    """
    Neither tokens nor a known refusal. Holds no body.

    `kind` tells what to do: wait (`passing`: overloaded or out of order), look at what was sent (`unexplained`: a 4xx
    without an OAuth error, which may be a refusal or maintenance), or look at the address (`not_tokens`).
    """

    def __init__(self, reason: str, kind: Trouble = "not_tokens") -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind: Trouble = kind


def read_token_answer(response: OnwardResponse) -> TokenAnswer:
    """
    Read an answer in any form: JSON or form-encoded, an error in a 200.

    Only an OAuth error is a refusal. An answer that merely has such a status may come from a proxy or a maintenance
    page, and an account that is wrongly taken for refused is lost to its user.

    Raises:
        TokenRefused: the provider refused.
        TokenAnswerUnreadable: anything that is neither.
    """
    body = _fields(response)
    if 200 <= response.status < 300 and is_token(body.get("access_token")):
        return TokenAnswer(
            {name: value for name, value in body.items() if value not in (None, "")}, lifetime(body.get("expires_in"))
        )
    code = body.get("error")
    if is_passing(response.status):
        raise TokenAnswerUnreadable(f"the token endpoint answered {response.status}", "passing")
    if isinstance(code, str) and _ERROR_CODE.match(code):
        raise TokenRefused(code)
    if code or (response.status in _REFUSING and not is_page(response)):
        raise TokenAnswerUnreadable(
            f"the token endpoint answered {response.status} without saying why by an OAuth error", "unexplained"
        )
    raise TokenAnswerUnreadable(f"the token endpoint answered {response.status} with {_contents(response, body)}")


def is_passing(status: int) -> bool:
    """Whether a status means trouble that ends by itself."""
    return status >= 500 or status in (408, 425, 429)


def _contents(response: OnwardResponse, body: Mapping[str, Any]) -> str:
    """Say what came in place of a token, without repeating any of it."""
    if 300 <= response.status < 400:
        return "a redirect to another address, which token requests don't follow"
    if not response.body.strip():
        return "nothing"
    if is_page(response):
        return "a web page"
    if "access_token" in body:
        return "an access_token that can't be one"
    return "no access_token in it"


def is_page(response: OnwardResponse) -> bool:
    """Whether it is an HTML page, as a proxy, a firewall or a sign-in form sends in place of an API's answer."""
    return "html" in response.headers.get("content-type", "").lower() or response.body.lstrip()[:1] == b"<"


def _fields(response: OnwardResponse) -> dict[str, Any]:
    if len(response.body) > _LONGEST_ANSWER:
        return {}
    text = response.body.decode("utf-8", "replace").strip()
    if text.startswith("{"):
        try:
            value = read_json(text)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}
    if "=" in text and not text.startswith("<"):
        try:
            return dict(parse_qsl(text, max_num_fields=100))
        except ValueError:
            return {}
    return {}


def is_token(value: Any) -> bool:
    """Whether a value can be a token: something that fits into a header."""
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_TOKEN and value.isascii() and value.isprintable()


def lifetime(value: Any) -> float | None:
    """Read how long a token lives, as a number or text; None if that says nothing, or that it never ends."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(seconds) or seconds <= 0:
        return None  # some providers say 0 for "doesn't end"
    return min(seconds, _LONGEST_LIFETIME_SECONDS)
