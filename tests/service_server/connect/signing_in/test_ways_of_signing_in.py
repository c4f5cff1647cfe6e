"""Every way of signing in that needs no provider's page: connecting, renewing, refusing, reconnecting, leaving."""

import re
import time
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from tests.service_server.catalog.connector_folder import ConnectorFolder
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
from tests.service_server.processes import RunningService, http, service

pytestmark = pytest.mark.slow

WAYS = ("basic", "service", "service_body", "exchanged", "signed", "signed_hex", "login", "login_again")
RENEWED = ("service", "service_body", "exchanged", "login", "login_again")
GRANTS = {
    "service": ["client_credentials", "client_credentials"],
    "service_body": ["client_credentials", "client_credentials"],
    "exchanged": ["urn:ietf:params:oauth:grant-type:jwt-bearer"] * 2,
    "login": ["login", "renew"],
    "login_again": ["login", "login"],
}


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


def connect(served: RunningService, user: str, way: str, answers: dict[str, str], **options: object) -> httpx.Response:
    """Fill in the connect page; the page that follows."""
    with served.api(user) as api, http(served.url) as browser:
        session = api.post("/apps/acme/connect_sessions", json=options).json()
        page = browser.get(f"{session['url']}?auth={way}")
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text)
        form = {name: unescape(value) for name, value in hidden}
        typed = {field_named(page.text, name, way): value for name, value in answers.items()}
        return browser.post(session["url"], data={**form, "auth": way, **typed}, follow_redirects=True)


def field_named(page: str, name: str, way: str) -> str:
    """The page's name for a field; ways that mean different things by one name have one each."""
    of_the_way = f"field.{name}.{way}"
    return of_the_way if f'name="{of_the_way}"' in page else f"field.{name}"


def call(served: RunningService, user: str) -> httpx.Response:
    """Call the app's function."""
    with served.api(user) as api:
        return api.post("/functions/acme-who-am-i", json={})


def accounts(served: RunningService, user: str) -> list[dict[str, object]]:
    """The user's accounts in the app."""
    with served.api(user) as api:
        found: list[dict[str, object]] = api.get("/apps/acme").json()["connected_accounts"]
        return found


@pytest.mark.parametrize("way", WAYS)
def test_wrong_answers(app: TokenApp, served: RunningService, way: str) -> None:
    """What the app doesn't take, or what is no key at all, is said on the page, which shows no secret again."""
    secret = next(name for name in right_answers()[way] if name not in ("username", "user", "client_id", "name"))
    for wrong in ("wr0ng-and-secret", "beef" * 16):
        page = connect(served, f"wrong-{way}", way, {**right_answers()[way], secret: wrong})
        assert 422 == page.status_code
        assert "did not accept this" in page.text
        assert wrong not in page.text
    assert [] == accounts(served, f"wrong-{way}")


@pytest.mark.parametrize("way", RENEWED)
def test_tokens_are_renewed(app: TokenApp, served: RunningService, way: str) -> None:
    """A token that ended before its time is renewed once, the way the app has for it, and the call goes through."""
    connect(served, f"renewed-{way}", way, right_answers()[way])
    app.tokens.clear()

    assert "200" == call(served, f"renewed-{way}").json()["network_code"]
    assert "200" == call(served, f"renewed-{way}").json()["network_code"]
    assert GRANTS[way] == app.issued


@pytest.mark.parametrize("way", RENEWED)
def test_due_tokens_are_renewed_before_they_are_sent(app: TokenApp, served: RunningService, way: str) -> None:
    """A token near its end is replaced without the app having to refuse it; one without an end never is."""
    app.lifetime = 1
    connect(served, f"due-{way}", way, right_answers()[way])
    app.tokens.clear()
    app.lifetime = None
    deadline = time.monotonic() + 30
    while len(app.issued) < 2 and time.monotonic() < deadline:
        assert "200" == call(served, f"due-{way}").json()["network_code"]
    call(served, f"due-{way}")

    assert GRANTS[way] == app.issued


@pytest.mark.parametrize("way", WAYS)
def test_connecting_calling_and_connecting_again(app: TokenApp, served: RunningService, way: str) -> None:
    """What is typed in is tried and called with; once the app lets nobody in the account is reconnected in place."""
    user = f"dead-{way}"
    page = connect(served, user, way, right_answers()[way])
    (before,) = accounts(served, user)
    answer = call(served, user).json()
    assert "Acme is connected" in page.text
    assert (USER["name"], "200", USER) == (before["display_name"], answer["network_code"], answer["output"])
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
    connect(served, user, way, right_answers()[way], connected_account_id=before["id"])
    (after,) = accounts(served, user)
    assert (before["id"], "active", None) == (after["id"], after["state"], after["state_reason"])
    assert "200" == call(served, user).json()["network_code"]


@pytest.mark.parametrize("way", ["service", "exchanged"])
def test_token_endpoint_away(app: TokenApp, served: RunningService, way: str) -> None:
    """A token endpoint in trouble is said when connecting; a call is told the app's own 401, and nothing is lost."""
    app.fault = "down"
    page = connect(served, f"away-{way}", way, right_answers()[way])
    assert "has a problem at the moment: the token endpoint answered 503" in page.text
    app.fault = ""
    connect(served, f"away-{way}", way, right_answers()[way])
    app.tokens.clear()
    app.fault = "down"

    executed = call(served, f"away-{way}")
    assert (200, "401") == (executed.status_code, executed.json()["network_code"])
    app.fault = ""
    assert "200" == call(served, f"away-{way}").json()["network_code"]


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
    page = connect(served, "own-client", "service", right_answers()["service"])

    assert 422 == page.status_code
    assert told in unescape(page.text)


def test_what_is_sent_to_token_endpoints(app: TokenApp, served: RunningService) -> None:
    """Scopes, extra parameters and the client go where the connector says; nothing of the client where it doesn't."""
    connect(served, "sent", "service", right_answers()["service"])
    connect(served, "sent", "service_body", right_answers()["service_body"])

    by_header, by_body = app.asked
    assert {"grant_type": "client_credentials", "scope": "read write"} == by_header
    assert ("urn:acme", *CLIENT) == (by_body["resource"], by_body["client_id"], by_body["client_secret"])


def test_the_same_person_by_two_doors_is_one_account(app: TokenApp, served: RunningService) -> None:
    """Connecting once more in another way replaces the credentials of the account."""
    connect(served, "doors", "basic", right_answers()["basic"])
    (first,) = accounts(served, "doors")
    connect(served, "doors", "signed", right_answers()["signed"])
    (second,) = accounts(served, "doors")

    assert first["id"] == second["id"]


def test_disconnecting_logs_out(app: TokenApp, served: RunningService) -> None:
    """The session that a login opened in the app ends with the account."""
    connect(served, "leaves", "login", right_answers()["login"])
    assert 1 == len(app.tokens)
    with served.api("leaves") as api:
        assert 204 == api.delete("/apps/acme/connected_accounts").status_code

    assert {} == app.tokens


def test_a_password_is_forgotten_where_it_is_not_needed(app: TokenApp, served: RunningService) -> None:
    """With a refresh of the app's own the password is used once; when that dies nothing logs in behind the user."""
    connect(served, "forgets", "login", right_answers()["login"])
    app.tokens.clear()
    app.refresh_tokens.clear()

    assert "401" == call(served, "forgets").json()["network_code"]
    assert 400 == call(served, "forgets").status_code
    assert ["login"] == app.issued
    assert LOGIN[1] in [asked.get("password") for asked in app.asked]
