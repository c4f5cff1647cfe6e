"""The ways to sign in to Trello, by the connector as it ships, against an emulator: Atlassian's page, and a key."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.emulators.pointed import point
from tests.service_server.connect.signing_in.atlassian import emulated, served_beside
from tests.service_server.connect.signing_in.attempts import Browser, accounts
from tests.service_server.connect.signing_in.trello import KEY, SCOPES, TOKEN, Trello
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

APP = "emulated_trello"

Browse = Callable[[str], Browser]


@pytest.fixture(scope="module")
def running() -> Iterator[Trello]:
    """Trello, and Atlassian's sign-in page."""
    with emulated(Trello()) as app:
        yield app


@pytest.fixture
def trello(running: Trello) -> Trello:
    """Trello as it is at its start."""
    running.reset()
    running.granted = []
    for kept in (running.grants, running.authorizations, running.challenges):
        kept.clear()
    return running


@pytest.fixture(scope="module")
def served(running: Trello, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with a copy of the shipped connector that talks to the emulator."""
    folder: Path = tmp_path_factory.mktemp("trello")
    replaced = {
        "https://auth.atlassian.com/authorize": f"{running.url}/authorize",
        "https://auth.atlassian.com/oauth/token": f"{running.url}/token",
        "https://api.trello.com": running.url,
        # What was made is linked on trello.com, one of the app's own hosts.
        "docs_url: https://developer.atlassian.com": "docs_url: https://trello.com",
    }
    point("trello", folder / "connectors", replaced)
    with served_beside(running.url, APP, folder) as started:
        yield started


@pytest.fixture
def browse(served: RunningService) -> Iterator[Callable[[str], Browser]]:
    """Open browsers of users, each in a connect session of its own."""
    with contextlib.ExitStack() as opened:
        yield lambda user: opened.enter_context(contextlib.closing(Browser(served, APP, user)))


def test_signing_in_on_atlassians_page(served: RunningService, trello: Trello, browse: Browse) -> None:
    """The usual scopes are asked for, with a challenge; the account has the member's name, and its calls the token."""
    browser = browse("one")
    shown = browser.sign_in()
    with served.api("one") as api:
        answer = api.post(f"/functions/{APP}-list-boards", json={}).json()

    assert "is connected" in shown.text
    assert SCOPES == trello.asked
    assert ["Ada Lovelace (ada)"] == accounts(served, APP, "one")
    assert [{"id": "b1", "name": "Roadmap"}] == answer["output"]
    assert {"Bearer"} == set(trello.authorizations)


def test_a_key_and_token(served: RunningService, trello: Trello, browse: Browse) -> None:
    """A key with its token connects the same member, and goes into the header that Trello wants for it."""
    shown = browse("two").type_in("token", key=KEY, token=TOKEN)
    with served.api("two") as api:
        answer = api.post(f"/functions/{APP}-list-boards", json={}).json()

    assert "is connected" in shown.text, shown.text
    assert ["Ada Lovelace (ada)"] == accounts(served, APP, "two")
    assert "200" == answer["network_code"]
    assert {"OAuth"} == set(trello.authorizations)


def test_both_ways_lead_to_one_account(served: RunningService, trello: Trello, browse: Browse) -> None:
    """Who connected by a key and signs in on the page has still one account: it is the same member."""
    browse("three").type_in("token", key=KEY, token=TOKEN)
    browse("three").sign_in()

    assert ["Ada Lovelace (ada)"] == accounts(served, APP, "three")


def test_a_token_that_ends_is_renewed(served: RunningService, trello: Trello, browse: Browse) -> None:
    """Tokens live for an hour: one that is refused is renewed by the refresh token, and the call goes through."""
    browse("four").sign_in()
    trello.tokens.clear()
    with served.api("four") as api:
        answer = api.post(f"/functions/{APP}-list-boards", json={}).json()

    assert "200" == answer["network_code"], answer
    assert ["authorization_code", "refresh_token"] == trello.grants


def test_what_was_not_granted_is_not_asked_of_trello(served: RunningService, trello: Trello, browse: Browse) -> None:
    """A client that may only read gives accounts that only read: a change is refused before anything is sent."""
    trello.granted = [scope for scope in SCOPES if not scope.startswith("write:")]
    browse("five").sign_in()
    with served.api("five") as api:
        refused = api.post(f"/functions/{APP}-create-list", json={"board": "b1", "name": "Doing"}).json()
        listed = api.post(f"/functions/{APP}-list-boards", json={}).json()

    assert "missing_scope" in str(refused["error_details"])
    assert "write:board:trello" in str(refused["error_details"])
    assert "200" == listed["network_code"]
    assert "/1/lists" not in trello.paths
