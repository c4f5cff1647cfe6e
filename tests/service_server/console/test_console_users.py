"""The pages of users: found, looked at, disconnected, exported and erased."""

import json
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.console.operator_browser import OperatorBrowser, table_rows
from tests.service_server.console.test_console_applications import create
from tests.service_server.processes import RunningService

USER = "<zoe> & Co"
PATH = f"/console/users/1?{urlencode({'user': USER})}"


@pytest.fixture
def zoe(console_world: tuple[RunningService, SandboxApp]) -> int:
    """An account of the user; a call was executed and another one refused."""
    service, sandbox = console_world
    account = connect_by_key(service, USER, sandbox.api_keys["alice"])
    with service.api(USER) as api:
        assert 200 == api.post("/functions/sandbox-list-projects", json={}).status_code
        assert 400 == api.post("/functions/sandbox-create-ticket", json={}).status_code
    return account


@pytest.mark.usefixtures("zoe")
def test_a_user_is_found_and_their_history_told(operator: OperatorBrowser) -> None:
    """By the beginning of the id, in one application; what happened is told, newest first."""
    found = operator.page("/console/users?application=1&user=%3Czo")
    assert PATH.replace("&", "&amp;") in found or urlencode({"user": USER}) in unescape(found)
    assert "Nobody whose id begins so" in operator.page("/console/users?application=1&user=zo%25")
    page = operator.page(PATH)
    assert "<zoe>" not in page
    assert "Alice Andersson (Acme)" in page
    assert ["Call refused", "Call", "Connected"] == [
        label for row in table_rows(page.split('id="history"')[1]) for label in row.split("</span>")[0].split(">")[-1:]
    ][:3]
    assert 404 == operator.get("/console/users/1?user=").status_code
    assert 404 == operator.get("/console/users/77?user=x").status_code


def test_an_application_without_users_says_so(operator: OperatorBrowser) -> None:
    """Where nothing was searched for, nothing is said of a search."""
    number = create(operator, "Without users")[0].rpartition("/")[2]
    page = operator.page(f"/console/users?application={number}")
    assert "No user of this application has an account yet." in page
    assert "begins so" not in page


def test_an_account_is_disconnected(operator: OperatorBrowser, zoe: int) -> None:
    """Once; what else was there stays."""
    page = operator.page(PATH)
    action = "/console/users/1/disconnect"
    done = operator.submit(page, action, account=str(zoe))
    assert (303, True) == (done.status_code, done.headers["location"].endswith("done=disconnected"))
    again = operator.submit(page, action, account=str(zoe))
    assert (422, True) == (again.status_code, "disconnected already" in again.text)
    assert "The user has no account." in operator.page(PATH)


@pytest.mark.usefixtures("zoe")
def test_a_user_is_exported_and_erased(operator: OperatorBrowser) -> None:
    """The file has a line for each thing; erasing needs the id typed again, and leaves nothing."""
    answer = operator.get(PATH.replace("/1?", "/1/export?"))
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert 'attachment; filename="user.jsonl"' == answer.headers["content-disposition"]
    assert {"user", "account", "call", "refused_call", "connect_session"} <= {line["type"] for line in lines}
    page, action = operator.page(PATH), "/console/users/1/erase"
    wrong = operator.submit(page, action, confirmation="zoe")
    assert (422, True) == (wrong.status_code, "Nothing was erased" in wrong.text)
    erased = operator.submit(page, action, confirmation=USER)
    assert (200, True) == (erased.status_code, "1 × account" in erased.text)
    assert "Nothing is known to have happened" in operator.page(PATH)
