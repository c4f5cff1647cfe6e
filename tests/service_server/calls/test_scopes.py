"""What an account has been granted: told before the app is asked, and asked for when it is first needed."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.calls.clerk import write_clerk
from tests.service_server.calls.sandbox_controls import code_of, logged, received, refused
from tests.service_server.connecting import connect_by_key, connect_by_sign_in, leads_to
from tests.service_server.processes import RunningService, configure_app, create_application, http, service

WRITE = "/functions/clerk-create-ticket"
TICKET = {"line": "Renew the certificate@documentation"}


@pytest.fixture(scope="module")
def clerks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, SandboxApp]]:
    """The service with the connector `clerk`, beside the app it is for."""
    folder, port = tmp_path_factory.mktemp("clerks"), free_port()
    connectors = write_clerk(tmp_path_factory.mktemp("connectors"))
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as app, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(connectors))
        application = create_application(folder, "Test host")
        client = {"client_id": app.client_id, "client_secret": app.client_secret}
        configure_app(folder, "clerk", **client, variables={"base_url": app.url})
        allowed = ("--allow-host", urlsplit(app.url).netloc)
        with service(folder, *allowed, port=port, application=application) as running:
            yield running, app


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


def test_what_is_granted_is_enough(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A function whose scopes are granted is called, also where any one of several is enough."""
    running, app = clerks
    connect_by_sign_in(running, app, "reader", "alice", "clerk")
    with running.api("reader") as api:
        answers = [api.post(f"/functions/clerk-{name}", json={}) for name in ("list-projects", "list-labels")]

    assert ["200", "200"] == [answer.json()["network_code"] for answer in answers]


def test_reconnecting_for_a_function_asks_for_its_scopes(clerks: tuple[RunningService, SandboxApp]) -> None:
    """Incremental consent: the same account, with what it had and what the function needs; then the call goes out."""
    running, app = clerks
    account = connect_by_sign_in(running, app, "growing", "alice", "clerk")
    wanted = {"connected_account_id": account, "functions": ["clerk-create-ticket"]}
    same = connect_by_sign_in(running, app, "growing", "alice", "clerk", **wanted)
    with running.api("growing") as api:
        answer = api.post(WRITE, json=TICKET)

    assert account == same
    assert "201" == answer.json()["network_code"], answer.text


def test_reconnecting_keeps_what_was_granted(clerks: tuple[RunningService, SandboxApp]) -> None:
    """Asked for are the usual scopes, those granted already and those of the functions named; no others."""
    running, app = clerks
    account = connect_by_sign_in(running, app, "keeping", "alice", "clerk")
    wanted = {"connected_account_id": account, "functions": ["clerk-create-ticket", "clerk-list-labels"]}
    assert {"tickets:read"} == scopes_asked(running, "keeping", connected_account_id=account)
    assert {"tickets:read", "tickets:write"} == scopes_asked(running, "keeping", **wanted)
    connect_by_sign_in(running, app, "keeping", "alice", "clerk", **wanted)

    assert {"tickets:read", "tickets:write"} == scopes_asked(running, "keeping", connected_account_id=account)


def test_a_new_account_can_be_connected_for_a_function(clerks: tuple[RunningService, SandboxApp]) -> None:
    """Functions can be named without an account, so that one consent is enough."""
    running, _ = clerks

    assert {"tickets:read"} == scopes_asked(running, "new")
    assert {"tickets:read", "tickets:write"} == scopes_asked(running, "new", functions=["clerk-create-ticket"])


def test_the_connect_page_says_what_for(clerks: tuple[RunningService, SandboxApp]) -> None:
    """The page names the function that an account is reconnected for, and every permission that is asked for."""
    running, app = clerks
    account = connect_by_sign_in(running, app, "informed", "alice", "clerk")
    wanted = {"connected_account_id": account, "functions": ["clerk-create-ticket"]}
    with running.api("informed") as api, http(running.url) as browser:
        session = api.post("/apps/clerk/connect_sessions", json=wanted).json()
        page = browser.get(session["url"].removeprefix(running.url)).text

    assert "also do this with the account: Create a ticket." in page
    assert '<code dir="ltr">tickets:write</code>' in page


@pytest.mark.parametrize("name", ["clerk-nothing", "sandbox-create-ticket", ""])
def test_functions_must_be_the_apps(clerks: tuple[RunningService, SandboxApp], name: str) -> None:
    """A session for a function that the app doesn't have is refused at its place in the list."""
    with clerks[0].api("wrong") as api:
        answer = api.post("/apps/clerk/connect_sessions", json={"functions": ["clerk-create-ticket", name]})

    assert (400, "format", "functions[1]") == code_of(answer)


def test_keys_are_never_refused_on_scopes(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A key can do what it can do; nobody granted it anything."""
    running, app = clerks
    connect_by_key(running, "keyed", app.api_keys["alice"], app="clerk")
    with running.api("keyed") as api:
        answer = api.post(WRITE, json=TICKET)

    assert "201" == answer.json()["network_code"], answer.text


def test_meta_tells_what_is_needed_beyond_the_usual(clerks: tuple[RunningService, SandboxApp]) -> None:
    """A client can say beforehand which functions will ask for more."""
    with clerks[0].api("looking") as api:
        functions = api.get("/functions", params={"app": "clerk", "include": "meta"}).json()["functions"]

    assert {"clerk-create-ticket": ["tickets:write"]} == {
        function["name"]: function["meta"]["scopes"] for function in functions if function["meta"]["scopes"]
    }


def test_a_hook_names_the_argument_at_fault(clerks: tuple[RunningService, SandboxApp]) -> None:
    """What a hook says about an argument is an ordinary refusal at its field."""
    running, app = clerks
    connect_by_key(running, "hooked", app.api_keys["alice"], app="clerk")
    with running.api("hooked") as api:
        answer = api.post(WRITE, json={"line": "no project"})

    assert (400, "format", "line") == code_of(answer)
    assert "line must name a project after an @" == answer.json()["error_details"][0]["message"]


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
