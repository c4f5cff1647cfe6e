"""The Function Calls log in the console, and the refused calls apart from it."""

import json
import os
import re
import subprocess
import sys
from html import unescape

import pytest
from attrs import evolve

from service_server.console.call_page import shares
from service_server.console.pages import readable_json, visible
from service_server.settings import default_database_url
from service_server.store import Call, CallLog
from service_server.store.call_ids import call_id
from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.console.operator_browser import OperatorBrowser, hidden, table_rows
from tests.service_server.databases import rows
from tests.service_server.processes import RunningService
from tests.service_server.store.databases import call, opened

HOSTILE = "<script>alert('user')</script>&\""
OUR_SCRIPT = '<script type="module" src="/assets/scripts/console/tail.js"></script>'
HOSTILE_TITLE = "</pre><img src=x onerror=alert(1)> \u202egnp.exe"


@pytest.fixture(scope="module")
def called(console_world: tuple[RunningService, SandboxApp]) -> RunningService:
    """The service after a user with a hostile id has made one executed and one refused call."""
    service, sandbox = console_world
    connect_by_key(service, HOSTILE, sandbox.api_keys["alice"])
    with service.api(HOSTILE) as api:
        body = {"title": HOSTILE_TITLE, "project_id": "documentation"}
        assert api.post("/functions/sandbox-create-ticket/", json=body).status_code == 200
        assert api.post("/functions/sandbox-get-ticket/", json={}).status_code == 400
    return service


def a_call(**changes: object) -> Call:
    """A call as the log keeps it."""
    asked = {"user_id": "someone", "function_name": "sandbox-list-tickets", "function_type": "query", "arguments": {}}
    answered = {"outcome": "finished", "network_code": "200", "output": [], "duration_ms": 12.0}
    return evolve(call(call_id(), **asked, **answered), **changes)


async def record(service: RunningService, *calls: Call) -> None:
    """Write calls to the log, as the service does."""
    async with opened(default_database_url(service.data_directory)) as database:
        for call in calls:
            await CallLog(database).record(call)


def newest(operator: OperatorBrowser, function: str) -> str:
    """The address of a function's newest call."""
    found = re.search(r'href="(/console/calls/[0-9a-f]{32})"', operator.page(f"/console/calls?function={function}"))
    return found[1]


def test_executed_and_refused_calls_stand_apart(operator: OperatorBrowser, called: RunningService) -> None:
    """A call that was sent is listed, with a page of its own; a refused one under Refused, with code and reason."""
    rows = table_rows(operator.page("/console/calls?function=sandbox-create-ticket"))
    (row,) = [row for row in rows if "alert" in row]
    assert "Succeeded" in row
    assert not [row for row in table_rows(operator.page("/console/calls")) if "sandbox-get-ticket" in row]
    page = operator.page(newest(operator, "sandbox-create-ticket"))
    assert "Request id" in page
    assert "Alice" in page  # the account's name
    assert '"project_id": "documentation"' in unescape(page)
    # what the app took and what was ours make the whole
    parts = re.findall(r"(At the app|In this service): [^(]+\((?:\d+|&lt; 1)\s%\)", page)
    assert ["At the app", "In this service"] == parts
    assert 'class="time-bar"' in page

    rows = table_rows(operator.page("/console/calls/refused"))
    refused = [row for row in rows if "sandbox-get-ticket" in row]  # tests beside this one may refuse others
    assert any("<code>required</code>" in row and "ticket_id" in row for row in refused)
    assert not [row for row in rows if "sandbox-create-ticket" in row]


async def test_hostile_texts_are_shown_as_texts(operator: OperatorBrowser, called: RunningService) -> None:
    """User ids and arguments can't become markup; what is invisible in them, or half a character, is written out."""
    half = a_call(user_id="half", arguments={"title": "a\ud83d"}, output="\ud83d")
    await record(called, half)
    created = operator.page(newest(operator, "sandbox-create-ticket"))
    pages = [operator.page(path) for path in ("/console", "/console/calls", "/console/calls/refused")]
    filtered = operator.http.get("/console/calls", params={"user": HOSTILE}).text
    for page in (each.replace(OUR_SCRIPT, "") for each in (*pages, filtered, created)):
        assert not any(each in page for each in ("<script", "<img src=x", "\u202e"))
        assert "&lt;script&gt;alert" in page
    assert "\\u202egnp.exe" in created
    assert 1 == len(table_rows(filtered))
    assert '"a\\ud83d"' in unescape(operator.page(f"/console/calls/{half.id}"))
    assert "ann\\u202e\\u200b\\n\\u0000" == visible("ann\u202e\u200b\n\0")
    assert "Ünïcödé 漢字 🙂" == visible("Ünïcödé 漢字 🙂")
    assert '{\n  "a": "\\u2066\\n"\n}' == readable_json({"a": "\u2066\n"})


async def test_log_is_paged_newest_first(operator: OperatorBrowser, console_service: RunningService) -> None:
    """Pages of fifty follow each other without a gap or a repetition, also while calls come in."""
    calls = [a_call(user_id="pager", request_id=f"p{number}") for number in range(120)]
    await record(console_service, *calls)
    path, seen = "/console/calls?user=pager", []
    while path:
        page = operator.page(path)
        seen.append(re.findall(r'href="/console/calls/([0-9a-f]{32})"', page))
        if len(seen) == 1:
            await record(console_service, a_call(user_id="pager"))
        older = re.search(r'href="([^"]+)" rel="next"', page)
        path = unescape(older.group(1)) if older else ""
    assert [50, 50, 20] == [len(ids) for ids in seen]
    assert [call.id for call in reversed(calls)] == [each for ids in seen for each in ids]
    assert "Newest" in page


async def test_log_is_filtered(operator: OperatorBrowser, console_service: RunningService) -> None:
    """By each filter of the form, which shows those that the address holds; how they narrow is tested at the store."""
    unknown = a_call(user_id="filter", outcome="unknown", network_code=None, duration_ms=None, output=None)
    failed = a_call(user_id="filter", network_code="500")
    other = a_call(user_id="filter", function_name="sandbox-get-ticket", application_id=2, request_id="of-one-caller")
    await record(console_service, unknown, failed, other)

    def ids(query: str) -> list[str]:
        page = operator.page(f"/console/calls?user=filter&{query}")
        return re.findall(r'href="/console/calls/([0-9a-f]{32})"', page)

    for query, expected in (
        *(("outcome=failed&function=sandbox-list-tickets", [failed.id]), ("outcome=unknown", [unknown.id])),
        *(("outcome=succeeded", [other.id]), ("outcome=started", []), ("application=2", [other.id])),
        *(("function=sandbox-get-ticket", [other.id]), ("code=5xx&app=sandbox", [failed.id])),
        *(("since=1h&until=0m", [other.id, failed.id, unknown.id]), ("until=2026-01-01T08:30", [])),
        ("since=2999-01-01", []),
    ):
        assert sorted(expected) == sorted(ids(query)), query
    assert "No executed call fits the filter" in operator.page("/console/calls?user=nobody-at-all")
    page = operator.page("/console/calls?request=of-one-caller&app=sandbox&code=2xx&since=7d")
    assert [other.id] == re.findall(r'href="/console/calls/([0-9a-f]{32})"', page)
    assert '<details class="whole" open>' in page
    assert all(f'value="{text}"' in page for text in ("of-one-caller", "sandbox", "7d"))
    assert "<option selected>2xx</option>" in page


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/console/calls?since=yesterday", "Give a time in UTC"),
        ("/console/calls?until=99999-01-01", "Give a time in UTC"),
        ("/console/calls?code=200", "A network code is given as one of 2xx, 3xx, 4xx, 5xx."),
        ("/console/calls?outcome=good", "An outcome is one of"),
        ("/console/calls?application=one", "An application is named by its number."),
        ("/console/calls/refused?code=4xx", "A code is that of an error"),
        ("/console/calls?before=zz", "not one that the console made"),
        ("/console/audit?before=x", ""),
        (f"/console/audit?before={'0' * 31}g", ""),
    ],
)
def test_what_cannot_be_listed_is_said(operator: OperatorBrowser, path: str, told: str) -> None:
    """A filter that can't be read is refused with what it takes, and never left out."""
    answer = operator.get(path)

    assert 400 == answer.status_code
    assert told in answer.text


async def test_unknown_outcome_stands_out(operator: OperatorBrowser, console_service: RunningService) -> None:
    """A call whose answer nobody saw is marked in the list, explained on its page, and announced on the overview."""
    call = a_call(user_id="cut off", outcome="unknown", network_code=None, output=None, duration_ms=None)
    await record(console_service, call)
    (row,) = table_rows(operator.page("/console/calls?user=cut+off"))
    assert "Outcome unknown" in row
    assert 'class="doubtful"' in row
    page = operator.page(f"/console/calls/{call.id}")
    assert "may or may not have taken effect" in page
    assert "No answer was seen." in page
    assert "nobody knows whether they took effect" in operator.page("/console")


RENEWED = [("renewal", 4.0, 0.0, 20.0), ("waiting", 5.0, 20.0, 25.0)]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({}, []),
        ({"app_ms": 10.0}, [("theirs", 10.0, 0.0, 50.0), ("ours", 10.0, 50.0, 50.0)]),
        (
            {"app_ms": 10.0, "renewal_ms": 4.0, "waiting_ms": 5.0},
            [*RENEWED, ("theirs", 10.0, 45.0, 50.0), ("ours", 1.0, 95.0, 5.0)],
        ),
        ({"app_ms": 25.0}, [("theirs", 25.0, 0.0, 100.0)]),
    ],
)
def test_shares_of_time(times: dict[str, float], expected: list[tuple[str, float, float, float]]) -> None:
    """In the order of the steps, what is left over is ours; calls of the release before say nothing of it."""
    found = shares(a_call(duration_ms=20.0, **times))

    assert expected == [(each.kind, each.ms, each.begins, each.width) for each in found]


def test_a_query_is_run_again(operator: OperatorBrowser, called: RunningService) -> None:
    """For the same user and account; it is a call of its own, and the audit trail names who did it."""
    with called.api(HOSTILE) as api:
        assert api.post("/functions/sandbox-list-tickets", json={"status": "open"}).status_code == 200
    first = newest(operator, "sandbox-list-tickets")
    answer = operator.submit(operator.page(first), f"{first}/replay")

    assert 303 == answer.status_code
    again = answer.headers["location"].partition("?")[0]
    assert again == newest(operator, "sandbox-list-tickets") != first
    page = operator.page(answer.headers["location"])
    assert '"status": "open"' in unescape(page)
    assert "The call was run again." in page
    audit = rows(called.data_directory, "SELECT actor, subject FROM audit_events WHERE act = 'call.replayed'")
    assert ("ada", first.rpartition("/")[2]) in audit


def test_what_changes_something_is_run_again_only_if_confirmed(
    operator: OperatorBrowser, called: RunningService
) -> None:
    """The page says what it would do; without the tick nothing is sent."""
    first = newest(operator, "sandbox-create-ticket")
    page = operator.page(first)
    refused = operator.submit(page, f"{first}/replay")

    assert "It changes something in the app" in page
    assert (422, True) == (refused.status_code, "Confirm that it may change something" in refused.text)
    assert first == newest(operator, "sandbox-create-ticket")
    assert 303 == operator.submit(page, f"{first}/replay", confirmed="yes").status_code
    assert first != newest(operator, "sandbox-create-ticket")


@pytest.mark.parametrize(
    ("changes", "told", "has_button"),
    [
        ({"arguments": {"password": "[redacted]"}}, "secret and were not kept", False),
        # what the log has as a query, from before its connector was changed
        ({"function_name": "sandbox-create-ticket"}, "Confirm that it may change something", True),
        ({}, "The call was refused, and nothing was sent", True),  # the user has no account any more
    ],
)
async def test_what_is_not_run_again(
    operator: OperatorBrowser, console_service: RunningService, changes: dict[str, object], told: str, has_button: bool
) -> None:
    """It is said why: at once where it is known, and there is no button."""
    call = a_call(user_id="not again", **changes)
    await record(console_service, call)
    path = f"/console/calls/{call.id}"
    page = operator.page(path)
    answer = operator.http.post(f"{path}/replay", data={"token": hidden(page, "token")})

    assert has_button == ("/replay" in page)
    assert (422, True) == (answer.status_code, told in (answer.text if has_button else page))


def test_a_call_as_code_runs(operator: OperatorBrowser, called: RunningService) -> None:
    """What the page shows for Python and curl makes the call, once the secret is in its place."""
    with called.api(HOSTILE) as api:
        assert api.post("/functions/sandbox-list-tickets", json={"status": "open"}).status_code == 200
    page = operator.page(newest(operator, "sandbox-list-tickets"))
    found = re.findall(r'<pre class="copy" tabindex="0" aria-label="(\w+)">(.*?)</pre>', page, re.DOTALL)
    shown = {name: unescape(text) for name, text in found}
    env = {**os.environ, "APP_SECRET": called.app_secret}
    python, curl = (
        subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
        for command in ([sys.executable, "-c", shown["Python"]], ["bash", "-c", shown["curl"]])
    )

    assert python.startswith("200 ")
    assert "200" == json.loads(curl)["network_code"]
    assert called.app_secret not in page
    assert all(each in shown["JavaScript"] for each in ('"sandbox-list-tickets"', '"status": "open"', called.app_key))


async def test_calls_are_exported(operator: OperatorBrowser, console_service: RunningService) -> None:
    """What the filter shows, as a file; contents only where they are asked for."""
    calls = [a_call(user_id="exported", arguments={"n": number}) for number in range(130)]
    await record(console_service, *calls)
    lines = operator.get("/console/calls/export?user=exported&contents=yes")
    table = operator.get("/console/calls/export?user=exported&format=csv")

    assert list(range(129, -1, -1)) == [json.loads(line)["arguments"]["n"] for line in lines.text.splitlines()]
    assert 'attachment; filename="calls.jsonl"' == lines.headers["content-disposition"]
    assert 131 == len(table.text.splitlines())
    assert "arguments" not in table.text.splitlines()[0]
    assert "text/csv" in table.headers["content-type"]
    assert 400 == operator.get("/console/calls/export?format=xml").status_code
    refused = operator.get("/console/calls/export?list=refused").text
    assert all(json.loads(line)["code"] for line in refused.splitlines())
