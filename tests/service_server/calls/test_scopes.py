"""What an account has been granted: told before the app is asked, and asked for when it is first needed."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.clerk import write_clerk
from tests.service_server.calls.sandbox_controls import code_of, logged, received, refused
from tests.service_server.connecting import connect_by_key, connect_by_sign_in, leads_to
from tests.service_server.processes import RunningService, http, service_beside_sandbox

pytestmark = pytest.mark.slow

WRITE = "/functions/clerk-create-ticket"
TICKET = {"line": "Renew the certificate@documentation"}


@pytest.fixture(scope="module")
def clerks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, SandboxApp]]:
    """The service with the connector `clerk`, beside the app it is for."""
    connectors = write_clerk(tmp_path_factory.mktemp("connectors"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(connectors))
        with service_beside_sandbox(tmp_path_factory.mktemp("clerks"), apps=["clerk"]) as both:
            yield both


def scopes_asked(running: RunningService, user_id: str, **wanted: Any) -> set[str]:
    """Open a connect session and tell what the provider's page would be asked for."""
    with running.api(user_id) as api, http(running.url) as browser:
        session = api.post("/apps/clerk/connect_sessions", json=wanted).json()
        page = browser.get(session["url"].removeprefix(running.url))
        token = re.search(r'name="token" value="([^"]+)"', page.text)
        assert token is not None
        answer = browser.post(page.url.path, data={"token": token[1], "auth": "oauth"})
        query = parse_qs(urlsplit(leads_to(answer.text)).query)
    return set(query["scope"][0].split())


def test_a_missing_scope_is_told_before_the_call(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A call that the app would refuse isn't sent: 400, what is missing and for what, and to reconnect."""
    running, app = clerks
    connect_by_sign_in(running, app, "untrusted", "alice", "clerk")
    with running.api("untrusted") as api:
        account = api.get("/apps/clerk").json()["connected_accounts"][0]["display_name"]
        answer = api.post(WRITE, json=TICKET)
        detail = answer.json()["error_details"][0]

    assert (400, "missing_scope", None) == code_of(answer)
    assert "reconnect" == detail["action"]
    assert all(word in detail["message"] for word in ("tickets:write", "Create a ticket", "Clerk", account))
    assert [] == received(app, "/api/v1/tickets")
    assert [] == logged(running.data_directory, answer.headers["request-id"])
    assert "missing_scope" == refused(running.data_directory, answer.headers["request-id"])[0]["code"]


def test_reconnecting_for_functions_asks_for_their_scopes(clerks: tuple[RunningService, SandboxApp]) -> None:
    """The usual ones, those granted already and those of the functions, as the page says; then the call goes out."""
    running, app = clerks
    account = connect_by_sign_in(running, app, "growing", "alice", "clerk")
    wanted = {"connected_account_id": account, "functions": ["clerk-create-ticket", "clerk-list-labels"]}
    read, both = {"tickets:read"}, {"tickets:read", "tickets:write"}
    assert read == scopes_asked(running, "growing") == scopes_asked(running, "growing", connected_account_id=account)
    assert both == scopes_asked(running, "growing", functions=["clerk-create-ticket"])
    assert both == scopes_asked(running, "growing", **wanted)
    with running.api("growing") as api, http(running.url) as browser:
        session = api.post("/apps/clerk/connect_sessions", json=wanted).json()
        page = browser.get(session["url"].removeprefix(running.url)).text
        assert account == connect_by_sign_in(running, app, "growing", "alice", "clerk", **wanted)
        answers = [api.post(WRITE, json=TICKET), api.post("/functions/clerk-list-labels", json={})]

    assert "also do this with the account: Create a ticket" in page
    assert '<code dir="ltr">tickets:write</code>' in page
    assert ["201", "200"] == [answer.json()["network_code"] for answer in answers]
    assert both == scopes_asked(running, "growing", connected_account_id=account)


def test_functions_must_be_the_apps(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A session for a function that the app doesn't have is refused at its place in the list."""
    with clerks[0].api("wrong") as api:
        for name in ("clerk-nothing", "sandbox-create-ticket", ""):
            answer = api.post("/apps/clerk/connect_sessions", json={"functions": ["clerk-create-ticket", name]})
            assert (400, "format", "functions[1]") == code_of(answer), name


def test_meta_tells_what_is_needed_beyond_the_usual(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A client can say beforehand which functions will ask for more."""
    with clerks[0].api("looking") as api:
        functions = api.get("/functions", params={"app": "clerk", "include": "meta"}).json()["functions"]

    assert {"clerk-create-ticket": ["tickets:write"]} == {
        function["name"]: function["meta"]["scopes"] for function in functions if function["meta"]["scopes"]
    }


def test_a_hook_that_fails_is_a_defect(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A hook with a defect is told as one, without its words; nothing is sent, and nothing of the call is logged."""
    running, app = clerks
    connect_by_key(running, "unlucky", app.api_keys["alice"], app="clerk")
    before = len(received(app, "/api/v1/tickets"))
    with running.api("unlucky") as api:
        answer = api.post(WRITE, json={"line": "defect@project"})

    assert (500, "internal", None) == code_of(answer)
    assert "Nothing was sent" in answer.json()["error"]
    assert "defect@project" not in answer.text
    assert before == len(received(app, "/api/v1/tickets"))
    assert [] == logged(running.data_directory, answer.headers["request-id"])


def test_answers_are_reshaped_or_relayed_whole(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A hook makes the output of a query; where it fails the whole body is relayed, since the call was executed."""
    running, app = clerks
    connect_by_key(running, "shaped", app.api_keys["alice"], app="clerk")
    with running.api("shaped") as api:
        names = api.post("/functions/clerk-list-names", json={}).json()
        people = api.post("/functions/clerk-list-people", json={}).json()

    assert "200" == names["network_code"] == people["network_code"]
    assert all(isinstance(name, str) for name in names["output"])
    assert {"items", "next_cursor"} == set(people["output"])
