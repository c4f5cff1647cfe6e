"""Instances on a page: constructors, events, isolation, the end."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import Demo, OpenPage, Troubles, error_of


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page with the SDK and nothing else."""
    return open_page('<div id="place"></div>')


READY = (
    "new Promise((resolve, reject) => { sdk.eventEmitter.on('ready', resolve); sdk.eventEmitter.on('error', reject) })"
)


@pytest.mark.parametrize(
    "constructor",
    [
        "new ServiceJS(options)",
        "ServiceJS(options)",
        "new ServiceJS(options.appKey, options.hash, options.userId)",
        "ServiceJS(options.appKey, options.hash, options.userId, { theme: 'dark' })",
        "new ServiceJS({ ...options, hash: undefined, token: async () => (await fetch('/token')).text() })",
    ],
)
def test_every_form_of_the_constructor_gets_ready(
    constructor: str, page: Page, profile: BrowserContext, demo: Demo
) -> None:
    """Object or positions, with or without `new`, with a hash or a token: valid credentials make `ready`."""
    with demo.client() as client:
        token = client.session_tokens.create().token
    profile.route("**/token", lambda route: route.fulfill(body=token))

    ready = page.evaluate(f"() => {{ const sdk = {constructor}; return {READY} }}")

    assert (True, demo.user_id) == (ready["isReady"], ready["user_id"])


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
    for call in ("getApps()", "showApps()", "invokeFunction('sandbox-list-tickets', {})"):
        error = error_of(page, f"sdk.{call}")
        assert ("ServiceError", True, "unauthenticated") == (error["name"], error["isServiceError"], error["code"])
    expect(page.locator("[data-servicejs]")).to_have_count(0)


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


def test_unsubscribing_acts_at_once(page: Page) -> None:
    """A handler that was taken back is not called, by whichever of the three ways it was."""
    calls: Any = page.evaluate("""async () => {
      const calls = [];
      const sdk = new ServiceJS(options);
      const one = () => calls.push("one"), two = () => calls.push("two");
      sdk.eventEmitter.on("ready", one);
      sdk.eventEmitter.on("ready", two);
      sdk.eventEmitter.unsub("ready", one);
      const stop = await sdk.eventEmitter.on("app-connected", one);
      await stop();
      sdk.eventEmitter.on("error", one);
      sdk.eventEmitter.unsub("error");
      await new Promise((resolve) => sdk.eventEmitter.on("ready", resolve)); // a call may be answered before it
      await sdk.eventEmitter.on("ready", () => calls.push("late"));
      return calls;
    }""")

    assert ["two", "late"] == calls


def test_unknown_events_are_refused(page: Page) -> None:
    """Subscribing or unsubscribing an event that does not exist rejects and lists those that do."""
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")

    for call in ("on('app-conected', () => {})", "once('nothing', () => {})", "unsub('nothing')"):
        error = error_of(page, f"sdk.eventEmitter.{call}")
        assert "unknown_event" == error["code"]
        assert "ready, error, marketplace-opened" in error["message"]
    assert "invalid_argument" == error_of(page, "sdk.eventEmitter.on('ready')")["code"]


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


def test_a_new_instance_after_the_last_one_works(page: Page) -> None:
    """Destroying everything is no end: the next instance starts the SDK again."""
    page.evaluate("async () => { const sdk = new ServiceJS(options); await sdk.getApps(); await sdk.destroy() }")

    assert page.evaluate("new ServiceJS(options).isAppConnected('sandbox')") is False


def test_secrets_are_refused_in_a_browser(page: Page) -> None:
    """An application secret among the options is an error, and is not sent anywhere."""
    page.evaluate("() => { window.sdk = new ServiceJS({ ...options, appSecret: 'unsayable' }) }")

    error = error_of(page, "sdk.getApps()")

    assert ("invalid_argument", False) == (error["code"], "unsayable" in error["message"])
