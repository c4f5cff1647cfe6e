"""What answers mean: reconnect, slow down, and for how long."""

from pathlib import Path
from typing import Any

import pytest

from service_server.answers.bodies import read_body
from service_server.catalog.answers import RetryRule
from service_server.catalog.load import load_connector
from service_server.onward.values import OnwardResponse
from tests.connectors.test_shipped_connectors import connector_named
from tests.service_server.catalog.connector_folder import ConnectorFolder


def answer(status: int, **headers: str) -> OnwardResponse:
    """Return an answer without a body."""
    return OnwardResponse(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"", "https://h/")


@pytest.mark.parametrize(
    ("app", "response", "expected"),
    [
        ("sandbox", answer(401), "reconnect"),
        ("sandbox", answer(429), "rate_limited"),
        ("sandbox", answer(403), None),
        ("sandbox", answer(200), None),
        ("github", answer(403, x_ratelimit_remaining="0"), "rate_limited"),
        ("github", answer(403, x_ratelimit_remaining="10"), None),
        ("github", answer(403, retry_after="60"), "rate_limited"),
        ("kinto", answer(503), "rate_limited"),
    ],
)
def test_kinds_of_errors(app: str, response: OnwardResponse, expected: str | None) -> None:
    """The first rule that fits tells; without one, 401 means to reconnect and 429 to slow down."""
    assert expected == connector_named(app).error_kind(response, None)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"ok": False, "error": "token_revoked"}, "reconnect"),
        ({"ok": False, "error": "other"}, None),
        ({"ok": True, "error": "token_revoked"}, None),
        ([], None),
        (None, None),
        ("text", None),
    ],
)
def test_errors_told_in_the_body(body: Any, expected: str | None, tmp_path: Path) -> None:
    """A rule may look into the body, for apps that answer 200 to everything; all of its conditions must fit."""
    folder = ConnectorFolder()
    folder.connector["errors"] = [
        {"when": {"status": 200, "body": {"ok": "false", "error": ["token_revoked"]}}, "kind": "reconnect"}
    ]
    connector, problems = load_connector(folder.write(tmp_path))

    assert [] == problems
    assert connector is not None
    assert expected == connector.error_kind(answer(200), body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"errors": [{"extensions": {"code": "OTHER"}}, {"extensions": {"code": "RATELIMITED"}}]}, "rate_limited"),
        ({"errors": [{"extensions": {"code": "AUTHENTICATION_ERROR"}}]}, "reconnect"),
        ({"errors": [{"extensions": {"code": "X"}}, {"extensions": {"code": "AUTHENTICATION_ERROR"}}]}, None),
        ({"errors": [{"message": "no code"}]}, None),
        ({"errors": []}, None),
        ({"data": {}}, None),
    ],
)
def test_errors_told_in_lists(body: Any, expected: str | None, tmp_path: Path) -> None:
    """A path may lead into lists, as GraphQL's errors need it: a number is one item, a star any of them."""
    folder = ConnectorFolder()
    folder.connector["errors"] = [
        {"when": {"body": {"errors.*.extensions.code": "RATELIMITED"}}, "kind": "rate_limited"},
        {"when": {"body": {"errors.0.extensions.code": "AUTHENTICATION_ERROR"}}, "kind": "reconnect"},
    ]
    connector, _ = load_connector(folder.write(tmp_path))

    assert connector is not None
    assert expected == connector.error_kind(answer(200), body)


@pytest.mark.parametrize(("body", "there"), [({"errors": [{}]}, True), ({"errors": []}, False), ({}, False)])
def test_what_only_has_to_be_there(body: Any, there: bool, tmp_path: Path) -> None:
    """`true` asks for a part of the body whatever its value, and a list that holds something is one."""
    folder = ConnectorFolder()
    folder.connector["errors"] = [{"when": {"body": {"errors": True}}, "kind": "forbidden"}]
    connector, _ = load_connector(folder.write(tmp_path))

    assert connector is not None
    assert ("forbidden" if there else None) == connector.error_kind(answer(200), body)


def test_retry_after_is_always_read(tmp_path: Path) -> None:
    """Headers that a rule lists come first, each once; what every app may send is read besides."""
    folder = ConnectorFolder()
    folder.connector["errors"] = [
        {"when": {"status": 429}, "kind": "rate_limited", "wait": ["header.X-Reset", "header.X-Reset-After"]},
        {"when": {"status": 403}, "kind": "rate_limited", "wait": "header.X-Reset"},
    ]
    connector, _ = load_connector(folder.write(tmp_path))

    assert connector is not None
    assert ("x-reset", "x-reset-after", "retry-after") == connector.retry.wait_headers


NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry_after": "30"}, 30.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after": "Fri, 15 Jan 2027 08:01:00 GMT"}, 60.0),
        ({"retry_after": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0.0),
        ({"x_reset": "1800000090"}, 90.0),
        ({"x_reset": "1800000090500"}, 90.5),
        ({"retry_after": "soon", "x_reset": "1800000090"}, 90.0),
        ({"retry_after": "-5"}, None),
        ({"retry_after": ""}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], expected: float | None) -> None:
    """Seconds, dates and moments in Unix time are read; what makes no sense counts as not said."""
    rule = RetryRule(wait_headers=("retry-after", "x-reset"))

    assert expected == rule.wait_seconds(answer(429, **headers), now=NOW)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"RT/5.0.1 401 Credentials required\n", "reconnect"),
        (b"RT/5.0.1 200 Ok\n\nid: ticket/1\nSubject: 401 Credentials required", None),
        (b"\xff\xfe", None),
        (b" " * 5000 + b"RT/5.0.1 401 Credentials required", None),
        (b'{"error": {"message": "Quota of the day is used up"}}', "rate_limited"),
        (b'{"error": {"message": ["Quota of the day"]}}', None),
        (b'{"error": "Quota of the day"}', None),
    ],
)
def test_refusals_in_words(content: bytes, expected: str | None, tmp_path: Path) -> None:
    """An app that says no in a 200 is understood by a pattern in its text, or in a part of its body."""
    folder = ConnectorFolder()
    folder.connector["errors"] = [
        {"when": {"text": r"\ART/[\d.]+ 401 "}, "kind": "reconnect"},
        {"when": {"status": 200, "body": {"error.message": {"pattern": "^Quota"}}}, "kind": "rate_limited"},
    ]
    connector, problems = load_connector(folder.write(tmp_path))
    assert [] == problems
    assert connector is not None
    response = OnwardResponse(200, {}, content, "https://h/")
    body = read_body(response).value

    assert expected == connector.error_kind(response, body)


def test_patterns_of_refusals_are_checked(tmp_path: Path) -> None:
    """What is no regular expression is told at its key."""
    folder = ConnectorFolder()
    when = {"text": "(", "body": {"error.message": {"pattern": "["}}}
    folder.connector["errors"] = [{"when": when, "kind": "reconnect"}]
    _, problems = load_connector(folder.write(tmp_path))

    assert ["errors[0].when.body.error.message.pattern", "errors[0].when.text"] == sorted(each.key for each in problems)
