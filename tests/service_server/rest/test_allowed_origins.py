"""Which pages may call: exactly the origins that the application of the credentials lists."""

import json
from collections.abc import Iterator

import httpx
import pytest
from attrs import evolve

from service_server.administration.administration import AdministrationError, check_origin
from tests.service_server.processes import RunningService, create_application, http, service

pytestmark = pytest.mark.slow

HOST, PORT, NULL, OTHER = "https://host.example", "https://port.example:8443", "null", "https://other.example"
NOT_LISTED = (
    *("https://HOST.example", "HTTPS://host.example", "https://host.example.", "http://host.example", "host.example"),
    *(f"https://host.example{end}" for end in (":443", ":8443", "/", "/path", "?", "#", "@evil.example")),
    *("https://user@host.example", "https://host.example.evil.example", "https://evil-host.example"),
    *("https://evilhost.example", "https://sub.host.example", "https://host.exampl"),
    *("https://host.example,https://evil.example", "https://host.example https://evil.example"),
    *("https://port.example", "https://port.example:84430", "http://port.example:8443"),
    *["https://hоst.example".encode(), "https://xn--hst-0na.example"],  # the second letter is Cyrillic
    *("http://localhost", "http://localhost:3000", "http://127.0.0.1", "http://[::1]"),
    *("Null", "NULL", "undefined", "file://", "chrome-extension://abcdef", "*", ""),
)


@pytest.fixture(scope="module")
def origins_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service whose one application lists two origins, another one `null`, a third one a single origin."""
    folder = tmp_path_factory.mktemp("origins")
    made = {origin: create_application(folder, origin, origin) for origin in (NULL, OTHER)}
    (folder / "applications.json").write_text(json.dumps(made))
    with service(folder, origins=[HOST, PORT]) as running:
        yield running


@pytest.fixture
def host(origins_service: RunningService) -> Iterator[httpx.Client]:
    """The application with two origins."""
    with origins_service.api("ann") as client:
        yield client


def preflight(client: httpx.Client, origin: str | bytes) -> httpx.Response:
    """What a browser asks before it sends the credentials."""
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    with http(str(client.base_url)) as browser:
        return browser.options("/functions/sandbox-list-projects/", headers=headers)


def test_any_other_spelling_is_another_origin(host: httpx.Client) -> None:
    """Case, port, scheme, path, look-alikes, prefixes and suffixes: refused, and the page can read nothing of it."""
    for origin in NOT_LISTED:
        answers = [host.get(path, headers={"Origin": origin}) for path in ("/apps", "/nowhere")]
        for each in (*answers, preflight(host, origin)):
            assert "access-control-allow-origin" not in each.headers, origin
        assert 403 == answers[0].status_code, origin
        assert answers[1].status_code in (403, 404), origin


@pytest.mark.parametrize("origin", [HOST, PORT])
def test_a_listed_origin_is_echoed(host: httpx.Client, origin: str) -> None:
    """The very text, with Vary, without cookies, on answers, errors and preflights, which name what may be sent."""
    found, missing = (host.get(path, headers={"Origin": origin}) for path in ("/apps", "/nowhere"))
    asked = preflight(host, origin)
    for answer, status in ((found, 200), (missing, 404), (asked, 204)):
        assert (status, origin) == (answer.status_code, answer.headers["access-control-allow-origin"])
        assert "Origin" in answer.headers["vary"]
        assert "access-control-allow-credentials" not in answer.headers
    allowed = asked.headers["access-control-allow-headers"].split(", ")
    assert {"App-Key", "Hash", "User-ID", "Authorization", "Content-Type", "Idempotency-Key"} <= set(allowed)
    assert "DELETE" in asked.headers["access-control-allow-methods"]


def test_an_origin_counts_for_its_own_application(origins_service: RunningService, host: httpx.Client) -> None:
    """`null`, and the origin of another application, pass the preflight and are refused with our credentials."""
    for origin, made in json.loads((origins_service.data_directory / "applications.json").read_text()).items():
        assert 403 == host.get("/apps", headers={"Origin": origin}).status_code
        with evolve(origins_service, **made).api("ann") as api:
            assert 200 == api.get("/apps", headers={"Origin": origin}).status_code
            assert 403 == api.get("/apps", headers={"Origin": HOST}).status_code
            assert origin == preflight(api, origin).headers["access-control-allow-origin"]


def test_backends_send_no_origin(host: httpx.Client) -> None:
    """Without an Origin header the credentials alone count; two of them are none that could be checked."""
    assert 200 == host.get("/apps").status_code
    twice = [*host.headers.items(), ("Origin", HOST), ("Origin", "https://evil.example")]
    assert 401 == host.get("/apps", headers=twice).status_code


def test_a_token_bound_to_an_origin(origins_service: RunningService, host: httpx.Client) -> None:
    """It works from that origin alone, even among the application's own."""
    token = host.post("/session_tokens", json={"origin": HOST}).json()["token"]
    with http(origins_service.url, {"Authorization": f"Bearer {token}"}) as page:
        assert [200, 403] == [page.get("/apps", headers={"Origin": each}).status_code for each in (HOST, PORT)]


def test_only_origins_as_browsers_send_them_can_be_listed() -> None:
    """What no browser would ever send is refused when it is typed in, not silently never matched."""
    for origin in (HOST, PORT, NULL):
        check_origin(origin)
    for origin in ("https://HOST.example", "https://host.example/", "https://host.example:443", "host.example", "*"):
        with pytest.raises(AdministrationError):
            check_origin(origin)
