"""Reads the answers of token endpoints, as they are in the wild. Does no I/O."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from attrs import field, frozen

from service_server.onward.values import OnwardResponse

_ERROR_CODE = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")
_LONGEST_LIFETIME_SECONDS = 10 * 366 * 86_400.0
_LONGEST_TOKEN = 32_768


@frozen
class TokenAnswer:
    """Tokens and what came with them; `lifetime_seconds` is None when the provider named no end."""

    token: Mapping[str, Any] = field(repr=False)
    lifetime_seconds: float | None


class TokenRefused(Exception):
    """The provider understood and said no; `code` is its OAuth error code, None when it gave none."""

    def __init__(self, code: str | None) -> None:
        super().__init__(code or "no reason given")
        self.code = code


class TokenAnswerUnreadable(Exception):
    """Neither tokens nor a refusal: the provider is broken, overloaded, or not a token endpoint. Holds no body."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_token_answer(response: OnwardResponse) -> TokenAnswer:
    """
    Read an answer, whatever its form: JSON or form-encoded, an error in a 200, a refusal with an empty body.

    Raises:
        TokenRefused: the provider's no.
        TokenAnswerUnreadable: anything that is neither.
    """
    body = _fields(response)
    if 200 <= response.status < 300 and is_token(body.get("access_token")):
        return TokenAnswer(
            {name: value for name, value in body.items() if value not in (None, "")}, lifetime(body.get("expires_in"))
        )
    code = body.get("error")
    if response.status < 500 and response.status != 429:
        if isinstance(code, str) and code:
            raise TokenRefused(code if _ERROR_CODE.match(code) else None)
        if code or (response.status in (400, 401) and not _is_page(response)):
            raise TokenRefused(None)
    raise TokenAnswerUnreadable(f"the token endpoint answered {response.status} without a token")


def _fields(response: OnwardResponse) -> dict[str, Any]:
    text = response.body.decode("utf-8", "replace").strip()
    if text.startswith("{"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}
    if "=" in text and not text.startswith("<"):
        try:
            return dict(parse_qsl(text, max_num_fields=100))
        except ValueError:
            return {}
    return {}


def _is_page(response: OnwardResponse) -> bool:
    """A page of HTML comes from a proxy or firewall in between, not from the provider's OAuth code."""
    return "html" in response.headers.get("content-type", "") or response.body.lstrip()[:1] == b"<"


def is_token(value: Any) -> bool:
    """Whether a value can be a token: something that fits into a header."""
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_TOKEN and value.isascii() and value.isprintable()


def lifetime(value: Any) -> float | None:
    """Read how long a token lives, as a number or text; None where that says nothing or that it never ends."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(seconds) or seconds <= 0:
        return None  # some providers say 0 for "doesn't end"
    return min(seconds, _LONGEST_LIFETIME_SECONDS)
