"""What an account has been granted: told before the app is asked, and asked for when it is first needed."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.clerk import write_clerk
from tests.service_server.calls.log_and_errors import code_of, refused
from tests.service_server.connecting import connect_by_key, connect_by_sign_in, leads_to, submit
from tests.service_server.processes import RunningService, http, service_beside_sandbox

pytestmark = pytest.mark.slow

Clerks = tuple[RunningService, SandboxApp]
WRITE = "/functions/clerk-create-ticket"
TICKET = {"line": "Renew the certificate@documentation"}


@pytest.fixture(scope="module")
def clerks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clerks]:
    """The service with the connector `clerk`, beside the app it is for."""
    connectors = write_clerk(tmp_path_factory.mktemp("connectors"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(connectors))
        with service_beside_sandbox(tmp_path_factory.mktemp("clerks"), apps=["clerk"]) as both:
            yield both


def page_and_scopes(running: RunningService, user_id: str, **wanted: Any) -> tuple[str, set[str]]:
    """Open a connect session: its page, and what the provider's page would be asked for."""
    with running.api(user_id) as api, http(running.url) as browser:
        session = api.post("/apps/clerk/connect_sessions", json=wanted).json()
        page = browser.get(session["url"].removeprefix(running.url))
        query = parse_qs(urlsplit(leads_to(submit(browser, page, auth="oauth").text)).query)
    return page.text, set(query["scope"][0].split())


def ways_offered(running: RunningService, **wanted: Any) -> set[str]:
    """The ways of signing in that a session's page lets choose among; a single way is not asked for."""
    with running.api("erna") as api, http(running.url) as browser:
        session = api.post("/apps/clerk/connect_sessions", json=wanted).json()
        page = browser.get(session["url"].removeprefix(running.url)).text
    assert "API key" in page
    return set(re.findall(r'<input type="radio" name="auth" value="([^"]*)"', page))


def test_connecting_for_a_function_offers_the_ways_that_can(clerks: Clerks) -> None:
    """The page that connects an account for a function leaves out ways that could not do it."""
    assert {"oauth", "key"} == ways_offered(clerks[0]) == ways_offered(clerks[0], functions=["clerk-list-names"])
    assert set() == ways_offered(clerks[0], functions=["clerk-list-people"])


def test_reconnecting_for_functions_asks_for_their_scopes(clerks: Clerks) -> None:
    """The usual ones, those granted already and those of the functions, as the page says; no call goes out before."""
    running, app = clerks
    account = connect_by_sign_in(running, app, "growing", "alice", "clerk")
    reconnecting, functions = {"connected_account_id": account}, ["clerk-create-ticket", "clerk-list-labels"]
    wanted = {**reconnecting, "functions": functions}
    read, both = {"tickets:read"}, {"tickets:read", "tickets:write"}
    for asked, scopes in (({}, read), (reconnecting, read), ({"functions": functions}, both)):
        assert scopes == page_and_scopes(running, "growing", **asked)[1]
    with running.api("growing") as api:
        refusal = api.post(WRITE, json=TICKET)
    page, scopes = page_and_scopes(running, "growing", **wanted)
    assert account == connect_by_sign_in(running, app, "growing", "alice", "clerk", **wanted)
    with running.api("growing") as api:
        answers = [api.post(WRITE, json=TICKET), api.post("/functions/clerk-list-labels", json={})]

    assert (400, "missing_scope", None) == code_of(refusal)
    assert ["missing_scope"] == [row["code"] for row in refused(running.data_directory, refusal.headers["request-id"])]
    assert 1 == len(app.received("/api/v1/tickets"))
    assert "also do this with the account: Create a ticket" in page
    assert '<code dir="ltr">tickets:write</code>' in page
    assert ["201", "200"] == [answer.json()["network_code"] for answer in answers]
    assert both == scopes == page_and_scopes(running, "growing", **reconnecting)[1]


def test_functions_must_be_the_apps(clerks: Clerks) -> None:
    """A session for a function that the app doesn't have is refused at its place in the list."""
    with clerks[0].api("wrong") as api:
        for name in ("clerk-nothing", "sandbox-create-ticket", ""):
            answer = api.post("/apps/clerk/connect_sessions", json={"functions": ["clerk-create-ticket", name]})
            assert (400, "format", "functions[1]") == code_of(answer), name


def test_meta_tells_what_is_needed_beyond_the_usual(clerks: Clerks) -> None:
    """A client can say beforehand which functions will ask for more."""
    with clerks[0].api("looking") as api:
        functions = api.get("/functions", params={"app": "clerk", "include": "meta"}).json()["functions"]

    assert {"clerk-create-ticket": ["tickets:write"]} == {
        function["name"]: function["meta"]["scopes"] for function in functions if function["meta"]["scopes"]
    }


def test_answers_are_reshaped_or_relayed_whole(clerks: Clerks) -> None:
    """A hook makes the output of a query; where it fails the whole body is relayed, since the call was executed."""
    running, app = clerks
    connect_by_key(running, "shaped", app.api_keys["alice"], app="clerk")
    with running.api("shaped") as api:
        names, people = (api.post(f"/functions/clerk-list-{what}", json={}).json() for what in ("names", "people"))

    assert "200" == names["network_code"] == people["network_code"]
    assert all(isinstance(name, str) for name in names["output"])
    assert {"items", "next_cursor"} == set(people["output"])
