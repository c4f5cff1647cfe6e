"""Who may call: the three headers, session tokens, and the origins of browsers."""

import time
from urllib.parse import quote

import httpx
import pytest

from service_client.models import sign
from tests.service_server.processes import RunningService, http


def code_of(response: httpx.Response) -> str:
    """The code of the first detail."""
    code: str = response.json()["error_details"][0]["code"]
    return code


def test_valid_credentials_are_let_in(api: httpx.Client) -> None:
    """The three headers are enough."""
    assert 200 == api.get("/apps").status_code


def test_the_hash_may_be_upper_case(rest_service: RunningService) -> None:
    """Hex digits have no case."""
    headers = rest_service.headers("user-1")
    with http(rest_service.url, {**headers, "Hash": headers["Hash"].upper()}) as client:
        assert 200 == client.get("/apps").status_code


@pytest.mark.parametrize("missing", ["App-Key", "Hash", "User-ID"])
def test_a_missing_header_is_refused_without_saying_which(rest_service: RunningService, missing: str) -> None:
    """All failures of authentication look the same."""
    headers = rest_service.headers("user-1")
    del headers[missing]
    with http(rest_service.url, headers) as client, http(rest_service.url) as anonymous:
        response, reference = client.get("/apps"), anonymous.get("/apps")

    assert 401 == response.status_code
    assert reference.json()["error"] == response.json()["error"]
    assert "unauthenticated" == code_of(response)


def test_a_foreign_hash_is_refused(rest_service: RunningService, other_application: dict[str, str]) -> None:
    """Another user's hash, another application's secret and a made-up key do not open anything."""
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


def test_a_repeated_credential_header_is_refused(rest_service: RunningService) -> None:
    """Two User-IDs are no User-ID."""
    headers = [*rest_service.headers("user-1").items(), ("User-ID", "user-1")]
    with http(rest_service.url) as client:
        assert 401 == client.get("/apps", headers=headers).status_code


@pytest.mark.parametrize("user_id", ["müller@exämple", "日本", " edge ", "100%", "a%20b"])
def test_user_ids_travel_percent_encoded_or_raw(rest_service: RunningService, user_id: str) -> None:
    """The hash is that of the decoded User-ID, however the header carries it."""
    signature = sign(user_id, rest_service.app_secret)
    base = {"App-Key": rest_service.app_key, "Hash": signature}
    forms: list[bytes] = [quote(user_id, safe="").encode()]
    if user_id == user_id.strip():
        forms.append(user_id.encode())
    for form in forms:
        with http(rest_service.url) as client:
            response = client.get("/apps", headers={**base, "User-ID": form})  # type: ignore[dict-item]
            assert 200 == response.status_code, form


@pytest.mark.parametrize("user_id", ["x" * 257, "a\tb", "\x7f"])
def test_user_ids_have_limits(rest_service: RunningService, user_id: str) -> None:
    """More than 256 code points, or control characters, are no User-ID, even rightly signed."""
    headers = {**rest_service.headers(user_id), "User-ID": quote(user_id, safe="")}
    with http(rest_service.url, headers) as client:
        assert 401 == client.get("/apps").status_code


def test_a_session_token_stands_for_the_user(rest_service: RunningService, api: httpx.Client) -> None:
    """A minted token works alone, in place of the three headers."""
    minted = api.post("/session_tokens", json={"expires_in": 60})
    with http(rest_service.url, {"Authorization": f"Bearer {minted.json()['token']}"}) as client:
        assert 201 == minted.status_code
        assert 200 == client.get("/apps").status_code
        assert 403 == client.post("/session_tokens").status_code


def test_a_session_token_expires(rest_service: RunningService, api: httpx.Client) -> None:
    """After its time a token is as good as none."""
    token = api.post("/session_tokens", json={"expires_in": 1}).json()["token"]
    time.sleep(1.1)
    with http(rest_service.url, {"Authorization": f"Bearer {token}"}) as client:
        assert 401 == client.get("/apps").status_code


def test_a_session_token_belongs_to_one_user(rest_service: RunningService, api: httpx.Client) -> None:
    """A User-ID or App-Key sent beside a token must be the token's own."""
    token = api.post("/session_tokens").json()["token"]
    with http(rest_service.url, {"Authorization": f"Bearer {token}"}) as client:
        assert 200 == client.get("/apps", headers={"User-ID": "user-1"}).status_code
        assert 401 == client.get("/apps", headers={"User-ID": "user-2"}).status_code
        assert 401 == client.get("/apps", headers={"App-Key": "app_x"}).status_code


def test_a_tampered_session_token_is_refused(rest_service: RunningService, api: httpx.Client) -> None:
    """Every changed character invalidates a token."""
    token = api.post("/session_tokens").json()["token"]
    changed = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    with http(rest_service.url, {"Authorization": f"Bearer {changed}"}) as client:
        assert 401 == client.get("/apps").status_code


def test_a_session_token_calls_only_what_it_names(rest_service: RunningService, api: httpx.Client) -> None:
    """A token for one function is forbidden to call others, and without scope forbidden passthrough."""
    scoped = api.post("/session_tokens", json={"functions": ["sandbox-list-projects"]}).json()["token"]
    unscoped = api.post("/session_tokens").json()["token"]
    with http(rest_service.url) as client:
        allowed = {"Authorization": f"Bearer {scoped}"}
        assert "not_connected" == code_of(client.post("/functions/sandbox-list-projects", headers=allowed))
        assert 403 == client.post("/functions/sandbox-list-labels", headers=allowed).status_code
        passthrough = client.post(
            "/sandbox-passthrough-request", headers={"Authorization": f"Bearer {unscoped}"}, json={}
        )
        assert 403 == passthrough.status_code


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"expires_in": 0}, "expires_in"),
        ({"expires_in": 86401}, "expires_in"),
        ({"apps": "x"}, "apps"),
        ({"x": 1}, "x"),
    ],
)
def test_session_token_bodies_are_checked(api: httpx.Client, body: dict[str, object], field: str) -> None:
    """Wrong fields are named."""
    response = api.post("/session_tokens", json=body)

    assert 400 == response.status_code
    assert field == response.json()["error_details"][0]["field"]


def test_a_listed_origin_may_call_and_read(rest_service: RunningService) -> None:
    """An allowed origin is echoed, on errors too, and never together with credentials."""
    with rest_service.api("user-1", Origin="https://host.example") as client:
        for path in ("/apps", "/nowhere"):
            response = client.get(path)
            assert "https://host.example" == response.headers["access-control-allow-origin"]
            assert "access-control-allow-credentials" not in response.headers
            assert "Origin" in response.headers["vary"]


def test_an_unlisted_origin_is_forbidden(rest_service: RunningService) -> None:
    """Valid credentials do not help a page of a foreign origin, `null` and localhost included."""
    for origin in ("https://evil.example", "null", "http://localhost:3000", "https://host.example.evil.example"):
        with rest_service.api("user-1", Origin=origin) as client:
            response = client.get("/apps")
            assert 403 == response.status_code
            assert "access-control-allow-origin" not in response.headers


def test_an_origin_of_another_application_is_forbidden(
    rest_service: RunningService, other_application: dict[str, str]
) -> None:
    """The preflight passes for any application's origin; the request itself only for its own."""
    assert other_application
    deadline = time.monotonic() + 30
    with rest_service.api("user-1", Origin="https://other.example") as client:
        # The service re-reads its applications every two seconds.
        while True:
            preflight = client.options("/apps", headers={"Access-Control-Request-Method": "GET"})
            if "access-control-allow-origin" in preflight.headers or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        assert 204 == preflight.status_code
        assert "https://other.example" == preflight.headers["access-control-allow-origin"]
        assert 403 == client.get("/apps").status_code


def test_a_preflight_names_what_may_be_sent(anonymous: httpx.Client) -> None:
    """Browsers learn the headers and methods; preflights carry no credentials."""
    headers = {"Origin": "https://host.example", "Access-Control-Request-Method": "POST"}
    response = anonymous.options("/functions/x/", headers=headers)

    assert 204 == response.status_code
    for name in ("App-Key", "Hash", "User-ID", "Authorization", "Content-Type", "Idempotency-Key"):
        assert name in response.headers["access-control-allow-headers"]
    assert "DELETE" in response.headers["access-control-allow-methods"]
