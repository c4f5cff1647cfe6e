"""Every way of signing in that needs no provider's page: connecting, renewing, refusing, reconnecting, leaving."""

import contextlib
import time
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from tests.service_server.catalog.connector_folder import ConnectorFolder
from tests.service_server.connect.signing_in import attempts
from tests.service_server.connect.token_app import (
    CLIENT,
    LOGIN,
    USER,
    WHO_AM_I,
    TokenApp,
    connector,
    right_answers,
    token_app,
)
from tests.service_server.processes import RunningService, service

pytestmark = pytest.mark.slow

WAYS = ("basic", "service", "service_body", "exchanged", "signed", "signed_hex", "login", "login_again")
GRANTS = {
    "service": ["client_credentials", "client_credentials"],
    "service_body": ["client_credentials", "client_credentials"],
    "exchanged": ["urn:ietf:params:oauth:grant-type:jwt-bearer"] * 2,
    "login": ["login", "renew"],
    "login_again": ["login", "login"],
}
"""What is asked for at first and to renew, by the ways whose tokens end."""


@pytest.fixture(scope="module")
def running_app() -> Iterator[TokenApp]:
    """The third-party app."""
    with token_app() as app:
        yield app


@pytest.fixture(scope="module")
def served(running_app: TokenApp, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service with the app's connector."""
    folder = tmp_path_factory.mktemp("ways")
    ConnectorFolder(connector(running_app.url), {"who-am-i": WHO_AM_I}).write(folder / "connectors", "acme")
    host = f"acme={running_app.url.removeprefix('http://')}"
    options = ("--connectors", str(folder / "connectors"), "--allow-host", host)
    with service(folder / "data", *options) as running_service:
        yield running_service


@pytest.fixture
def app(running_app: TokenApp) -> TokenApp:
    """The app as it is at its start."""
    running_app.reset()
    return running_app


def connect(served: RunningService, user: str, way: str, wrong: str | None = None, **options: object) -> httpx.Response:
    """Fill in the connect page, perhaps with something wrong for its last field; the page that follows."""
    answers = right_answers()[way]
    if wrong is not None:
        answers = {**answers, list(answers)[-1]: wrong}
    with contextlib.closing(attempts.Browser(served, "acme", user, **options)) as browser:
        return browser.type_in(way, **answers)


def call(served: RunningService, user: str) -> httpx.Response:
    """Call the app's function."""
    return attempts.call(served, user, "acme-who-am-i")


def code(served: RunningService, user: str) -> str:
    """What the app's function answers."""
    return str(call(served, user).json()["network_code"])


def accounts(served: RunningService, user: str) -> list[dict[str, object]]:
    """The user's accounts in the app."""
    return attempts.accounts(served, "acme", user)


@pytest.mark.parametrize("way", WAYS)
def test_connecting_calling_and_connecting_again(app: TokenApp, served: RunningService, way: str) -> None:
    """
    What is typed in is tried and called with; once the app lets nobody in the account is reconnected in place.

    Neither on the disk nor in the log lies what was typed in, even if it was wrong, or a token.
    """
    user = f"dead-{way}"
    for wrong in ("wr0ng-and-secret", "beef" * 16):
        page = connect(served, user, way, wrong)
        assert 422 == page.status_code
        assert "did not accept this" in page.text
        assert wrong not in page.text
    assert [] == accounts(served, user)
    page = connect(served, user, way)
    (before,) = accounts(served, user)
    answer = call(served, user).json()
    assert "Acme is connected" in page.text
    assert (USER["name"], "200", USER) == (before["display_name"], answer["network_code"], answer["output"])
    secret = max(list(right_answers()[way].values())[-1].splitlines(), key=len)
    assert [] == served.where_found(secret, "wr0ng-and-secret", *app.tokens, *app.refresh_tokens)
    assert served.where_found(USER["name"])
    app.tokens.clear()
    app.admits = False

    call(served, user)
    refused = call(served, user)
    (marked,) = accounts(served, user)
    assert (400, "reconnect_required") == (refused.status_code, refused.json()["error_details"][0]["code"])
    assert "reconnect_required" == marked["state"]
    assert "refused" in str(marked["state_reason"])
    assert str(marked["state_reason"]) in refused.json()["error"]

    app.admits = True
    connect(served, user, way, connected_account_id=before["id"])
    (after,) = accounts(served, user)
    assert (before["id"], "active", None) == (after["id"], after["state"], after["state_reason"])
    assert "200" == code(served, user)


@pytest.mark.parametrize("way", GRANTS)
def test_tokens_are_renewed(app: TokenApp, served: RunningService, way: str) -> None:
    """One that ended before its time, once; one that is due before it is sent; one that has no end never."""
    connect(served, f"renewed-{way}", way)
    app.tokens.clear()
    assert ["200", "200"] == [code(served, f"renewed-{way}") for _ in range(2)]
    assert GRANTS[way] == app.issued

    app.reset()
    app.lifetime = 1
    connect(served, f"due-{way}", way)
    app.tokens.clear()
    app.lifetime = None
    deadline = time.monotonic() + 30
    while len(app.issued) < 2 and time.monotonic() < deadline:
        assert "200" == code(served, f"due-{way}")
    code(served, f"due-{way}")
    assert GRANTS[way] == app.issued


@pytest.mark.parametrize("way", ["service", "exchanged"])
def test_token_endpoint_away(app: TokenApp, served: RunningService, way: str) -> None:
    """A token endpoint in trouble is said when connecting; a call is told the app's own 401, and nothing is lost."""
    user, app.fault = f"away-{way}", "down"
    assert "has a problem at the moment: the token endpoint answered 503" in connect(served, user, way).text
    app.fault = ""
    connect(served, user, way)
    app.tokens.clear()
    app.fault = "down"

    executed = call(served, user)
    assert (200, "401") == (executed.status_code, executed.json()["network_code"])
    app.fault = ""
    assert "200" == code(served, user)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("invalid_scope", "Allow them in Acme"),
        ("unauthorized_client", "doesn't let this client sign in by itself"),
        ("invalid_client", "did not accept this. Check it and try again. It said: invalid_client."),
    ],
)
def test_what_the_user_can_do_about_their_own_client(
    app: TokenApp, served: RunningService, error: str, told: str
) -> None:
    """Who typed in the client is its operator: the advice is for what they can set in the app."""
    app.fault = error
    page = connect(served, "own-client", "service")

    assert 422 == page.status_code
    assert told in unescape(page.text)


def test_what_is_sent_to_token_endpoints(app: TokenApp, served: RunningService) -> None:
    """Scopes, extra parameters and the client go where the connector says; nothing of the client where it doesn't."""
    connect(served, "sent", "service")
    (first,) = accounts(served, "sent")
    connect(served, "sent", "service_body")

    by_header, by_body = app.asked
    assert {"grant_type": "client_credentials", "scope": "read write"} == by_header
    assert ("urn:acme", *CLIENT) == (by_body["resource"], by_body["client_id"], by_body["client_secret"])
    assert [first["id"]] == [each["id"] for each in accounts(served, "sent")]  # it is the same person


def test_disconnecting_logs_out(app: TokenApp, served: RunningService) -> None:
    """The session that a login opened in the app ends with the account."""
    connect(served, "leaves", "login")
    assert 1 == len(app.tokens)
    with served.api("leaves") as api:
        assert 204 == api.delete("/apps/acme/connected_accounts").status_code

    assert {} == app.tokens


def test_a_password_is_forgotten_where_it_is_not_needed(app: TokenApp, served: RunningService) -> None:
    """With a refresh of the app's own the password is used once; when that dies nothing logs in behind the user."""
    connect(served, "forgets", "login")
    app.tokens.clear()
    app.refresh_tokens.clear()

    assert "401" == code(served, "forgets")
    assert 400 == call(served, "forgets").status_code
    assert ["login"] == app.issued
    assert LOGIN[1] in [asked.get("password") for asked in app.asked]
