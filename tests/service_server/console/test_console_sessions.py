"""Sessions of operators: listed with their browsers, ended one by one or all, in every process, and in time."""

import json
from collections.abc import Iterator

import pytest

from service_server.console.browsers import browser_of
from tests.service_server.console.operator_browser import OperatorBrowser, browser, table_rows
from tests.service_server.databases import execute, rows
from tests.service_server.processes import RunningService, command, service

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


@pytest.fixture(scope="module")
def service_of_dora(console_service: RunningService, operator: OperatorBrowser) -> RunningService:
    """The service with a developer."""
    operator.add("dora", "developer")
    return console_service


@pytest.fixture
def dora(service_of_dora: RunningService) -> Iterator[Two]:
    """The developer in two browsers."""
    first, second = browser(service_of_dora), browser(service_of_dora)
    first.http.headers["User-Agent"] = FIREFOX
    with first.http, second.http:
        for each in (first, second):
            assert 303 == each.sign_in("dora").status_code
        yield first, second
    execute(service_of_dora.data_directory, "DELETE FROM operator_sessions WHERE operator = 'dora'")


def test_sessions_are_listed_and_ended(dora: Two, operator: OperatorBrowser) -> None:
    """One's own by everybody, those of others by owners alone; what is ended opens nothing more."""
    first, second = dora
    path = "/console/sessions"
    page = first.page(path)
    assert 2 == len(table_rows(page))
    assert all(told in page for told in ("Firefox on Linux", "This one"))
    assert "others are signed in" not in page
    for session in ("", "0" * 64):
        foreign = first.submit(page, f"{path}/end", operator="ada", session=session)
        assert (403, True) == (foreign.status_code, "Your role doesn’t allow this" in foreign.text)
    owners = operator.page(path)
    first.submit(page, f"{path}/end", session="")
    assert 303 == second.get("/console/calls").status_code
    assert 1 == len(table_rows(first.page(path)))
    of_dora = next(row for row in owners.split("<tr>") if "dora" in row and "Firefox on Linux" in row)
    answer = operator.submit(of_dora, f"{path}/end")
    assert (303, f"{path}?done=session-ended") == (answer.status_code, answer.headers["location"])
    assert 303 == first.get("/console/calls").status_code


def test_sessions_are_listed_and_ended_from_the_command_line(dora: Two, console_service: RunningService) -> None:
    """Those of one operator, or of all; ending them signs every browser of theirs out."""
    folder = console_service.data_directory
    listed = json.loads(command(folder, "operator", "sessions", "dora", "--json"))
    assert {("dora", "Firefox on Linux"), ("dora", "python-httpx")} == {
        (each["operator"], each["browser"].partition("/")[0]) for each in listed
    }
    assert "2 sessions of dora have ended." in command(folder, "operator", "sessions", "dora", "--end")
    assert [303, 303] == [each.get("/console/calls").status_code for each in dora]
    assert "dora" not in command(folder, "operator", "sessions")


def test_sessions_end_in_time(dora: Two, console_service: RunningService) -> None:
    """Two hours after the last use, twelve at most, and with another password; what is kept opens no session."""
    first, _ = dora
    folder = console_service.data_directory
    execute(folder, "UPDATE operator_sessions SET seen_at = seen_at - 7000 WHERE operator = 'dora'")
    ((before,),) = rows(folder, "SELECT MAX(seen_at) FROM operator_sessions WHERE operator = 'dora'")
    assert 200 == first.get("/console/calls").status_code
    ((after, number),) = rows(folder, "SELECT MAX(seen_at), id FROM operator_sessions WHERE operator = 'dora'")
    assert after > before + 6000
    for change in ("seen_at = seen_at - 7201", "expires_at = created_at", "password_mark = 'of another password'"):
        assert 200 == first.get("/console/calls").status_code
        execute(folder, f"UPDATE operator_sessions SET {change} WHERE operator = 'dora'")
        assert 303 == first.get("/console/calls").status_code, change
        assert 303 == first.sign_in("dora").status_code
    first.http.cookies.set("console", number)
    assert 303 == first.get("/console/calls").status_code


def test_signing_out_holds_in_every_process(dora: Two, console_service: RunningService) -> None:
    """Two processes on one database: a session of one opens the other, until it is ended in either."""
    visitor, _ = dora
    application = {"app_key": console_service.app_key, "app_secret": console_service.app_secret}
    with service(console_service.data_directory, application=application) as other:
        page, cookie = f"{other.url}/console/calls", {"Cookie": f"console={visitor.http.cookies['console']}"}
        assert 200 == visitor.http.get(page, headers=cookie).status_code
        visitor.submit(visitor.page("/console"), "/console/sign-out")
        assert 303 == visitor.http.get(page, headers=cookie).status_code
