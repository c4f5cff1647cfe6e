"""Keeps the latest requests for a test to look at; no secret is kept."""

import json
from collections import deque
from typing import Any

from attrs import define

from examples.sandbox_app.messages import Refusal, Request, single_values

KEPT = 1000
REDACTED = "[redacted]"
SECRET_NAMES = frozenset(
    {
        "access_token",
        "api_key",
        "client_secret",
        "code",
        "code_verifier",
        "csrf_token",
        "next",
        "password",
        "refresh_token",
        "state",
        "token",
    }
)


@define
class Entry:
    """A request as received and what became of it; `auth` names the kind of credential and whose it is."""

    number: int
    at: str
    method: str
    path: str
    query: dict[str, list[str]]
    auth: dict[str, str | None]
    body: Any
    status: int | None = None
    fault: str | None = None


class RequestLog:
    """The latest requests, oldest first."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._number = 0

    def add(self, request: Request, at: str) -> Entry:
        """Note a request that has just come in."""
        self._number += 1
        anonymous: dict[str, str | None] = {"kind": "none", "user": None}
        query = {name: [REDACTED] if name in SECRET_NAMES else values for name, values in request.query.items()}
        entry = Entry(self._number, at, request.method, request.path, query, anonymous, _readable_body(request))
        self._entries.append(entry)
        return entry

    def entries(self, path: str | None = None) -> list[Entry]:
        """The requests, all or those to one path."""
        return [entry for entry in self._entries if path in (None, entry.path)]

    def reset(self) -> None:
        """Forget all of it; numbers go on."""
        self._entries.clear()


def _readable_body(request: Request) -> Any:
    if not request.body:
        return None
    if request.content_type() == "application/json":
        try:
            return _redact(json.loads(request.body))
        except (ValueError, RecursionError):
            return f"{len(request.body)} bytes that are not JSON"
    if request.content_type() == "application/x-www-form-urlencoded":
        try:
            return _redact(single_values(request.body))
        except Refusal:
            return REDACTED  # cannot be taken apart, so a secret in it cannot be found
    return f"{len(request.body)} bytes"


def _redact(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: REDACTED if name in SECRET_NAMES else _redact(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_redact(inner) for inner in value]
    return value
