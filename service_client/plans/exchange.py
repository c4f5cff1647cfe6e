"""One request to the service and everything that goes with it: credentials, retries, errors."""

import json
import random
from collections.abc import Generator, Mapping
from math import inf
from typing import Any
from urllib.parse import quote, urlencode

from attrs import frozen

from service_client.errors import InvalidArgumentError, ServiceTimeoutError, ServiceUnreachableError
from service_client.plans.credentials import Credentials
from service_client.plans.reading import error_of, retry_after
from service_client.plans.values import AskToken, Exchange, HttpRequest, Request, Response, Wait

LONGEST_WAIT = 30.0
"""Seconds; if the service asks for a longer wait before a retry, there is no retry."""

_FIRST_DELAY = 0.5
_TOO_MANY_REQUESTS = 429
_PASSING_STATUSES = (502, 503)
_MAX_IDEMPOTENCY_KEY = 255


@frozen(kw_only=True)
class Settings:
    """What all requests of a client share; `timeout` is in seconds, `retries` counts repeats of a failed request."""

    base_url: str
    credentials: Credentials
    timeout: float
    retries: int


def exchange(request: Request, settings: Settings) -> Exchange:
    """
    Plan one request until it succeeds or finally fails.

    A read is repeated after any failure that may pass by itself, except a timeout after it was sent: by then the
    caller's time is up. A call with an Idempotency-Key is repeated only if it cannot have been executed: after a 429,
    or if there was no connection. Any other write is sent once. A rejected session token is replaced once, for writes
    too, since a 401 means that nothing was done; not for an upload that can't be read again.
    """
    token: str | None = yield from _ask_token(None, settings)
    renewed = False
    attempt = 0
    while True:
        try:
            response: Response = yield _http_request(request, settings, token)
        except ServiceUnreachableError as failure:
            delay = _delay(settings, attempt, 0.0) if _may_repeat(request, failure) else None
            if delay is None:
                raise
        else:
            if 200 <= response.status < 300:
                return response
            if response.status == 401 and not renewed and not _is_spent(request):
                renewed = True
                rejected, token = token, (yield from _ask_token(token, settings))
                if token is not None and token != rejected:
                    continue
            asked = retry_after(response) or 0.0
            delay = _delay(settings, attempt, asked) if _may_repeat(request, response) else None
            if delay is None:
                raise error_of(response, request.is_call)
        yield Wait(delay)
        attempt += 1


def _may_repeat(request: Request, failure: Response | ServiceUnreachableError) -> bool:
    """Tell whether a request that failed like this may be sent again."""
    if isinstance(failure, Response):
        not_executed = failure.status == _TOO_MANY_REQUESTS
        passing = failure.status in _PASSING_STATUSES
    else:
        not_executed = not failure.may_have_executed
        passing = not isinstance(failure, ServiceTimeoutError)
    is_read = request.method == "GET"
    return (not_executed and (is_read or request.idempotency_key is not None)) or (is_read and passing)


def _is_spent(request: Request) -> bool:
    """Whether what was to be uploaded can't be read a second time: sent again, it would be an empty file."""
    return bool(getattr(request.upload, "is_spent", False))


def _ask_token(rejected: str | None, settings: Settings) -> Generator[AskToken, Any, str | None]:
    if not settings.credentials.needs_token:
        return None
    token: str | None = yield AskToken(rejected)
    return token


def _delay(settings: Settings, attempt: int, asked: float) -> float | None:
    """Return the seconds to wait before the next attempt, or None if there is no next attempt."""
    if attempt >= settings.retries or asked > LONGEST_WAIT:
        return None
    # Random, so that clients that failed together do not come back together.
    spread = random.uniform(0.5, 1.0)  # noqa: S311  no secret depends on it
    return max(asked, min(LONGEST_WAIT, _FIRST_DELAY * 2.0 ** min(attempt, 10) * spread))


def _http_request(request: Request, settings: Settings, token: str | None) -> HttpRequest:
    headers = {"Accept": "application/json", "Content-Type": request.media_type}
    headers |= settings.credentials.headers(token)
    if request.idempotency_key is not None:
        headers["Idempotency-Key"] = _checked_idempotency_key(request.idempotency_key)
    return HttpRequest(
        request.method,
        settings.base_url + _path(request.segments) + _query(request.query),
        headers,
        request.upload if request.body is None else _json(request.body),
        (settings.timeout if request.timeout is None else checked_timeout(request.timeout)) + request.patience,
    )


def checked_timeout(timeout: float) -> float:
    """Return a timeout; refuse one that cannot be kept."""
    if not 0 < timeout < inf:
        raise InvalidArgumentError("timeout must be a number of seconds above 0.")
    return timeout


def _path(segments: tuple[str, ...]) -> str:
    return "".join(f"/{_segment(segment)}" for segment in segments)


def _segment(name: str) -> str:
    # Browsers resolve dot segments before sending, so the request would reach another path.
    if name in ("", ".", ".."):
        raise InvalidArgumentError(f"{name!r} cannot be the name or id of anything in the service.")
    try:
        return quote(name, safe="")
    except UnicodeEncodeError as error:
        raise InvalidArgumentError("A name or id holds a lone surrogate.") from error


def _query(values: Mapping[str, str | float | bool | None]) -> str:
    given = {
        name: "true" if value is True else value
        for name, value in values.items()
        if value is not None and value is not False
    }
    try:
        return f"?{urlencode(given, quote_via=quote)}" if given else ""
    except UnicodeEncodeError as error:
        raise InvalidArgumentError("A text holds a lone surrogate.") from error


def _json(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"The arguments cannot be written as JSON: {error}") from error


def _checked_idempotency_key(key: str) -> str:
    if not 1 <= len(key) <= _MAX_IDEMPOTENCY_KEY or not key.isascii() or not key.isprintable() or key != key.strip():
        raise InvalidArgumentError(
            f"idempotency_key must be 1 to {_MAX_IDEMPOTENCY_KEY} printable ASCII characters without a space at an end."
        )
    return key
