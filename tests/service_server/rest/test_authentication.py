"""Who may call: the three headers and session tokens, what tokens are limited to, and secrets that are replaced."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from service_client.models import sign
from tests.service_server.connecting import type_in
from tests.service_server.processes import RunningService, command, http, service
from tests.service_server.rest.conftest import ORIGIN, all_pages, code_of

pytestmark = pytest.mark.slow

READ, OTHER, PASSTHROUGH = "many-read-000", "many-read-001", "github-passthrough-request"


def by_token(running: RunningService, backend: httpx.Client, **scope: object) -> httpx.Client:
    """A page with a session token that a backend has minted."""
    token = backend.post("/session_tokens", json=scope).json()["token"]
    return http(running.url, {"Authorization": f"Bearer {token}"})


def test_the_three_headers_are_enough(rest_service: RunningService, anonymous: httpx.Client) -> None:
    """Hex digits have no case; a missing one is refused without saying which, as all failures look the same."""
    headers = rest_service.headers("user-1")
    for given in (headers, {**headers, "Hash": headers["Hash"].upper()}):
        assert 200 == anonymous.get("/apps", headers=given).status_code
    errors = set()
    for missing in headers:
        answer = anonymous.get("/apps", headers={name: text for name, text in headers.items() if name != missing})
        assert (401, "unauthenticated") == code_of(answer)
        errors.add(answer.json()["error"])
    assert {anonymous.get("/apps").json()["error"]} == errors


def test_a_foreign_hash_is_refused(
    rest_service: RunningService, anonymous: httpx.Client, other_application: dict[str, str]
) -> None:
    """Another user's hash, another application's secret, a made-up key and two User-IDs do not open anything."""
    own = rest_service.headers("user-1")
    attempts = [
        {"Hash": sign("user-2", rest_service.app_secret)},
        {"Hash": sign("user-1", other_application["app_secret"])},
        {"App-Key": other_application["app_key"]},
        {"App-Key": "app_unknown", "Hash": sign("user-1", "")},
        {"User-ID": ""},
        {"Hash": "é".encode()},
    ]
    for changes in attempts:
        assert 401 == anonymous.get("/apps", headers={**own, **changes}).status_code, changes
    assert 401 == anonymous.get("/apps", headers=[*own.items(), ("User-ID", "user-1")]).status_code


def test_user_ids_travel_percent_encoded_or_raw(rest_service: RunningService) -> None:
    """The hash is that of the decoded User-ID, which has 256 code points at most, and no control characters."""
    for user_id in ("müller@exämple", "日本", " edge ", "100%", "a%20b"):
        raw = [user_id.encode()] if user_id == user_id.strip() else []
        for form in (quote(user_id, safe="").encode(), *raw):
            with rest_service.api(user_id) as client:
                assert 200 == client.get("/apps", headers={"User-ID": form}).status_code, form
    for user_id in ("x" * 257, "a\tb", "\x7f"):
        with rest_service.api(user_id) as client:
            assert 401 == client.get("/apps").status_code, user_id


def test_a_session_token_stands_for_the_user(rest_service: RunningService, api: httpx.Client) -> None:
    """It works alone, in place of the three headers, for its own user and application, as it is, and for its time."""
    minted = api.post("/session_tokens", json={"expires_in": 60})
    assert 201 == minted.status_code
    token = minted.json()["token"]
    changed = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    with by_token(rest_service, api) as client, by_token(rest_service, api, expires_in=1) as short:
        assert (403, "forbidden") == code_of(client.post("/session_tokens"))
        beside = {}, {"User-ID": "user-1"}, {"User-ID": "user-2"}, {"App-Key": "app_x"}
        statuses = [client.get("/apps", headers=each).status_code for each in beside]
        assert [200, 200, 401, 401] == statuses
        assert 401 == client.get("/apps", headers={"Authorization": f"Bearer {changed}"}).status_code
        rest_service.program.wait_until(lambda: short.get("/apps").status_code == 401 or None)


@pytest.mark.parametrize(
    ("scope", "path", "expected"),
    [
        # where both limits let a function through, it is only the missing account that refuses it
        ({"functions": [READ]}, f"/functions/{READ}", (400, "not_connected")),
        ({"functions": [READ], "apps": ["many"]}, f"/functions/{READ}", (400, "not_connected")),
        ({"functions": [READ]}, f"/functions/{OTHER}", (403, "forbidden")),
        ({"functions": [READ], "apps": ["github"]}, f"/functions/{READ}", (403, "forbidden")),
        ({"functions": [READ], "apps": []}, f"/functions/{READ}", (403, "forbidden")),
        ({"functions": [], "apps": ["many"]}, f"/functions/{READ}", (403, "forbidden")),
        ({"functions": [PASSTHROUGH], "apps": ["many"]}, f"/functions/{READ}", (403, "forbidden")),
        ({"functions": [PASSTHROUGH], "apps": ["many"]}, f"/functions/{PASSTHROUGH}", (403, "forbidden")),
        ({}, "/sandbox-passthrough-request", (403, "forbidden")),
    ],
)
def test_each_limit_of_a_token_counts(
    rest_service: RunningService, api: httpx.Client, scope: dict[str, list[str]], path: str, expected: tuple[int, str]
) -> None:
    """A function is called only if functions and apps of the token let it through; a passthrough has to be named."""
    with by_token(rest_service, api, **scope) as limited:
        assert expected == code_of(limited.post(path, json={}))


def test_a_token_for_one_app_leaves_the_sessions_of_others_alone(
    rest_service: RunningService, api: httpx.Client
) -> None:
    """Watching, cancelling and redeeming a connect session are limited to the token's apps like opening one."""
    session = f"/connect_sessions/{api.post('/apps/github/connect_sessions', json={}).json()['id']}"
    with by_token(rest_service, api, apps=["many"]) as limited, by_token(rest_service, api, apps=["github"]) as fitting:
        redeemed = limited.post(f"{session}/redeem", json={"code": "x"})
        statuses = {each.status_code for each in (limited.get(session), limited.delete(session), redeemed)}
        assert ({403}, "pending") == (statuses, fitting.get(session).json()["status"])


@pytest.mark.parametrize(
    ("scope", "expected"), [({"apps": ["github"]}, []), ({"functions": [READ]}, ["many"]), ({}, ["many"])]
)
def test_a_token_shows_the_accounts_of_its_apps_only(
    rest_service: RunningService, scope: dict[str, list[str]], expected: list[str]
) -> None:
    """What the user has connected elsewhere is told in no answer."""
    with rest_service.api("seen") as backend:
        if not backend.get("/apps/many").json()["connected_accounts"]:
            type_in(rest_service, "seen", "many", {}, "open")
        token = backend.post("/session_tokens", json=scope).json()["token"]
    drawn = {"token": token, "method": "showApps", "arguments": json.dumps({"apps": ["many"]})}
    with http(rest_service.url, {"Authorization": f"Bearer {token}"}) as page, http(rest_service.url) as browser:
        several = browser.post("/first_screens", data=drawn, headers={"Origin": ORIGIN}).json()["known"]["apps"]["apps"]
        listed = page.get("/apps", params={"connected_only": "true"}).json()["apps"]
        functions = page.get("/functions", params={"connected_only": "true"}).json()["functions"]
        for apps in ([page.get("/apps/many").json()], listed, several):
            assert expected == [app["name"] for app in apps if app["connected_accounts"]]
    assert (expected != [], len(expected)) == (functions != [], len(listed))


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"apps": ["many", "github"]}, ["github", "many"]),
        ({"functions": [READ]}, ["many"]),
        ({}, None),
    ],
)
def test_a_token_lists_the_apps_that_it_may_connect(
    rest_service: RunningService, api: httpx.Client, scope: dict[str, list[str]], expected: list[str] | None
) -> None:
    """A marketplace shows no app that it then refuses to connect, neither drawn first nor listed page by page."""
    token = api.post("/session_tokens", json=scope).json()["token"]
    drawn = {"token": token, "method": "showApps", "arguments": "{}"}
    with http(rest_service.url, {"Authorization": f"Bearer {token}"}) as page, http(rest_service.url) as browser:
        first = browser.post("/first_screens", data=drawn, headers={"Origin": ORIGIN}).json()["known"]["apps"]["apps"]
        listed = [app["name"] for app in all_pages(page, "/apps")]

    assert (expected or [app["name"] for app in all_pages(api, "/apps")]) == listed == [app["name"] for app in first]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [({"apps": ["sandbox"]}, ["sandbox-create-ticket"]), ({"apps": ["many"]}, []), ({"functions": []}, [])],
)
def test_a_token_is_predicted_what_it_allows(
    rest_service: RunningService, api: httpx.Client, scope: dict[str, list[str]], expected: list[str]
) -> None:
    """What couldn't be called is of no use to the page, and neither are alternatives that couldn't be."""
    prompt = {"predict_function": "true", "prompt": 'create a ticket in the sandbox titled "Printer on fire"'}
    with by_token(rest_service, api, **scope) as limited:
        found = limited.get("/functions", params=prompt).json()["functions"]

    assert expected == [each["name"] for each in found]
    assert {"sandbox"} >= {each["name"].split("-")[0] for one in found for each in one["prediction"]["alternatives"]}


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service whose application's secret is replaced."""
    with service(tmp_path_factory.mktemp("secrets")) as running:
        yield running


def test_both_secrets_work_until_the_old_one_is_retired(own_service: RunningService) -> None:
    """The new one counts at once. Retiring the old one ends it for hashes and tokens; a token keeps its scope."""

    def rotate(*options: str) -> dict[str, str]:
        arguments = ("application", "rotate-secret", "Test host", "--json", *options)
        return json.loads(command(own_service.data_directory, *arguments))

    def by_hash(secret: str) -> httpx.Client:
        return http(own_service.url, {**own_service.headers("ann"), "Hash": sign("ann", secret)})

    with by_hash(own_service.app_secret) as old:
        assert 200 == old.get("/apps").status_code
        told = rotate()
    assert own_service.app_key == told["app_key"]
    with by_hash(own_service.app_secret) as old, by_hash(told["app_secret"]) as new:
        assert [200, 200] == [each.get("/apps").status_code for each in (new, old)]
        with by_token(own_service, old) as old_page, by_token(own_service, new) as new_page:
            assert [200, 200] == [each.get("/apps").status_code for each in (old_page, new_page)]
            with by_token(own_service, new, functions=["sandbox-list-projects"]) as scoped:
                scopes = [scoped.post(f"/functions/sandbox-list-{each}").status_code for each in ("projects", "labels")]
                assert [400, 403] == scopes
            assert {"app_key": own_service.app_key} == rotate("--retire-old")
            own_service.program.wait_until(lambda: old.get("/apps").status_code == 401 or None)
            assert 401 == old_page.get("/apps").status_code
            assert [200, 200] == [each.get("/apps").status_code for each in (new, new_page)]
