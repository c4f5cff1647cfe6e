"""Instances on a page: constructors, events, isolation, the end."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import OpenPage, Troubles, error_of
from .product import PATIENCE, Demo, allow_access


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page with the SDK and nothing else."""
    return open_page('<div id="place"></div>')


METHODS = {
    "showApps": "",
    "connectApp": "'sandbox'",
    "disconnectApp": "'sandbox'",
    "isAppConnected": "'sandbox'",
    "getApps": "",
    "getConnectedAccounts": "'sandbox'",
    "showFunctionUI": "'sandbox-create-ticket', {}",
    "invokeFunction": "'sandbox-list-tickets', {}",
    "getFunction": "'sandbox-list-tickets'",
}
WRONG_CALLS = (
    ("showApps([], 'inline')", "container_not_found", "containerId is required"),
    ("showApps([], 'inline', 'nowhere')", "container_not_found", '"nowhere"'),
    ("showApps([], 'sideways')", "invalid_argument", "MarketplaceRenderModes"),
    ("showApps(['sandbox', 'sandbocks'])", "unknown_app", "'sandbocks'"),
    ("eventEmitter.on('app-conected', () => {})", "unknown_event", "ready, error, marketplace-opened"),
    ("connectApp('sandbocks')", "unknown_app", "sandbocks"),
    ("disconnectApp('sandbox', 'first')", "invalid_argument", "connectedAccountId"),
    ("getConnectedAccounts('sandbocks')", "unknown_app", "sandbocks"),
    ("getFunction('sandbox-create-tickets')", "unknown_function", "sandbox-create-tickets"),
    ("showFunctionUI('sandbox-create-tickets', {})", "unknown_function", "sandbox-create-tickets"),
    ("showFunctionUI('sandbox-create-ticket', 'title')", "invalid_argument", "params"),
)
CONSTRUCTORS = (
    "new ServiceJS(options)",
    "ServiceJS(options)",
    "new ServiceJS(options.appKey, options.hash, options.userId)",
    "ServiceJS(options.appKey, options.hash, options.userId, { theme: 'dark' })",
    "new ServiceJS({ ...options, hash: undefined, token: async () => (await fetch('/token')).text() })",
)


def test_every_form_of_the_constructor_gets_ready(page: Page, profile: BrowserContext, demo: Demo) -> None:
    """Object or positions, with or without `new`, with a hash or a token: valid credentials make `ready`."""
    with demo.client() as client:
        token = client.session_tokens.create().token
    profile.route("**/token", lambda route: route.fulfill(body=token))

    for constructor in CONSTRUCTORS:
        ready = page.evaluate(f"""() => new Promise((resolve, reject) => {{
          const {{ eventEmitter }} = {constructor};
          eventEmitter.on("ready", resolve);
          eventEmitter.on("error", reject);
        }})""")
        assert (True, demo.user_id) == (ready["isReady"], ready["user_id"]), constructor


def test_wrong_credentials_are_told_once_and_for_all(page: Page, troubles: Troubles) -> None:
    """`error` is emitted, to late handlers too, and every method rejects with that error."""
    troubles.expect("401")
    told = page.evaluate("""async () => {
      window.sdk = new ServiceJS({ ...options, hash: "0".repeat(64) });
      const first = await new Promise((resolve) => sdk.eventEmitter.on("error", resolve));
      const late = await new Promise((resolve) => sdk.eventEmitter.once("error", resolve));
      return [first.code, first.status, late.code];
    }""")

    assert ["unauthenticated", 401, "unauthenticated"] == told
    for method, arguments in METHODS.items():
        error = error_of(page, f"sdk.{method}({arguments})")
        assert ("ServiceError", True) == (error["name"], error["isServiceError"])
        assert ("unauthenticated", 401) == (error["code"], error["status"])
    expect(page.locator("[data-servicejs]")).to_have_count(0)


def test_wrong_calls_are_explained(page: Page, troubles: Troubles) -> None:
    """What a developer got wrong rejects with a code and with words that name it, and leaves nothing on the page."""
    troubles.expect("404")
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    for call, code, words in WRONG_CALLS:
        error = error_of(page, f"sdk.{call}")
        assert (call, code, True) == (call, error.get("code"), error.get("isServiceError")), error
        assert words in error["message"]
        expect(page.locator("[data-servicejs]")).to_have_count(0)


def test_two_users_are_strangers(open_page: OpenPage, demo: Demo) -> None:
    """On one page each instance knows its own user, accounts and events only."""
    other = demo.credentials("second-user")
    page = open_page("""<div id="apps-first"></div><div id="apps-second"></div>
      <button id="connect" onclick="first.connectApp('sandbox')">Connect</button>""")
    page.evaluate(
        """async (other) => {
          window.heard = [];
          for (const [name, given] of [["first", options], ["second", { ...options, ...other }]]) {
            const sdk = (window[name] = new ServiceJS(given));
            for (const event of ["app-connected", "app-disconnected"])
              sdk.eventEmitter.on(event, () => heard.push([name, event]));
            await sdk.showApps([], "inline", `apps-${name}`);
          }
        }""",
        other,
    )
    with page.expect_popup() as opened:
        page.locator("#connect").click()
    with opened.value.expect_event("close", timeout=PATIENCE):
        allow_access(opened.value)
    expect(page.locator("#apps-first .account-label")).to_have_text(["Alice Andersson (Acme)"])
    assert [True, False] == page.evaluate("Promise.all([first, second].map((sdk) => sdk.isAppConnected('sandbox')))")
    expect(page.locator("#apps-second .account-label")).to_have_count(0)

    page.evaluate("second.eventEmitter.unsub('app-disconnected')")
    page.evaluate("first.disconnectApp('sandbox')")
    expect(page.locator("#apps-first .account-label")).to_have_count(0)
    assert [["first", "app-connected"], ["first", "app-disconnected"]] == page.evaluate("heard")


def test_events_keep_their_order_and_their_instance(page: Page, demo: Demo) -> None:
    """Handlers run in the order they were added, one's failure harms no other, and no instance hears another."""
    with demo.client("somebody-else") as client:
        assert () == client.connected_accounts.list("sandbox")
    heard = page.evaluate(
        """async (other) => {
          const heard = [];
          const mine = new ServiceJS(options);
          const theirs = new ServiceJS({ ...options, ...other });
          addEventListener("error", (event) => { heard.push("reported"); event.preventDefault(); });
          mine.eventEmitter.on("ready", ({ user_id }) => heard.push("mine 1 " + user_id));
          mine.eventEmitter.on("ready", () => { throw new Error("the host's own mistake"); });
          mine.eventEmitter.on("ready", () => heard.push("mine 2"));
          theirs.eventEmitter.on("ready", ({ user_id }) => heard.push("theirs " + user_id));
          await new Promise((resolve) => theirs.eventEmitter.on("ready", resolve));
          await mine.getApps();
          return heard.filter((entry) => entry !== "reported").concat(heard.includes("reported"));
        }""",
        {"userId": "somebody-else", "hash": demo.credentials("somebody-else")["hash"]},
    )

    mine = [entry for entry in heard if str(entry).startswith("mine")]
    assert [f"mine 1 {demo.user_id}", "mine 2"] == mine
    assert ("theirs somebody-else" in heard, heard[-1]) == (True, True)


def test_destroying_leaves_nothing(page: Page, profile: BrowserContext) -> None:
    """All nodes, styles and the worker go; what was under way and what comes later rejects with `destroyed`."""
    before = page.evaluate("document.documentElement.outerHTML")
    page.evaluate("""async () => {
      window.one = new ServiceJS(options);
      window.two = new ServiceJS(options);
      await Promise.all([one.showApps(), two.showApps([], "inline", "place"), one.getApps()]);
    }""")
    assert (1, 2) == (len(page.workers), page.locator("[data-servicejs]").count())

    codes = page.evaluate("""async () => {
      const running = one.getApps().catch((error) => error.code);
      await one.destroy();
      return [await running, await one.getApps().catch((error) => error.code)];
    }""")
    assert ["destroyed", "destroyed"] == codes
    assert (1, 1) == (len(page.workers), page.locator("[data-servicejs]").count())
    assert isinstance(page.evaluate("two.getApps()"), list)

    with page.workers[0].expect_event("close"):
        page.evaluate("two.destroy()")
    assert before == page.evaluate("document.documentElement.outerHTML")
    assert page.evaluate("new ServiceJS(options).isAppConnected('sandbox')") is False  # it starts again
