"""Names in a prompt become the ids that they have in the user's account, by real calls of source functions."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from service_server.prediction.name_resolution import MOST_CHOICES, MOST_PAGES, MOST_SOURCES
from tests.examples.processes import SandboxApp, sandbox_app
from tests.service_server.calls.desk import write_desk
from tests.service_server.calls.log_and_errors import logged
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

CREATE, NOTE = "/functions/sandbox-create-ticket", "/functions/desk-add-note"
API = "/api/v1"
Desk = tuple[httpx.Client, SandboxApp]


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, SandboxApp]]:
    """A service with the connector `desk`, its app, and user `ann`, who is connected there."""
    with sandbox_app("http://127.0.0.1:1/oauth/callback") as app:
        connectors = write_desk(tmp_path_factory.mktemp("connectors"), app.url)
        options = ["--connectors", str(connectors), "--allow-host", urlsplit(app.url).netloc]
        with service(tmp_path_factory.mktemp("data"), *options) as running:
            connect_by_key(running, "ann", app.api_keys["alice"], app="desk")
            yield running, app


@pytest.fixture
def desk(desks: tuple[RunningService, SandboxApp]) -> Iterator[Desk]:
    """The API as user `ann`, and the app with nothing in its log."""
    running, app = desks
    app.control("/_reset", {"parts": ["faults", "log"]})
    with running.api("ann") as api:
        yield api, app


def predicted(api: httpx.Client, function: str, prompt: str, **params: Any) -> dict[str, Any]:
    """The function as it is predicted for a prompt."""
    answer = api.get(function, params={"predict_arguments": "true", "prompt": prompt, **params})
    assert 200 == answer.status_code, answer.text
    return answer.json()


def test_a_name_becomes_an_id(alice: httpx.Client, running_service: RunningService, sandbox: SandboxApp) -> None:
    """The argument is the id, its evidence the words; asking a source function is a call of the user's, and logged."""
    said = {
        "in project Mobile app": "mobile-app",
        "in the project mobile": "mobile-app",
        "in the OPERATIONS project": "operations",
        'in the project "Website"': "website",
        "project: Documentation": "documentation",
    }
    for words, project in said.items():
        found = predicted(alice, CREATE, f'create a ticket titled "Broken printer" {words}')
        assert {"title": "Broken printer", "project_id": project} == found["arguments"], words
        assert [] == found["prediction"]["missing"]
        assert found["prediction"]["evidence"]["project_id"].casefold() in words.casefold()
        assert "choices" not in found["prediction"]
    answer = alice.get(CREATE, params={"predict_arguments": "true", "prompt": "ticket in project Billing"})
    rows = logged(running_service.data_directory, answer.headers["request-id"])

    assert ["sandbox-list-projects"] == [row["function_name"] for row in rows]
    assert ["Billing"] == sandbox.received(f"{API}/projects")[-1]["query"]["query"]


def test_with_the_function(alice: httpx.Client) -> None:
    """A predicted function comes with ids as well, and the arguments are those of a call that works."""
    prompt = "create a ticket about the broken printer in project Billing, assigned to Carla Costa"
    params = {"predict_function": "true", "predict_arguments": "true", "app": "sandbox", "prompt": prompt}
    (found,) = alice.get("/functions", params=params).json()["functions"]
    fields = {"invoice_number": "INV-1", "amount": 5}
    done = alice.post(f"/functions/{found['name']}", json={**found["arguments"], "fields": fields}).json()

    assert ("billing", "u-carla") == (found["arguments"]["project_id"], found["arguments"]["assignee_id"])
    assert {"Carla Costa", "Billing"} <= set(found["prediction"]["evidence"].values())
    assert ("201", "billing") == (done["network_code"], done["output"]["project_id"])


def test_without_one_account_nothing_is_asked(
    running_service: RunningService, sandbox: SandboxApp, alice_account: int, both_accounts: tuple[int, int]
) -> None:
    """One of several is never guessed, and another user's is as good as none; the named one is looked in."""
    for user, account in (("nobody", None), ("both", None), ("both", 999_999), ("both", alice_account)):
        named = {} if account is None else {"connected_account_id": account}
        with running_service.api(user) as api:
            found = predicted(api, CREATE, 'create a ticket titled "X" in project Website', **named)
        assert ({"title": "X"}, ["project_id"]) == (found["arguments"], found["prediction"]["missing"])
    assert [] == sandbox.received(f"{API}/projects")
    with running_service.api("both") as api:
        alices, bobs = (
            predicted(api, CREATE, "create a ticket in project Research", connected_account_id=account)["arguments"]
            for account in both_accounts
        )
    assert "project_id" not in alices
    assert "research" == bobs["project_id"]


def test_a_session_token_asks_only_what_it_may(alice: httpx.Client, running_service: RunningService) -> None:
    """A token that doesn't name the source function can't reach it through a prediction."""
    headers = {name: value for name, value in running_service.headers("alice").items() if name != "Hash"}
    for functions, resolved in ((["sandbox-create-ticket"], False), (["sandbox-list-projects"], True)):
        token = alice.post("/session_tokens", json={"functions": functions}).json()["token"]
        with http(running_service.url, headers | {"Authorization": f"Bearer {token}"}) as api:
            found = predicted(api, CREATE, "create a ticket in project Website")

        assert resolved == ("project_id" in found["arguments"])


def test_an_app_that_fails_takes_nothing_away(alice: httpx.Client, sandbox: SandboxApp) -> None:
    """Where a source function fails, or is not there in time, the prediction is what is known without it."""
    for fault in ("server_error", "malformed_json", "connection_reset", "rate_limited"):
        sandbox.fault(f"{API}/projects", fault, times=20, retry_after=60)
        found = predicted(alice, CREATE, 'create a ticket titled "X" in project Website')
        assert ({"title": "X"}, ["project_id"]) == (found["arguments"], found["prediction"]["missing"]), fault
        httpx.post(f"{sandbox.url}/_reset", json={"parts": ["faults"]}, trust_env=False).raise_for_status()
    sandbox.fault(f"{API}/projects", "slow", seconds=7)
    found = predicted(alice, CREATE, "create a ticket in project Website assigned to Carla Costa")

    assert ("u-carla", False) == (found["arguments"]["assignee_id"], "project_id" in found["arguments"])


def test_what_a_name_may_mean(desk: Desk) -> None:
    """A name that fits several entries becomes no argument: they are the choices, five at most; a whole one wins."""
    api, app = desk
    found = predicted(api, NOTE, "add a note to ticket Disk")
    choices = found["prediction"]["choices"]["ticket"]

    assert "ticket" not in found["arguments"]
    assert "ticket" in found["prediction"]["missing"]
    assert MOST_CHOICES == len(choices)
    assert {"value": 1003, "label": "Disk almost full"} in choices
    assert MOST_PAGES == len(app.received(f"{API}/tickets"))
    whole = predicted(api, NOTE, 'add the note "done" to ticket Disk almost full')
    assert 1003 == whole["arguments"]["ticket"]  # numbers stay numbers


def test_an_ambiguous_name_is_no_id(desk: Desk) -> None:
    """Words that were taken for an id, and turn out to be a name of several things, are no argument any more."""
    found = predicted(desk[0], NOTE, 'add the note "hi" in project Mobile app, field app')

    assert {"text": "hi", "project": "mobile-app"} == found["arguments"]
    assert {"App version", "The app crashed"} == {each["label"] for each in found["prediction"]["choices"]["field"]}
    assert "field" not in found["prediction"]["evidence"]


def test_what_depends_on_another_name(desk: Desk) -> None:
    """Fields are listed for their project, once its id is there, and not without it."""
    api, app = desk
    without = predicted(api, NOTE, 'add the note "seen" in project Garden, field Browser')
    assert not {"project", "field"} & set(without["arguments"])
    assert [] == app.received(f"{API}/projects/*")
    found = predicted(api, NOTE, 'add the note "seen" in project Website, field Browser')

    assert ("website", "browser") == (found["arguments"]["project"], found["arguments"]["field"])
    assert 1 == len(app.received(f"{API}/projects/website/custom-fields"))


def test_what_goes_without_saying(desk: Desk) -> None:
    """A name is listed by the only team there is and by a default; what it doesn't need is left alone."""
    api, app = desk
    found = predicted(api, NOTE, 'add the note "seen", lead Carla Costa')

    assert {"text": "seen", "team": "u-alice", "lead": "u-carla"} == found["arguments"]
    assert {"text", "lead"} == set(found["prediction"]["evidence"])
    (asked,) = app.received(f"{API}/users")
    assert (["u-alice"], ["first"], None) == tuple(asked["query"].get(name) for name in ("team", "floor", "room"))


def test_several_names(desk: Desk) -> None:
    """Each of a list becomes an id; three source functions at most are asked, for what is required first; or none."""
    api, app = desk
    predicted(api, NOTE, "add a note saying that the printer is broken")
    assert [] == [each for path in ("tickets", "projects") for each in app.received(f"{API}/{path}")]
    listed = predicted(api, NOTE, 'add the note "hi", watchers: Carla and Emre Erdem')["arguments"]
    prompt = 'add the note "hi" to ticket Wrong tax rate in project Website, field Browser, person Emre Erdem'
    many = predicted(api, NOTE, f"{prompt}, watchers Carla Costa")["arguments"]

    assert ["u-carla", "u-emre"] == listed["watchers"]
    assert MOST_SOURCES == len({"ticket", "project", "field", "person", "watchers"} & set(many))
    assert 1009 == many["ticket"]
