"""What answers mean: reconnect, slow down, and for how long."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from service_server.answers.bodies import read_body
from service_server.catalog.answers import RetryRule, error_kind
from service_server.onward.values import OnwardResponse
from tests.service_server.catalog.connector_folder import connector_with


def answer(status: int, content: bytes = b"", **headers: str) -> OnwardResponse:
    """Return an answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return OnwardResponse(status, named, content, "https://h/")


REVOKED = [{"when": {"status": 200, "body": {"ok": "false", "error": ["token_revoked"]}}, "kind": "reconnect"}]
LISTED = [
    {"when": {"body": {"errors.*.extensions.code": "RATELIMITED"}}, "kind": "rate_limited"},
    {"when": {"body": {"errors.0.extensions.code": "AUTHENTICATION_ERROR"}}, "kind": "reconnect"},
]
THERE = [{"when": {"body": {"errors": True}}, "kind": "forbidden"}]
IN_WORDS = [
    {"when": {"text": r"\ART/[\d.]+ 401 "}, "kind": "reconnect"},
    {"when": {"status": 200, "body": {"error.message": {"pattern": "^Quota"}}}, "kind": "rate_limited"},
]


def listed(*codes: str) -> dict[str, Any]:
    """Return a body that lists errors, as GraphQL does."""
    return {"errors": [{"extensions": {"code": code}} for code in codes]}


@pytest.mark.parametrize(
    ("rules", "body", "expected"),
    [
        (REVOKED, {"ok": False, "error": "token_revoked"}, "reconnect"),
        (REVOKED, {"ok": False, "error": "other"}, None),
        (REVOKED, {"ok": True, "error": "token_revoked"}, None),
        (REVOKED, [], None),
        (REVOKED, None, None),
        (LISTED, listed("OTHER", "RATELIMITED"), "rate_limited"),
        (LISTED, listed("AUTHENTICATION_ERROR"), "reconnect"),
        (LISTED, listed("X", "AUTHENTICATION_ERROR"), None),
        (LISTED, {"errors": [{"message": "no code"}]}, None),
        (LISTED, {"errors": []}, None),
        (LISTED, {"data": {}}, None),
        (THERE, {"errors": [{}]}, "forbidden"),
        (THERE, {"errors": []}, None),
        (THERE, {}, None),
        (IN_WORDS, b"RT/5.0.1 401 Credentials required\n", "reconnect"),
        (IN_WORDS, b"RT/5.0.1 200 Ok\n\nid: ticket/1\nSubject: 401 Credentials required", None),
        (IN_WORDS, b"\xff\xfe", None),
        (IN_WORDS, b" " * 5000 + b"RT/5.0.1 401 Credentials required", None),
        (IN_WORDS, {"error": {"message": "Quota of the day is used up"}}, "rate_limited"),
        (IN_WORDS, {"error": {"message": ["Quota of the day"]}}, None),
        (IN_WORDS, {"error": "Quota of the day"}, None),
    ],
)
def test_refusals_in_a_200(rules: list[dict[str, Any]], body: Any, expected: str | None, tmp_path: Path) -> None:
    """All conditions on the body fit: values, patterns, that something is there; `*` is any item of a list."""
    connector = connector_with(errors=rules).loaded(tmp_path)
    response = answer(200, body if isinstance(body, bytes) else json.dumps(body).encode())

    assert expected == error_kind(connector.error_rules, response, read_body(response).value)


@pytest.mark.parametrize(
    ("status", "kind"), [(401, "reconnect"), (429, "rate_limited"), (403, None), (503, "rate_limited")]
)
def test_kinds_of_statuses(status: int, kind: str | None, tmp_path: Path) -> None:
    """The first rule that fits tells; without one, 401 means to reconnect and 429 to slow down."""
    connector = connector_with(errors=[{"when": {"status": [502, 503]}, "kind": "rate_limited"}]).loaded(tmp_path)

    assert kind == error_kind(connector.error_rules, answer(status), None)


def test_retry_after_is_always_read(tmp_path: Path) -> None:
    """Headers that a rule lists come first, each once; what every app may send is read besides."""
    rules = [
        {"when": {"status": 429}, "kind": "rate_limited", "wait": ["header.X-Reset", "header.X-Reset-After"]},
        {"when": {"status": 403}, "kind": "rate_limited", "wait": "header.X-Reset"},
    ]
    retry = connector_with(errors=rules).loaded(tmp_path).retry

    assert ("x-reset", "x-reset-after", "retry-after") == retry.wait_headers


NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry_after": "30"}, 30.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after": "Fri, 15 Jan 2027 08:01:00 GMT"}, 60.0),
        ({"retry_after": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0.0),
        ({"retry_after": "Fri Jan 15 08:01:00 2027"}, 60.0),  # as old servers write it, in GMT too
        ({"x_reset": "1800000090"}, 90.0),
        ({"x_reset": "1800000090500"}, 90.5),
        ({"retry_after": "soon", "x_reset": "1800000090"}, 90.0),
        ({"retry_after": "-5"}, None),
        ({"retry_after": ""}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], expected: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds, dates and moments in Unix time are read wherever we are; what makes no sense counts as not said."""
    rule = RetryRule(wait_headers=("retry-after", "x-reset"))

    with monkeypatch.context() as in_new_york:
        in_new_york.setenv("TZ", "America/New_York")
        time.tzset()
        told = rule.wait_seconds(answer(429, **headers), now=NOW)
    time.tzset()

    assert expected == told


def test_patterns_of_refusals_are_checked(tmp_path: Path) -> None:
    """What is no regular expression is told at its key."""
    when = {"text": "(", "body": {"error.message": {"pattern": "["}}}
    problems = connector_with(errors=[{"when": when, "kind": "reconnect"}]).problems(tmp_path)

    assert ["errors[0].when.body.error.message.pattern", "errors[0].when.text"] == sorted(each.key for each in problems)
