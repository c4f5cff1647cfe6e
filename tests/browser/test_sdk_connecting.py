"""connectApp in a real browser: in a window, where windows are blocked, in the same window."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import HeldBack, OpenPage, Troubles, let_python_come
from .product import Demo, allow_access


def test_a_blocked_window_leaves_a_link(profile: BrowserContext, open_page: OpenPage, demo: Demo) -> None:
    """Outside a click browsers open no window; the panel then has a link, which works."""
    page = open_page()
    page.evaluate("""() => {
      const { open } = window;
      window.open = () => null; // as a browser does that blocks it
      window.connecting = new ServiceJS(options).connectApp("sandbox");
      window.open = open;
    }""")
    link = page.get_by_role("link", name="Open Tickets sandbox")
    expect(link).to_be_focused()

    with profile.expect_page() as opened:
        link.click()
    allow_access(opened.value, "bob")

    connected = page.evaluate("() => connecting")
    with demo.client() as client:
        assert [connected] == [str(account.id) for account in client.connected_accounts.list("sandbox")]


def test_a_window_closed_before_python_is_there_is_noticed(open_page: OpenPage, python: HeldBack) -> None:
    """The panel that the service has drawn says so once Python is there, and opens the window again."""
    page = open_page('<button id="go" onclick="sdk.connectApp(\'sandbox\').catch(() => {})">Go</button>')
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    with page.expect_popup() as opened:
        page.locator("#go").click()
    opened.value.get_by_role("button", name="Sign in to Tickets").click()
    expect(opened.value.get_by_label("User name")).to_be_visible()
    opened.value.close()
    expect(page.get_by_role("dialog")).to_contain_text("Waiting for you to finish")

    let_python_come(page, python)

    expect(page.get_by_role("dialog")).to_contain_text("The window seems to be closed.")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Open again").click()
    expect(opened.value.get_by_role("heading", name="Connect Tickets sandbox")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text("Waiting for you to finish")


def test_the_window_looks_and_speaks_as_the_page(open_page: OpenPage) -> None:
    """Its language, its theme and its colour, both when the service draws the panel and when Python does."""
    page = open_page()
    page.add_style_tag(content="[data-servicejs] { --ifs-color-accent: #7a3ff2; }")
    for is_ready in (False, True):
        with page.context.expect_page() as opened:
            page.evaluate(
                """async (isReady) => {
                  const sdk = new ServiceJS({ ...options, locale: "de", theme: "light" });
                  if (isReady) await sdk.isAppConnected("sandbox");
                  sdk.connectApp("sandbox").catch(() => {});
                }""",
                is_ready,
            )
        window = opened.value
        expect(window.get_by_role("button", name="Abbrechen")).to_be_visible()
        assert window.evaluate("window.opener") is None  # it has no way back to the page
        expect(window.locator(".primary")).to_have_css("background-color", "rgb(122, 63, 242)")
        assert "light" == window.locator("meta[name=color-scheme]").get_attribute("content")
        window.close()


def test_the_window_shows_nothing_before_it_looks_right(profile: BrowserContext, host_page: Page) -> None:
    """Its page is there, but nobody sees it without its style sheets: nothing flashes."""
    styles = HeldBack(profile, "**/assets/styles/connect.css")
    with profile.expect_page() as opened:
        host_page.get_by_role("button", name="Connect Tickets", exact=True).click()
    window = opened.value
    expect(window.locator(".primary")).to_be_visible()  # to scripts
    styles.wait(window)
    painted = "performance.getEntriesByType('paint').length"
    assert 0 == window.evaluate(painted)
    styles.held[0].continue_()

    # Waiting for a function would evaluate texts in the page, which its policy forbids.
    watch = (
        "new PerformanceObserver((_, own) => { own.disconnect(); done(); }).observe({ type: 'paint', buffered: true })"
    )
    window.evaluate(f"() => new Promise(done => {{ {watch}; }})")


@pytest.mark.parametrize(
    ("moved", "left"),
    [
        ("/made/b?q=a%20b&flag&code=own&connect_session=s-1&code=c-1#x", "/made/b?q=a%20b&flag&code=own#x"),
        ("/made/b?connect_session=s-2&code=c-2", "/made/b?connect_session=s-2&code=c-2"),
    ],
    ids=["kept", "replaced"],
)
def test_a_router_may_go_on_meanwhile(
    moved: str, left: str, profile: BrowserContext, open_page: OpenPage, troubles: Troubles
) -> None:
    """When the page's router changes the address while connecting is finished, only what is ours is taken out of it."""
    troubles.expect("410")
    redeeming = HeldBack(profile, "**/connect_sessions/s-1/redeem")
    page = open_page(path="/made?connect_session=s-1&code=c-1")
    page.evaluate("""() => {
      window.sdk = new ServiceJS(options);
      window.failed = new Promise((resolve) => sdk.eventEmitter.on("error", resolve));
    }""")
    page.evaluate("new Promise((resolve) => sdk.eventEmitter.on('ready', resolve))")
    page.evaluate("moved => history.pushState({ page: 'b' }, '', moved)", moved)
    redeeming.wait(page)
    refusal = {"error": "It has expired.", "error_details": [], "request_id": ""}
    redeeming.held[0].fulfill(status=410, json=refusal, headers={"Access-Control-Allow-Origin": "*"})

    page.evaluate("failed")
    page.evaluate("sdk.getApps()")

    assert left == page.evaluate("location.pathname + location.search + location.hash")
    assert {"page": "b"} == page.evaluate("history.state")
