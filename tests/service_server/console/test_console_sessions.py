"""Sessions of operators: listed with their browsers, ended one by one or all, in every process, and in time."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service_server.console.browsers import browser_of
from tests.service_server.console.operator_browser import PASSWORD, OperatorBrowser, add_operator, browser, table_rows
from tests.service_server.databases import execute, rows
from tests.service_server.processes import RunningService, command, service

pytestmark = pytest.mark.slow

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
Two = tuple[OperatorBrowser, OperatorBrowser]


@pytest.mark.parametrize(
    ("user_agent", "shown"),
    [
        (FIREFOX, "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605 Version/18.0 Safari/605", "Safari on macOS"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604", "Safari on iPhone"),
        ("curl/8.5\r\n" + "x" * 100, "curl/8.5" + "x" * 50),
        ("", "An unknown program"),
    ],
)
def test_browsers_are_named_as_people_do(user_agent: str, shown: str) -> None:
    """By browser and system, and never by something endless."""
    assert shown == browser_of(user_agent)


@pytest.fixture
def dora(console_service: RunningService) -> Iterator[Two]:
    """A developer in two browsers."""
    add_operator(console_service, "dora")
    command(console_service.data_directory, "operator", "role", "dora", "developer")
    first, second = browser(console_service), browser(console_service)
    first.http.headers["User-Agent"] = FIREFOX
    with first.http, second.http:
        for each in (first, second):
            assert 303 == each.sign_in("dora").status_code
        yield first, second
    execute(console_service.data_directory, "DELETE FROM operator_sessions WHERE operator = 'dora'")


def test_sessions_are_listed_and_ended(dora: Two, operator: OperatorBrowser) -> None:
    """One's own by everybody, those of others by owners; what is ended opens nothing more."""
    first, second = dora
    page = first.page("/console/sessions")
    assert 2 == len(table_rows(page))
    assert "Firefox on Linux" in page
    assert "This one" in page
    assert "others are signed in" not in page
    first.submit(page, "/console/sessions/end", session="")
    assert 303 == second.get("/console/calls").status_code
    assert 1 == len(table_rows(first.page("/console/sessions")))
    owners = operator.page("/console/sessions")
    of_dora = next(row for row in owners.split("<tr>") if "dora" in row)
    assert "Firefox on Linux" in of_dora
    answer = operator.submit(of_dora, "/console/sessions/end")
    assert (303, "/console/sessions?done=session-ended") == (answer.status_code, answer.headers["location"])
    assert 303 == first.get("/console/calls").status_code


def test_sessions_are_listed_and_ended_from_the_command_line(dora: Two, console_service: RunningService) -> None:
    """Those of one operator, or of all; ending them signs every browser of theirs out."""
    folder = console_service.data_directory
    listed = json.loads(command(folder, "operator", "sessions", "dora", "--json"))
    assert {"Firefox on Linux", "python-httpx"} == {each["browser"].partition("/")[0] for each in listed}
    assert {"dora"} == {each["operator"] for each in listed}
    assert "2 sessions of dora have ended." in command(folder, "operator", "sessions", "dora", "--end")
    assert [303, 303] == [each.get("/console/calls").status_code for each in dora]
    assert "dora" not in command(folder, "operator", "sessions")


def test_others_sessions_are_none_of_ones_business(dora: Two, operator: OperatorBrowser) -> None:
    """Without managing operators nobody ends, or sees, those of others."""
    first, _ = dora
    page = first.page("/console/sessions")
    for session in ("", "0" * 64):
        answer = first.submit(page, "/console/sessions/end", operator="ada", session=session)
        assert 403 == answer.status_code
        assert "Your role doesn’t allow this" in answer.text
    assert 200 == operator.get("/console/sessions").status_code


def test_sessions_end_in_time(dora: Two, console_service: RunningService) -> None:
    """After two hours without use, after twelve at most, and with another password."""
    first, _ = dora
    for change in ("seen_at = seen_at - 7201", "expires_at = created_at", "password_mark = 'of another password'"):
        assert 200 == first.get("/console/calls").status_code
        execute(console_service.data_directory, f"UPDATE operator_sessions SET {change} WHERE operator = 'dora'")
        assert 303 == first.get("/console/calls").status_code, change
        assert 303 == first.sign_in("dora").status_code


def test_use_keeps_a_session(dora: Two, console_service: RunningService) -> None:
    """Each use counts, to the minute; what is kept opens no session."""
    first, _ = dora
    folder = console_service.data_directory
    execute(folder, "UPDATE operator_sessions SET seen_at = seen_at - 7000 WHERE operator = 'dora'")
    before = max(seen for (seen,) in rows(folder, "SELECT seen_at FROM operator_sessions WHERE operator = 'dora'"))
    assert 200 == first.get("/console/calls").status_code
    after = rows(folder, "SELECT seen_at, id FROM operator_sessions WHERE operator = 'dora' ORDER BY seen_at DESC")
    assert after[0][0] > before + 6000
    first.http.cookies.set("console", after[0][1])
    assert 303 == first.get("/console/calls").status_code


def test_signing_out_holds_in_every_process(tmp_path: Path) -> None:
    """Two processes on one database: a session of one opens the other, until it is ended in either."""
    with service(tmp_path) as one:
        add_operator(one, "ada")
        application = {"app_key": one.app_key, "app_secret": one.app_secret}
        with service(tmp_path, application=application) as other, browser(one).http as http:
            visitor = OperatorBrowser(http)
            assert 303 == visitor.sign_in("ada", PASSWORD).status_code
            elsewhere = {"Cookie": f"console={http.cookies['console']}"}
            assert 200 == http.get(f"{other.url}/console/calls", headers=elsewhere).status_code
            visitor.submit(visitor.page("/console"), "/console/sign-out")
            assert 303 == http.get(f"{other.url}/console/calls", headers=elsewhere).status_code
