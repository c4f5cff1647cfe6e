"""What answers of an app mean beyond their status: who must reconnect, who must wait, and how long."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal, TypeAlias

from attrs import field, frozen

from service_server.catalog.format.connector import DeclaredRetry
from service_server.catalog.format.keys import several
from service_server.onward.values import OnwardResponse

_DEFAULT: Final = DeclaredRetry()

ErrorKind: TypeAlias = Literal["reconnect", "rate_limited", "forbidden"]

ANY_ITEM: Final = "*"

# What an app says in words, it says first; and no pattern takes long for as little text.
_LOOKED_THROUGH = 4096

# A larger number in a header such as X-RateLimit-Reset is a moment (Unix time), a smaller one a number of seconds.
_EARLIEST_MOMENT = 1_000_000_000
_EARLIEST_IN_MILLISECONDS = _EARLIEST_MOMENT * 1000


@frozen(kw_only=True)
class ErrorRule:
    """
    A kind of error and how to tell it: all of status, headers and parts of the body given must fit.

    `forbidden` is an answer that refuses this one call, not the credentials, though its status is 401.

    An empty set of texts for a header or a part of the body means that it only has to be there. In the path of such a
    part a number is an item of a list, and `*` any item. `patterns` are searched for in such parts, `text` in the first
    4 KiB of the answer as it came, for apps that say no in plain words.
    """

    kind: ErrorKind
    statuses: frozenset[int] = frozenset()
    headers: Mapping[str, frozenset[str]] = field(factory=dict)
    body: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = ()
    patterns: tuple[tuple[tuple[str, ...], str], ...] = ()
    text: str | None = None

    def matches(self, response: OnwardResponse, body: Any) -> bool:
        """Whether an answer is such an error."""
        if self.statuses and response.status not in self.statuses:
            return False
        for name, texts in self.headers.items():
            value = response.headers.get(name)
            if value is None or (texts and value not in texts):
                return False
        if self.text is not None and re.search(self.text, _beginning(response)) is None:
            return False
        return all(any(_fits(value, texts) for value in _values(body, keys)) for keys, texts in self.body) and all(
            any(_has(value, pattern) for value in _values(body, keys)) for keys, pattern in self.patterns
        )


def error_kind(rules: Iterable[ErrorRule], response: OnwardResponse, body: Any) -> ErrorKind | None:
    """Tell what kind of error an answer is, by an app's rules or else by its status; None where it is none."""
    declared = declared_kind(rules, response, body)
    if declared is not None:
        return declared
    return {401: "reconnect", 429: "rate_limited"}.get(response.status)  # type: ignore[return-value]


def declared_kind(rules: Iterable[ErrorRule], response: OnwardResponse, body: Any) -> ErrorKind | None:
    """Tell what an app's own rules say of an answer, None where none of them fits."""
    return next((rule.kind for rule in rules if rule.matches(response, body)), None)


def _values(value: Any, keys: tuple[str, ...]) -> Iterator[Any]:
    """Yield what stands at a path, once for every item of a list that the path takes any of."""
    if not keys:
        yield value
        return
    key, *rest = keys
    if isinstance(value, Mapping) and key in value:
        yield from _values(value[key], tuple(rest))
    elif isinstance(value, list) and key == ANY_ITEM:
        for item in value:
            yield from _values(item, tuple(rest))
    elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
        yield from _values(value[int(key)], tuple(rest))


def _beginning(response: OnwardResponse) -> str:
    return response.body[:_LOOKED_THROUGH].decode("utf-8", "replace")


def _has(value: Any, pattern: str) -> bool:
    return isinstance(value, str) and re.search(pattern, value[:_LOOKED_THROUGH]) is not None


def _fits(value: Any, texts: frozenset[str]) -> bool:
    if not texts:
        return value not in (None, [], {})
    if not isinstance(value, str | int | float):
        return False
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text in texts


@frozen(kw_only=True)
class RetryRule:
    """Which failed calls are tried again: at most `max` more times, for these statuses and methods only."""

    max: int = _DEFAULT.max
    statuses: frozenset[int] = frozenset(several(_DEFAULT.statuses))
    methods: frozenset[str] = frozenset(_DEFAULT.methods)
    wait_headers: tuple[str, ...] = ("retry-after",)

    def wait_seconds(self, response: OnwardResponse, now: float | None = None) -> float | None:
        """
        Return how long the app asks us to wait, None when it doesn't say.

        `now` is Unix time, for headers that name a moment.
        """
        for name in self.wait_headers:
            seconds = _seconds(response.headers.get(name, ""), time.time() if now is None else now)
            if seconds is not None:
                return max(0.0, seconds)
        return None


@frozen
class Budget:
    """How many requests an app takes from one account in any span of `window_seconds`."""

    requests: int
    window_seconds: float


def _seconds(text: str, now: float) -> float | None:
    text = text.strip()
    if not text:
        return None
    if text.isascii() and text.replace(".", "", 1).isdigit():
        number = float(text)
        if number > _EARLIEST_IN_MILLISECONDS:
            number /= 1000
        return number - now if number > _EARLIEST_MOMENT else number
    try:
        return parsedate_to_datetime(text).timestamp() - now
    except (ValueError, OverflowError):
        return None
