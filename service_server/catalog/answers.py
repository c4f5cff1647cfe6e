"""What answers of an app mean beyond their status: who must reconnect, who must wait, and how long."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from attrs import frozen

from service_server.catalog.format.keys import Duration, Keywords, RegularExpression, Statuses, key, several
from service_server.catalog.regular_expressions import found_in
from service_server.onward.values import OnwardResponse

ErrorKind: TypeAlias = Literal["reconnect", "rate_limited", "forbidden"]

HeaderPath = Annotated[str, Keywords(pattern=r"^header\.[A-Za-z0-9-]+$")]
Searched = Annotated[RegularExpression, Keywords(minLength=1)]
Match = str | float | Literal[True] | Annotated[tuple[str | float, ...], Keywords(minItems=1)]
BodyPath = Annotated[str, Keywords(pattern=r"^([A-Za-z0-9_-]+|\*)(\.([A-Za-z0-9_-]+|\*))*$")]

ANY_ITEM: Final = "*"

# What an app says in words, it says first.
_LOOKED_THROUGH = 4096

# A larger number in a header such as X-RateLimit-Reset is a moment (Unix time), a smaller one a number of seconds.
_EARLIEST_MOMENT = 1_000_000_000
_EARLIEST_IN_MILLISECONDS = _EARLIEST_MOMENT * 1000


@frozen(kw_only=True)
class DeclaredPattern:
    """What a part of a text looks like."""

    pattern: Searched = key("A regular expression that is searched for there.")


@frozen(kw_only=True)
class DeclaredSigns:
    """How to tell: all that is given has to fit."""

    keywords: ClassVar = Keywords(minProperties=1)

    status: Statuses | None = key("A status of the answer, or several.", None)
    header: Mapping[str, Match] = key("Header names with a text, several, or true for any.", {})
    text: Searched | None = key(
        "A regular expression that is searched for in the first 4 KiB of the answer as it came.", None
    )
    body: Mapping[BodyPath, Match | DeclaredPattern] = key(
        "Dotted paths into the body with a text, several, true for any, or {pattern: …} for a part of a text; in a "
        "list 0 is its first item and * any of them.",
        {},
    )

    def fit(self, response: OnwardResponse, body: Any) -> bool:
        """Whether an answer has all of them."""
        beginning = response.body[:_LOOKED_THROUGH].decode("utf-8", "replace") if self.text else ""
        return (
            (self.status is None or response.status in several(self.status))
            and all(_fits(response.headers.get(name.lower()), match) for name, match in self.header.items())
            and (self.text is None or found_in(self.text, beginning))
            and all(
                any(_fits(each, match) for each in _values(body, path.split("."))) for path, match in self.body.items()
            )
        )


@frozen(kw_only=True)
class ErrorRule:
    """What some answers mean."""

    when: DeclaredSigns = key()
    kind: Literal["reconnect", "rate_limited", "forbidden"] = key(
        "forbidden: this call is refused, not the credentials, though the status is 401."
    )
    wait: HeaderPath | Annotated[tuple[HeaderPath, ...], Keywords(minItems=1)] | None = key(
        "The header (or headers, first that is there) that tells how long to wait: seconds, a date or Unix time.", None
    )


@frozen(kw_only=True)
class RetryRule:
    """Which failed calls are tried again."""

    max: Annotated[int, Keywords(minimum=0, maximum=5)] = key("How many more times (default 2).", 2)
    after: Statuses = key("After which statuses (default 429, 502, 503, 504).", (429, 502, 503, 504), name="on")
    methods: tuple[Literal["GET", "HEAD", "PUT", "DELETE"], ...] = key(
        "With which methods (default GET, HEAD); queries are repeated whatever their method, mutations by GET never.",
        ("GET", "HEAD"),
    )
    wait_headers: tuple[str, ...] = ("retry-after",)
    """Where the app says after how long."""

    @property
    def statuses(self) -> tuple[int, ...]:
        """After which statuses."""
        return several(self.after)

    def wait_seconds(self, response: OnwardResponse, now: float | None = None) -> float | None:
        """Return how long the app asks us to wait, None when it doesn't say; `now` is Unix time, for a moment."""
        for name in self.wait_headers:
            seconds = _seconds(response.headers.get(name, ""), time.time() if now is None else now)
            if seconds is not None:
                return max(0.0, seconds)
        return None


@frozen(kw_only=True)
class Budget:
    """
    How many requests the app takes from one account; calls over it wait their turn for a few seconds, and are refused
    beyond that.
    """

    per: Literal["account"] = key("What the requests are counted for.")
    requests: Annotated[int, Keywords(minimum=1, maximum=10000)] = key("How many requests fit into the window.")
    window: Duration = key("Any span of this length, such as 2s or 1m.")


def error_kind(rules: Iterable[ErrorRule], response: OnwardResponse, body: Any) -> ErrorKind | None:
    """Tell what kind of error an answer is, by an app's rules or else by its status; None where it is none."""
    by_status: dict[int, ErrorKind] = {401: "reconnect", 429: "rate_limited"}
    return declared_kind(rules, response, body) or by_status.get(response.status)


def declared_kind(rules: Iterable[ErrorRule], response: OnwardResponse, body: Any) -> ErrorKind | None:
    """Tell what an app's own rules say of an answer, None where none of them fits."""
    return next((rule.kind for rule in rules if rule.when.fit(response, body)), None)


def _values(value: Any, keys: Sequence[str]) -> Iterator[Any]:
    """Yield what stands at a path, once for every item of a list that the path takes any of."""
    if not keys:
        yield value
        return
    key, *rest = keys
    if isinstance(value, Mapping) and key in value:
        yield from _values(value[key], rest)
    elif isinstance(value, list) and key == ANY_ITEM:
        for item in value:
            yield from _values(item, rest)
    elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
        yield from _values(value[int(key)], rest)


def _fits(value: Any, match: Match | DeclaredPattern) -> bool:
    if isinstance(match, DeclaredPattern):
        return isinstance(value, str) and found_in(match.pattern, value[:_LOOKED_THROUGH])
    if match is True:
        return value not in (None, [], {})
    if not isinstance(value, str | int | float):
        return False
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text in map(str, several(match))


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
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, OverflowError):
        return None
