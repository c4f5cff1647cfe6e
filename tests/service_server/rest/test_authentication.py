"""Who may call: the three headers, session tokens, and the origins of browsers."""

import time
from urllib.parse import quote

import httpx
import pytest

from service_client.models import sign
from tests.service_server.processes import RunningService, http

pytestmark = pytest.mark.slow


def code_of(response: httpx.Response) -> str:
    """The code of the first detail."""
    code: str = response.json()["error_details"][0]["code"]
    return code


def by_token(service: RunningService, token: str) -> httpx.Client:
    """A page with a session token."""
    return http(service.url, {"Authorization": f"Bearer {token}"})


def test_valid_credentials_are_let_in(rest_service: RunningService) -> None:
    """The three headers are enough; hex digits have no case."""
    headers = rest_service.headers("user-1")
    for given in (headers, {**headers, "Hash": headers["Hash"].upper()}):
        with http(rest_service.url, given) as client:
            assert 200 == client.get("/apps").status_code


def test_a_missing_header_is_refused_without_saying_which(
    rest_service: RunningService, anonymous: httpx.Client
) -> None:
    """All failures of authentication look the same."""
    headers = rest_service.headers("user-1")
    reference = anonymous.get("/apps").json()["error"]
    for missing in headers:
        answer = anonymous.get("/apps", headers={name: text for name, text in headers.items() if name != missing})
        assert (401, "unauthenticated", reference) == (answer.status_code, code_of(answer), answer.json()["error"])


def test_a_foreign_hash_is_refused(rest_service: RunningService, other_application: dict[str, str]) -> None:
    """Another user's hash, another application's secret, a made-up key and two User-IDs do not open anything."""
    own = rest_service.headers("user-1")
    attempts = [
        {**own, "Hash": sign("user-2", rest_service.app_secret)},
        {**own, "Hash": sign("user-1", other_application["app_secret"])},
        {**own, "App-Key": other_application["app_key"]},
        {**own, "App-Key": "app_unknown", "Hash": sign("user-1", "")},
        {**own, "User-ID": ""},
        {**own, "Hash": "é".encode()},
    ]
    for headers in attempts:
        with http(rest_service.url, headers) as client:  # type: ignore[arg-type]
            assert 401 == client.get("/apps").status_code, headers
    with http(rest_service.url) as client:
        assert 401 == client.get("/apps", headers=[*own.items(), ("User-ID", "user-1")]).status_code


@pytest.mark.parametrize("user_id", ["müller@exämple", "日本", " edge ", "100%", "a%20b"])
def test_user_ids_travel_percent_encoded_or_raw(rest_service: RunningService, user_id: str) -> None:
    """The hash is that of the decoded User-ID, however the header carries it."""
    forms = [quote(user_id, safe="").encode(), *([user_id.encode()] if user_id == user_id.strip() else [])]
    for form in forms:
        with http(rest_service.url, rest_service.headers(user_id)) as client:
            assert 200 == client.get("/apps", headers={"User-ID": form}).status_code, form  # type: ignore[dict-item]


def test_user_ids_have_limits(rest_service: RunningService) -> None:
    """More than 256 code points, or control characters, are no User-ID, even rightly signed."""
    for user_id in ("x" * 257, "a\tb", "\x7f"):
        with rest_service.api(user_id) as client:
            assert 401 == client.get("/apps").status_code, user_id


def test_a_session_token_stands_for_the_user(rest_service: RunningService, api: httpx.Client) -> None:
    """A minted token works alone, in place of the three headers, for its own user and application, as it is."""
    minted = api.post("/session_tokens", json={"expires_in": 60})
    token = minted.json()["token"]
    changed = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    with by_token(rest_service, token) as client:
        assert (201, 200) == (minted.status_code, client.get("/apps").status_code)
        assert 403 == client.post("/session_tokens").status_code
        beside = {"User-ID": "user-1"}, {"User-ID": "user-2"}, {"App-Key": "app_x"}
        assert [200, 401, 401] == [client.get("/apps", headers=each).status_code for each in beside]
    with by_token(rest_service, changed) as client:
        assert 401 == client.get("/apps").status_code


def test_a_session_token_expires(rest_service: RunningService, api: httpx.Client) -> None:
    """After its time a token is as good as none."""
    token = api.post("/session_tokens", json={"expires_in": 1}).json()["token"]
    time.sleep(1.1)
    with by_token(rest_service, token) as client:
        assert 401 == client.get("/apps").status_code


def test_session_token_bodies_are_checked(api: httpx.Client) -> None:
    """Wrong fields are named."""
    for body in ({"expires_in": 0}, {"expires_in": 86401}, {"apps": "x"}, {"x": 1}):
        response = api.post("/session_tokens", json=body)
        assert (400, *body) == (response.status_code, response.json()["error_details"][0]["field"])


def test_a_preflight_names_what_may_be_sent(anonymous: httpx.Client) -> None:
    """Browsers learn the headers and methods; preflights carry no credentials."""
    headers = {"Origin": "https://host.example", "Access-Control-Request-Method": "POST"}
    response = anonymous.options("/functions/x/", headers=headers)

    assert 204 == response.status_code
    for name in ("App-Key", "Hash", "User-ID", "Authorization", "Content-Type", "Idempotency-Key"):
        assert name in response.headers["access-control-allow-headers"]
    assert "DELETE" in response.headers["access-control-allow-methods"]
