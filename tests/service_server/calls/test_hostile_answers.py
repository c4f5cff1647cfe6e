"""A third-party app may answer anything: the call was executed all the same, and the answer stays valid JSON."""

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.service_server.calls.log_and_errors import code_of, logged
from tests.service_server.hostile_app import HostileApp, called, connect, hostile_app, service_with
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

UNUSUAL = {
    "deep": b'{"a":' * 400 + b"1" + b"}" * 400,
    "very deep": b"[" * 900 + b"]" * 900,
    "beyond every float": b'{"a": 1e400}',
    "a very long number": b"9" * 5000,
    "half a surrogate pair": b'{"\\ud800": "\\udfff"}',
    "a NUL": b'{"\\u0000": "\\u0000"}',
    "not UTF-8": b'{"a": "\xff"}',
    "not JSON": b"<html>",
}
# What Python knows as codecs and nobody may decode foreign bodies by; punycode takes hours for a few megabytes.
CHARSETS = ["idna", "punycode", "undefined", "hex", "rot13", "zlib", "utf-7", "unicode_escape", "no-such-charset"]


@pytest.fixture(scope="module")
def app() -> Iterator[HostileApp]:
    """The app."""
    with hostile_app() as running_app:
        yield running_app


@pytest.fixture(scope="module")
def hostile_service(app: HostileApp, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with a connector for the app."""
    with service_with(app, tmp_path_factory.mktemp("hostile")) as running_service:
        yield running_service


@pytest.fixture
def victim(hostile_service: RunningService) -> Iterator[httpx.Client]:
    """The API as the user who has connected the app."""
    with hostile_service.api("victim") as client:
        yield client


@pytest.mark.parametrize("name", UNUSUAL)
def test_an_executed_mutation_is_answered_and_logged_whatever_came_back(
    app: HostileApp, victim: httpx.Client, hostile_service: RunningService, name: str
) -> None:
    """A mutation that was carried out is never a 500, its log row is finished, and the answer is valid JSON."""
    app.answers(UNUSUAL[name], status=201)
    response = called(victim, "change", note="x")
    (row,) = logged(hostile_service.data_directory, response.headers["request-id"])
    answer = json.loads(response.content, parse_constant=pytest.fail)  # to browsers NaN and Infinity are no JSON

    assert (200, "201") == (response.status_code, answer["network_code"]), response.text
    assert ("finished", "201") == (row["outcome"], row["network_code"])
    if name == "not JSON":
        assert "<html>" == response.json()["output"]


def test_an_unusual_charset_is_no_defect(app: HostileApp, victim: httpx.Client) -> None:
    """Charsets of the web are read by; others are UTF-8, and read by no codec that fails or does not end."""
    app.answers("Пример".encode("windows-1251"), content_type="text/plain; charset=Windows-1251")
    assert "Пример" == called(victim, "read").json()["output"]
    for charset in CHARSETS:
        app.answers(b"caf\xc3\xa9-" + b"a" * 500_000, content_type=f"text/plain; charset={charset}")
        assert "café-" + "a" * 500_000 == called(victim, "read").json()["output"], charset


def test_what_stands_beside_an_answer_is_no_defect(app: HostileApp, victim: httpx.Client) -> None:
    """A Retry-After that names no moment, a link that is no URL, a total that is no number: each counts as none."""
    for moment in ("Mon, 01 Jan 99999999999 00:00:00 GMT", "Mon, 01 Jan 0001 00:00:00 -0000", "9" * 400, "a b c d e f"):
        app.answers(b"{}", status=503, Retry_After=moment)
        assert "503" == called(victim, "read").json()["network_code"], moment
    app.answers(b"[1]", Link='<http://[bad/>; rel="next"')
    linked = called(victim, "read-links").json()
    app.answers(b'{"items": [1], "total": "%s"}' % (b"9" * 5000))
    counted = called(victim, "read-totals").json()

    assert ([1], "") == (linked["output"], linked["next_page"])
    assert [1] == counted["output"]
    assert counted["next_page"]


def test_the_next_page_stays_on_the_apps_hosts(app: HostileApp, victim: httpx.Client) -> None:
    """A link that leads elsewhere is refused before the credentials go there."""
    app.answers(b"[1]", Link='<http://evil.example/>; rel="next"')
    cursor = called(victim, "read-links").json()["next_page"]

    assert (400, "host_not_allowed", "url") == code_of(called(victim, "read-links", next_page=cursor))


@pytest.mark.parametrize("identity", [b'{"id": "\\ud800", "name": "x"}', b'{"id": "%s"}' % (b"x" * 5000)])
def test_an_account_with_an_impossible_name_is_not_connected(
    app: HostileApp, hostile_service: RunningService, identity: bytes
) -> None:
    """What can't be kept as the name of an account ends the attempt with words, not with a defect."""
    app.answers(identity)

    assert "connected" != connect(hostile_service, "someone else")
