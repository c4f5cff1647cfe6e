"""A network or a service that stalls: whoever waits is told, can leave, and can try again."""

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import HeldBack, OpenPage, Troubles, built, error_of
from .product import Demo

APPS, FORM = "sdk.showApps()", "sdk.showFunctionUI('sandbox-create-ticket', {})"
SHOWN = (APPS, FORM, "sdk.connectApp('sandbox')")
WORDS = "This is taking longer than it should. Check your connection, or try again."


@pytest.fixture
def nothing_drawn(profile: BrowserContext) -> HeldBack:
    """What the service draws before Python is there is held back."""
    return HeldBack(profile, "**/first_screens")


def begin(page: Page, call: str) -> None:
    """Call something that shows a dialog, and keep what comes of it in `outcome`."""
    page.evaluate(f"""() => {{
      window.sdk ??= new ServiceJS(options);
      window.outcome = {call}.then(() => "done", ({{ code }}) => code);
    }}""")
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.usefixtures("nothing_drawn", "python")
def test_a_stalled_start_can_be_left(open_page: OpenPage) -> None:
    """Before anything has come; its call rejects as cancelled, the page is as before, words are in its language."""
    page = open_page('<button id="own">Own</button>', locale="de")
    page.clock.install()
    for call in SHOWN:
        for leave in (page.get_by_role("button", name="Schließen").click, lambda: page.keyboard.press("Escape")):
            page.locator("#own").focus()
            begin(page, call)
            leave()

            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(page.locator("#own")).to_be_focused()
            assert "cancelled" == page.evaluate("outcome")
            assert "hidden" != page.evaluate("getComputedStyle(document.documentElement).overflowY")
    begin(page, APPS)
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("alert")).to_contain_text("Das dauert länger als üblich.")
    expect(page.get_by_role("button", name="Erneut versuchen")).to_be_visible()


@pytest.mark.usefixtures("nothing_drawn")
def test_a_start_that_was_left_is_begun_anew(open_page: OpenPage, python: HeldBack) -> None:
    """Who closes a dialog that waited in vain, and opens it later, does not wait for the same stalled answer."""
    page = open_page()
    page.clock.install()
    begin(page, APPS)
    page.clock.fast_forward(10_000)
    python.let_through()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.evaluate("sdk.showApps()")

    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()


@pytest.mark.usefixtures("nothing_drawn")
def test_a_start_has_a_limit(open_page: OpenPage, python: HeldBack) -> None:
    """It is said that it takes long; after a minute calls reject, and a button starts over what is shown."""
    page = open_page('<div id="place"></div>')
    page.clock.install()
    page.evaluate("""() => {
      window.heard = [];
      window.sdk = new ServiceJS(options);
      sdk.eventEmitter.on("error", ({ code }) => heard.push(code));
      sdk.eventEmitter.on("ready", () => heard.push("ready"));
      window.listed = sdk.getApps().catch(({ code }) => code);
      window.inline = sdk.showApps([], "inline", "place").catch(({ code }) => code);
    }""")
    begin(page, FORM)
    expect(page.get_by_role("dialog").get_by_role("status", name="Loading…")).to_be_visible()
    page.clock.fast_forward(2_000)  # for so long the network is left to what the service draws
    python.wait(page)
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(WORDS)
    page.clock.fast_forward(60_000)

    assert ["timeout", "timeout"] == page.evaluate("Promise.all([listed, inline])")
    assert ["timeout"] == page.evaluate("heard")
    expect(page.get_by_role("alert")).to_have_count(2)

    python.let_through()
    page.get_by_role("dialog").get_by_role("button", name="Try again").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Connect")).to_be_visible()
    expect(page.locator("#place").get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    assert ["timeout", "ready"] == page.evaluate("heard")
    page.keyboard.press("Escape")
    assert "cancelled" == page.evaluate("outcome")
    assert isinstance(page.evaluate("sdk.getApps()"), list)


@pytest.mark.usefixtures("nothing_drawn")
def test_a_slow_start_goes_on(profile: BrowserContext, open_page: OpenPage) -> None:
    """As long as something comes, however slowly, nobody is told that it takes long, and nothing is given up."""
    worker = 'setInterval(() => postMessage(\'{"do":"progress"}\'), 10)'
    headers = {"Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*"}
    pattern = f"**/servicejs/v1/{built('worker.*.js').name}"
    profile.route(pattern, lambda route: route.fulfill(body=worker, headers=headers))
    page = open_page()
    page.clock.install()
    page.evaluate("""() => {
      const { Worker } = window;
      window.Worker = function (...given) {
        const worker = new Worker(...given);
        worker.addEventListener("message", () => window.told?.());
        return worker;
      };
    }""")
    begin(page, APPS)

    for _ in range(20):
        page.clock.fast_forward(9_000)
        page.evaluate("() => new Promise((resolve) => { window.told = resolve })")

    expect(page.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Escape")
    assert "cancelled" == page.evaluate("outcome")


def test_a_slow_service_does_not_trap(
    open_page: OpenPage, demo: Demo, profile: BrowserContext, troubles: Troubles
) -> None:
    """Leaving closes the window and begins no session; a form that is slow to come can be left and asked for again."""
    troubles.expect("The user closed it")  # nobody looks at the rejection in time
    page = open_page('<button id="go" onclick="window.connecting = sdk.connectApp(\'sandbox\')">Go</button>')
    page.evaluate("async () => { window.sdk = new ServiceJS(options); await sdk.getApps() }")
    sessions: list[str] = []
    page.context.on(
        "request", lambda request: sessions.append(request.url) if "connect_sessions" in request.url else None
    )
    app = HeldBack(profile, f"{demo.base_url}/apps/sandbox")
    with page.expect_popup() as opened:
        page.locator("#go").click()
    with opened.value.expect_event("close"):
        page.get_by_role("button", name="Close").click()
    assert "cancelled" == error_of(page, "connecting")["code"]
    app.let_through()
    for route in app.held:
        route.continue_()
    page.evaluate("sdk.getFunction('sandbox-create-ticket')")
    assert [] == sessions

    function = HeldBack(profile, f"{demo.base_url}/functions/sandbox-create-ticket*")
    page.clock.install()
    for is_tried_again in (False, True):
        begin(page, FORM)
        if is_tried_again:
            page.clock.fast_forward(10_000)
            function.let_through()
            page.get_by_role("button", name="Try again").click()
            expect(page.get_by_role("button", name="Connect")).to_be_visible()
        page.keyboard.press("Escape")

        expect(page.get_by_role("dialog")).to_have_count(0)
        assert "cancelled" == page.evaluate("outcome")


def test_a_start_that_failed_is_tried_again(
    profile: BrowserContext, open_page: OpenPage, demo: Demo, troubles: Troubles
) -> None:
    """When even the SDK's files cannot be had, `error` and rejections say so; the next call starts over."""
    troubles.expect("net::ERR", "Failed to load resource", "Failed to fetch")
    page = open_page()
    profile.route(f"{demo.base_url}/**", lambda route: route.abort("connectionrefused"))
    page.evaluate("""() => {
      window.heard = [];
      window.sdk = new ServiceJS(options);
      sdk.eventEmitter.on("error", ({ code }) => heard.push(code));
      sdk.eventEmitter.on("ready", () => heard.push("ready"));
    }""")
    assert "unreachable" == error_of(page, "sdk.showApps()")["code"]
    expect(page.locator("[data-servicejs]")).to_have_count(0)

    profile.unroute(f"{demo.base_url}/**")
    assert isinstance(page.evaluate("sdk.getApps()"), list)
    page.evaluate("new Promise((resolve) => sdk.eventEmitter.on('ready', resolve))")

    heard = page.evaluate("heard")
    assert ("unreachable", "ready") == (heard[0], heard[-1])


def test_what_was_asked_for_offline_waits_for_the_network(
    profile: BrowserContext, open_page: OpenPage, troubles: Troubles
) -> None:
    """What would be shown says so and offers to try again; only what shows nothing is rejected."""
    troubles.expect("net::ERR", "Failed to load resource", "Failed to fetch")
    page = open_page('<div id="place"></div>')
    profile.set_offline(True)
    page.evaluate("""() => {
      window.heard = [];
      window.sdk = new ServiceJS(options);
      sdk.eventEmitter.on("error", ({ code }) => heard.push(code));
      window.listed = sdk.getApps().catch(({ code }) => code);
      window.inline = sdk.showApps([], "inline", "place").then(() => "done");
    }""")
    begin(page, "sdk.connectApp('sandbox')")
    expect(page.get_by_role("alert")).to_have_count(2)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Check your connection")
    assert "unreachable" == page.evaluate("listed")
    assert ["unreachable"] == page.evaluate("heard")

    profile.set_offline(False)
    with page.expect_popup():
        page.get_by_role("dialog").get_by_role("button", name="Try again").click()
    expect(page.get_by_role("dialog")).to_contain_text("Waiting for you to finish")
    assert "done" == page.evaluate("inline")
    page.keyboard.press("Escape")
    assert "cancelled" == page.evaluate("outcome")


def test_a_call_before_there_is_a_body_waits_for_it(profile: BrowserContext, demo: Demo) -> None:
    """A script in the head may show the apps: they appear once the page has the place for them."""
    script = f"<script src='{demo.base_url}/servicejs/v1/servicejs.js'></script>"
    early = f"""<script>
      const sdk = new ServiceJS({json.dumps(demo.credentials())});
      const shown = Promise.all([sdk.showApps(), sdk.showApps([], 'inline', 'place')]);
    </script>"""
    html = f"<!doctype html><html lang=en><head><title>Early</title>{script}{early}</head><body><div id=place></div>"
    profile.route(f"{demo.host_url}/early", lambda route: route.fulfill(body=html, content_type="text/html"))
    page = profile.new_page()
    page.goto(f"{demo.host_url}/early")

    for shown in ("[data-servicejs=modal]", "#place [data-servicejs]"):
        expect(page.locator(shown).locator("h3", has_text="Tickets sandbox")).to_be_visible()
    assert page.evaluate("shown.then(() => true)")


FAILING = {
    "throws": ("() => { throw new Error('signed out') }", "token_failed", "signed out"),
    "rejects": ("() => Promise.reject(new Error('signed out'))", "token_failed", "signed out"),
    "rejects with nothing": ("() => Promise.reject()", "token_failed", ""),
    "gives no JSON": ("() => ({ token: 1n })", "token_failed", ""),
    "gives nothing": ("() => undefined", "invalid_argument", "token function"),
    "never settles": ("() => new Promise(() => {})", "token_failed", ""),
}


def test_a_token_function_that_fails_is_told(open_page: OpenPage, demo: Demo) -> None:
    """Whatever it does, by `error` and rejections that say it; a token that comes later makes `ready`."""
    with demo.client() as client:
        good = client.session_tokens.create().token
    page = open_page()
    page.clock.install()
    for name, (token, code, words) in FAILING.items():
        page.evaluate(f"""() => {{
          const {{ hash, ...rest }} = options;
          window.asked = 0;
          const token = {token};
          window.sdk = new ServiceJS({{ ...rest, token: () => {{ asked++; return token() }} }});
          window.heard = new Promise((resolve) => sdk.eventEmitter.on("error", resolve));
          window.listed = sdk.getApps().catch(({{ code, message }}) => [code, message]);
        }}""")
        page.wait_for_function("asked")
        never = name == "never settles"
        if never:
            page.clock.fast_forward(30_000)
        assert code == page.evaluate("heard.then(({ code }) => code)"), name
        if never:  # the call asks once more
            page.wait_for_function("asked === 2")
            page.clock.fast_forward(30_000)
        refused, message = page.evaluate("listed")
        assert (code, True) == (refused, words in message), name

    heard = page.evaluate(
        """async (token) => {
          const { hash, ...rest } = options;
          const heard = [];
          let isBroken = true;
          const give = () => { if (isBroken) throw new Error("signed out"); return token };
          const sdk = new ServiceJS({ ...rest, token: give });
          await new Promise((resolve) => sdk.eventEmitter.on("error", ({ code }) => { heard.push(code); resolve() }));
          isBroken = false;
          await sdk.getApps();
          await new Promise((resolve) => sdk.eventEmitter.on("ready", resolve));
          return [...heard, "ready"];
        }""",
        good,
    )
    assert ["token_failed", "ready"] == heard
