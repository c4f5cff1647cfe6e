"""The backend of each framework, started as its reader starts it, beside a service with the sandbox app."""

import contextlib
import re
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from attrs import frozen

from service_client import sign
from tests.examples.conftest import NO_TLS
from tests.examples.processes import BACKENDS, SandboxApp, host_backend
from tests.real_apps.running import free_port
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, service_beside_sandbox

pytestmark = pytest.mark.slow

ZOE, ANN = "Zoë 梅", "ann"
OTHER_SITE = "https://evil.example"
FROM_OTHERS: tuple[dict[str, str], ...] = (
    {"Origin": OTHER_SITE},
    {"Origin": "null"},
    {"Origin": OTHER_SITE, "Sec-Fetch-Site": "cross-site"},
    {"Origin": OTHER_SITE, "Sec-Fetch-Site": "same-site"},
)


@frozen
class World:
    """A service, the sandbox app behind it, and the account there that Zoë has connected."""

    service: RunningService
    sandbox: SandboxApp

    def tickets(self) -> list[str]:
        """The titles of the reports that arrived in Alice's account of the sandbox app."""
        headers = {"X-Api-Key": self.sandbox.api_keys["alice"]}
        address = f"{self.sandbox.url}/api/v1/tickets?limit=100"
        found = httpx.get(address, headers=headers, trust_env=False, verify=NO_TLS).raise_for_status()
        return [each["title"] for each in found.json()["items"] if each["title"] == "Weekly report"]


@frozen
class Browser:
    """What a browser with one of the pages does."""

    http: httpx.Client

    def post(self, path: str, fields: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        """Send what the page's script sends."""
        own = {"Origin": str(self.http.base_url).rstrip("/"), "X-CSRFToken": self.http.cookies.get("csrftoken", "")}
        return self.http.post(path, data=fields or {}, headers=own | headers)

    def credentials(self) -> httpx.Response:
        """Ask who is signed in."""
        return self.http.get("/service-credentials")


OpenBrowser = Callable[..., Browser]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One service for all the backends."""
    with service_beside_sandbox(tmp_path_factory.mktemp("service"), name="Acme") as (running_service, sandbox):
        connect_by_key(running_service, ZOE, sandbox.api_keys["alice"])
        yield World(running_service, sandbox)


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request: pytest.FixtureRequest, world: World) -> Iterator[str]:
    """The address of one backend after the other."""
    running_service = world.service
    with host_backend(
        request.param, running_service.url, running_service.app_key, running_service.app_secret
    ) as program:
        yield program.url
        said = program.program.output()
        assert running_service.app_secret not in said
        assert '" 500' not in said


@pytest.fixture
def open_browser(backend: str) -> Iterator[OpenBrowser]:
    """Open browsers that show the page; each signs a user in if it is given a name."""
    with contextlib.ExitStack() as opened:

        def open_browser(user_name: str | None = None) -> Browser:
            http = httpx.Client(base_url=backend, trust_env=False, verify=NO_TLS)
            browser = Browser(opened.enter_context(http))
            browser.http.get("/").raise_for_status()
            if user_name is not None:
                browser.post("/sign-in", {"user_name": user_name}).raise_for_status()
            return browser

        yield open_browser


def test_who_is_not_signed_in_gets_no_hash(backend: str, open_browser: OpenBrowser) -> None:
    """Neither before signing in, nor with a session that somebody made up, nor after signing out."""
    forged = SimpleCookie({"session": "YW5u." + "0" * 64, "sessionid": "eyJ1c2VyX2lkIjoiYW5uIn0:1:x"})
    cookies = "; ".join(f"{name}={each.value}" for name, each in forged.items())
    signed_out = open_browser(ANN)
    assert 200 == signed_out.credentials().status_code
    signed_out.post("/sign-out").raise_for_status()
    answers = [
        open_browser().credentials(),
        httpx.get(f"{backend}/service-credentials", headers={"Cookie": cookies}, trust_env=False, verify=NO_TLS),
        signed_out.credentials(),
    ]

    assert [401] * 3 == [answer.status_code for answer in answers]
    assert not any(re.search("[0-9a-f]{64}", answer.text) for answer in answers)
    assert 401 == open_browser().post("/report").status_code


def test_the_service_takes_the_hash(open_browser: OpenBrowser, world: World) -> None:
    """That of a user whose id isn't ASCII, too; each user has one of their own, and no cache keeps it."""
    found = {}
    for user in (ZOE, ANN):
        answer = open_browser(user).credentials()
        given = found[user] = answer.json()
        headers = {"App-Key": given["appKey"], "User-ID": quote(given["userId"]), "Hash": given["hash"]}
        apps = httpx.get(f"{world.service.url}/apps", headers=headers, trust_env=False, verify=NO_TLS)

        assert {"appKey", "userId", "hash"} == set(given)
        assert user == given["userId"]
        assert sign(user, world.service.app_secret) == given["hash"]
        assert 200 == apps.status_code
        assert "no-store" in answer.headers["cache-control"]
        assert "access-control-allow-origin" not in answer.headers
    assert found[ZOE]["hash"] != found[ANN]["hash"]


def test_a_report_goes_to_the_users_own_account(open_browser: OpenBrowser, world: World) -> None:
    """What the backend sends lands where the user has connected an account; who has none is told so."""
    before = world.tickets()
    done = open_browser(ZOE).post("/report")
    unconnected = open_browser(ANN).post("/report")

    assert (200, "Weekly report") == (done.status_code, done.json()["ticket"]["title"])
    assert len(before) + 1 == len(world.tickets())
    assert 409 == unconnected.status_code
    assert "connect" in unconnected.json()["detail"].lower()


@pytest.mark.parametrize("headers", FROM_OTHERS, ids=lambda each: " ".join(each.values()))
def test_another_site_changes_nothing(open_browser: OpenBrowser, world: World, headers: dict[str, str]) -> None:
    """Its page's requests are refused though the browser sends the user's cookie along, and so is signing in."""
    before = world.tickets()
    browser = open_browser(ZOE)
    cross = {**headers, "X-CSRFToken": ""}
    answers = [browser.post(path, {"user_name": ANN}, **cross) for path in ("/report", "/sign-in", "/sign-out")]

    assert [403] * 3 == [answer.status_code for answer in answers]
    assert before == world.tickets()
    assert ZOE == browser.credentials().json()["userId"]


def test_the_session_is_out_of_reach(open_browser: OpenBrowser) -> None:
    """No script reads its cookie, and no form of another site sends it."""
    browser = open_browser()
    made = browser.post("/sign-in", {"user_name": ZOE})
    [cookie] = [each for each in made.headers.get_list("set-cookie") if each.startswith("session")]

    assert {"httponly", "samesite=lax"} <= {part.strip().lower() for part in cookie.split(";")}


@pytest.mark.parametrize("user_name", ["", "a\nb", "a\0", "x" * 101])
def test_what_is_no_name_signs_nobody_in(open_browser: OpenBrowser, user_name: str) -> None:
    """An id has to be one that the service takes."""
    browser = open_browser()

    assert browser.post("/sign-in", {"user_name": user_name}).status_code in (400, 422)
    assert 401 == browser.credentials().status_code


def test_large_bodies_are_not_read(open_browser: OpenBrowser) -> None:
    """What is larger than any form of the page is refused."""
    assert open_browser().post("/sign-in", {"user_name": "x" * 20_000}).status_code in (400, 413)


def test_a_failing_app_is_no_success(open_browser: OpenBrowser, world: World) -> None:
    """What the app did not do is not told as done, and nothing of why reaches the page."""
    browser = open_browser(ZOE)
    world.sandbox.fault("/api/v1/tickets", "server_error")
    failed = browser.post("/report")

    assert (502, {"detail": "The report could not be sent."}) == (failed.status_code, failed.json())


@pytest.mark.parametrize("name", BACKENDS)
def test_a_service_that_is_away_is_told(name: str) -> None:
    """The user is still signed in and gets their hash; only the report fails."""
    with (
        host_backend(name, f"http://127.0.0.1:{free_port()}", "app_1", "only-the-backend-knows") as backend,
        httpx.Client(base_url=backend.url, trust_env=False, verify=NO_TLS) as http,
    ):
        http.get("/").raise_for_status()
        browser = Browser(http)
        browser.post("/sign-in", {"user_name": ZOE}).raise_for_status()
        failed = browser.post("/report")

        assert sign(ZOE, "only-the-backend-knows") == browser.credentials().json()["hash"]
        assert (502, {"detail": "The report could not be sent."}) == (failed.status_code, failed.json())


def test_the_secret_stays_in_the_backend(open_browser: OpenBrowser, world: World) -> None:
    """It is in nothing that a browser gets: the page, its script, answers and refusals."""
    browser = open_browser(ZOE)
    answers = [browser.http.get(path) for path in ("/", "/static/host.js", "/service-credentials", "/nothing")]
    answers += [browser.post("/report"), browser.post("/report", Origin=OTHER_SITE), browser.post("/sign-out")]
    answers += [browser.http.get(f"/static/{name}") for name in ("..%2fwith_flask.py", "../with_node.mjs")]

    assert [200, 200, 200, 404] == [answer.status_code for answer in answers[:4]]
    assert not any(world.service.app_secret in f"{answer.headers}{answer.text}" for answer in answers)
    assert not any("APP_SECRET" in answer.text for answer in answers)


def test_the_page_has_the_script_and_a_strict_policy(open_browser: OpenBrowser, world: World) -> None:
    """The page is one file for all the backends; what it may load is the service's and its own."""
    answer = open_browser().http.get("/")
    page = Path("examples/backends/templates/index.html").read_text("utf-8")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))

    assert page.replace("{{ service_url }}", world.service.url).strip() == answer.text.strip()
    assert f"'self' {world.service.url} 'wasm-unsafe-eval'" == policy["script-src"]
    assert f"'self' {world.service.url}" == policy["connect-src"]
    assert ("'none'", "blob:", "servicejs") == (policy["default-src"], policy["worker-src"], policy["trusted-types"])
