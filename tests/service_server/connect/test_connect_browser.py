"""Connecting in Chromium: the real service, the real sandbox app, real windows."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from attrs import frozen
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.chromium import CHROMIUM
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.connected_world import sandbox_post
from tests.service_server.processes import RunningService, configure_app, create_application, service

pytestmark = pytest.mark.browser

WAIT = 20


@frozen
class Running:
    """A running service beside a sandbox app."""

    service: RunningService
    sandbox: SandboxApp

    def session(self, user_id: str = "ann", **body: object) -> dict[str, str]:
        """Open a connect session."""
        with self.service.api(user_id) as api:
            made = api.post("/apps/sandbox/connect_sessions", json=body)
            assert made.status_code == 201, made.text
            opened: dict[str, str] = made.json()
            return opened

    def state(self, session_id: str, wait: int = 0) -> dict[str, object]:
        """How a session stands."""
        with self.service.api("ann") as api:
            found: dict[str, object] = api.get(f"/connect_sessions/{session_id}", params={"wait": wait}).json()
            return found


@pytest.fixture(scope="module", params=["unsafe-none", "same-origin"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The service and a sandbox app whose pages do, and don't, sever the window from its opener."""
    folder, port = tmp_path_factory.mktemp("service"), free_port()
    callback = f"http://127.0.0.1:{port}/oauth/callback"
    with sandbox_app(callback, "--opener-policy", request.param) as sandbox:
        application = create_application(folder, "Acme Desk", "https://host.test")
        configure_app(
            folder,
            "sandbox",
            client_id=sandbox.client_id,
            client_secret=sandbox.client_secret,
            variables={"base_url": sandbox.url},
        )
        allowed = ("--allow-host", urlsplit(sandbox.url).netloc)
        with service(folder, *allowed, port=port, application=application) as started:
            yield Running(started, sandbox)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def profile(chromium: Browser, running: Running) -> Iterator[BrowserContext]:
    """A browser profile of its own; a script error, or a breach of a page's own policy, fails the test."""
    sandbox_post(running.sandbox, "/_reset", {})
    context = chromium.new_context(viewport={"width": 480, "height": 720})
    troubles: list[str] = []
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on(
        "console",
        lambda message: troubles.append(message.text) if "Content Security Policy" in message.text else None,
    )
    yield context
    context.close()
    assert troubles == []


def sign_in(page: Page, username: str = "alice", decision: str = "allow") -> None:
    """Go through the sandbox's pages."""
    page.locator("input[name=username]").fill(username)
    page.locator("input[name=password]").fill(f"{username}-password")
    page.locator("button[type=submit]").click()
    page.locator(f"button[name=decision][value={decision}]").click()


def popup(profile: BrowserContext, url: str) -> Page:
    """A window that a page of another origin opened, as the SDK does."""
    opener = profile.new_page()
    opener.goto("about:blank")
    with opener.expect_popup() as opened:
        opener.evaluate("url => { window.popup = window.open(url, 'connect', 'width=480,height=720') }", url)
    return opened.value


def test_oauth_in_a_popup(running: Running, profile: BrowserContext) -> None:
    """From our page to the provider's and back: the account is connected, and the window closes itself."""
    session = running.session()
    window = popup(profile, session["url"])
    with window.expect_event("close", timeout=WAIT * 1000):
        window.get_by_role("button", name="Sign in to Tickets").click()
        sign_in(window)
    state = running.state(session["id"])
    assert state["status"] == "connected"


def test_key_with_the_keyboard_alone(running: Running, profile: BrowserContext) -> None:
    """The field has the focus; a wrong key brings it back to the field with the reason; Enter sends."""
    session = running.session()
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    page.keyboard.type("wrong-key")
    page.keyboard.press("Enter")
    field = page.get_by_label("API key")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problem")).to_contain_text("did not accept this")
    page.keyboard.type(running.sandbox.api_keys["bob"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="is connected")).to_be_visible()
    assert running.state(session["id"])["status"] == "connected"


def test_progress_is_told(running: Running, profile: BrowserContext) -> None:
    """While the app is asked, the page says so where screen readers hear it, and can't be sent twice."""
    sandbox_post(running.sandbox, "/_faults", {"path": "/api/v1/me", "fault": "slow", "seconds": 1})
    session = running.session()
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    page.get_by_label("API key").fill(running.sandbox.api_keys["alice"])
    # Playwright looks at no page that is about to go, so the page itself takes note.
    page.evaluate(
        """() => new MutationObserver(() => {
            sessionStorage.told = document.querySelector("[role=status]").textContent;
            sessionStorage.disabled = document.querySelector("button.primary").disabled;
        }).observe(document.body, { subtree: true, childList: true, attributes: true })"""
    )
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="is connected")).to_be_visible()
    told, disabled = page.evaluate("[sessionStorage.told, sessionStorage.disabled]")
    assert (told, disabled) == ("Checking with Tickets sandbox…", "true")


def test_declining_and_cancelling(running: Running, profile: BrowserContext) -> None:
    """A no on the provider's page, and Cancel on ours, both end the session as cancelled."""
    declined, cancelled = running.session(), running.session()
    page = profile.new_page()
    page.goto(declined["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page, decision="deny")
    expect(page.get_by_role("heading", name="Nothing was connected")).to_be_visible()
    page = profile.new_page()
    page.goto(cancelled["url"])
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Nothing was connected")).to_be_visible()
    assert {running.state(one["id"])["status"] for one in (declined, cancelled)} == {"cancelled"}


def test_closing_the_window_on_our_page(running: Running, profile: BrowserContext) -> None:
    """Closing the window ends the session; reloading the page, or choosing another way, doesn't."""
    session = running.session()
    window = popup(profile, session["url"])
    window.reload()
    window.get_by_role("link", name="API key").click()
    window.get_by_label("API key").wait_for()
    assert running.state(session["id"], wait=4)["status"] == "pending"
    window.close(run_before_unload=True)
    assert running.state(session["id"], wait=WAIT)["status"] == "cancelled"


def test_closing_the_window_on_the_providers_page(running: Running, profile: BrowserContext) -> None:
    """A window closed at the provider can't be told from one that is severed: the session stays open."""
    session = running.session()
    window = popup(profile, session["url"])
    window.get_by_role("button", name="Sign in to Tickets").click()
    window.locator("input[name=username]").wait_for()
    window.close(run_before_unload=True)
    assert running.state(session["id"], wait=4)["status"] == "pending"


def test_forwarded_link(running: Running, chromium: Browser, profile: BrowserContext) -> None:
    """Another browser is refused by a page that says why, and holds nothing to go on with."""
    session = running.session()
    profile.new_page().goto(session["url"])
    other = chromium.new_context()
    page = other.new_page()
    page.goto(session["url"])
    expect(page.get_by_role("heading", name="This link belongs to another browser")).to_be_focused()
    assert page.get_by_role("button").count() == 0
    other.close()


def test_redirect_mode(running: Running, profile: BrowserContext) -> None:
    """Without a popup the browser comes back to the host page with a code, which the host's user redeems."""
    profile.route("https://host.test/**", lambda route: route.fulfill(body="host page"))
    session = running.session(redirect_url="https://host.test/settings")
    page = profile.new_page()
    page.goto(session["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page)
    page.wait_for_url("https://host.test/settings?*")
    code = urlsplit(page.url).query.split("code=")[1]
    assert running.state(session["id"])["status"] == "pending"
    with running.service.api("ann") as api:
        redeemed = api.post(f"/connect_sessions/{session['id']}/redeem", json={"code": code})
    assert redeemed.json()["status"] == "connected"


def test_redirect_mode_with_a_key(running: Running, profile: BrowserContext) -> None:
    """A form post leads back to the host page although forms may only post to us."""
    profile.route("https://host.test/**", lambda route: route.fulfill(body="host page"))
    session = running.session(redirect_url="https://host.test/settings")
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    page.get_by_label("API key").fill(running.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    page.wait_for_url("https://host.test/settings?*")


def test_without_javascript(running: Running, chromium: Browser) -> None:
    """Every step works in a browser that runs no script."""
    session = running.session()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(session["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page)
    expect(page.get_by_role("heading", name="is connected")).to_be_visible()
    context.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 480])
def test_pages_fit(running: Running, chromium: Browser, width: int, colours: str) -> None:
    """Nothing has to be scrolled sideways on a small phone, in either colours."""
    session = running.session()
    context = chromium.new_context(viewport={"width": width, "height": 640}, color_scheme=colours)
    page = context.new_page()
    for url in (session["url"], f"{session['url']}?auth=key", f"{running.service.url}/connect/unknown"):
        page.goto(url)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("getComputedStyle(document.querySelector('.card')).borderTopLeftRadius") != "0px"
    context.close()
