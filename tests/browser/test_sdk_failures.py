"""A service that is away, before the SDK is loaded and after, and back again."""

from playwright.sync_api import BrowserContext, expect

from .conftest import OpenPage, Troubles, error_of
from .product import Demo

REPORTED = ("net::ERR", "Failed to load resource", "Failed to fetch")


def take_away(profile: BrowserContext, demo: Demo) -> None:
    """Let no request reach the service any more."""
    profile.route(f"{demo.base_url}/**", lambda route: route.abort("connectionrefused"))


def bring_back(profile: BrowserContext, demo: Demo) -> None:
    """Let requests reach the service again."""
    profile.unroute(f"{demo.base_url}/**")


def test_a_start_that_failed_is_tried_again(
    profile: BrowserContext, open_page: OpenPage, demo: Demo, troubles: Troubles
) -> None:
    """When even the SDK's files cannot be had, `error` and rejections say so; the next call starts over."""
    troubles.expect(*REPORTED)
    page = open_page()
    take_away(profile, demo)
    page.evaluate("""() => {
      window.heard = [];
      window.sdk = new ServiceJS(options);
      sdk.eventEmitter.on("error", ({ code }) => heard.push(code));
      sdk.eventEmitter.on("ready", () => heard.push("ready"));
    }""")
    assert "unreachable" == error_of(page, "sdk.showApps()")["code"]
    expect(page.locator("[data-servicejs]")).to_have_count(0)

    bring_back(profile, demo)
    assert isinstance(page.evaluate("sdk.getApps()"), list)
    page.evaluate("new Promise((resolve) => sdk.eventEmitter.on('ready', resolve))")

    heard = page.evaluate("heard")
    assert ("unreachable", "ready") == (heard[0], heard[-1])


def test_arguments_that_are_no_json_are_refused(open_page: OpenPage) -> None:
    """What JSON cannot carry, such as a cycle, rejects at once and does not disturb later calls."""
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options); window.cycle = {}; cycle.self = cycle }")

    assert "TypeError" == error_of(page, "sdk.invokeFunction('sandbox-list-tickets', cycle)")["name"]
    assert isinstance(page.evaluate("sdk.getApps()"), list)
