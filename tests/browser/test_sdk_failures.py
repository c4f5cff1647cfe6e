"""A service that is away, before the SDK is loaded and after, and back again."""

from playwright.sync_api import BrowserContext, expect

from .conftest import Demo, OpenPage, Troubles, error_of

REPORTED = ("net::ERR", "Failed to load resource", "Failed to fetch")


def take_away(profile: BrowserContext, demo: Demo) -> None:
    """Let no request reach the service any more."""
    profile.route(f"{demo.base_url}/**", lambda route: route.abort("connectionrefused"))


def bring_back(profile: BrowserContext, demo: Demo) -> None:
    """Let requests reach the service again."""
    profile.unroute(f"{demo.base_url}/**")


def test_calls_reject_while_the_service_is_away(
    profile: BrowserContext, open_page: OpenPage, demo: Demo, troubles: Troubles
) -> None:
    """Without the service calls reject as unreachable, in time; once it is back they work again."""
    troubles.expect(*REPORTED)
    page = open_page()
    page.evaluate("async () => { window.sdk = new ServiceJS(options); await sdk.getApps() }")
    take_away(profile, demo)

    for call in (
        "getApps()",
        "invokeFunction('sandbox-list-tickets', {})",
        "showFunctionUI('sandbox-list-tickets', {})",
    ):
        assert "unreachable" == error_of(page, f"sdk.{call}")["code"]
    expect(page.locator("[data-servicejs]")).to_have_count(0)

    bring_back(profile, demo)
    assert isinstance(page.evaluate("sdk.getApps()"), list)


def test_the_marketplace_offers_to_try_again(
    profile: BrowserContext, open_page: OpenPage, demo: Demo, troubles: Troubles
) -> None:
    """The list that could not be loaded says so, and a button loads it once the service is back."""
    troubles.expect(*REPORTED)
    page = open_page()
    page.evaluate("async () => { window.sdk = new ServiceJS(options); await sdk.getApps() }")
    take_away(profile, demo)
    assert "unreachable" == error_of(page, "sdk.showApps()")["code"]
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()

    bring_back(profile, demo)
    again.click()

    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


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


def test_failing_token_functions_are_named(open_page: OpenPage) -> None:
    """When the page's own token function fails, or gives no token, the rejection says that it was this."""
    page = open_page()
    page.evaluate("""() => {
      const { hash, ...rest } = options;
      window.broken = new ServiceJS({ ...rest, token: async () => { throw new Error("signed out") } });
      window.empty = new ServiceJS({ ...rest, token: () => undefined });
    }""")

    broken, empty = error_of(page, "broken.getApps()"), error_of(page, "empty.getApps()")

    assert ("token_failed", True) == (broken["code"], "signed out" in broken["message"])
    assert ("invalid_argument", True) == (empty["code"], "token function" in empty["message"])


def test_arguments_that_are_no_json_are_refused(open_page: OpenPage) -> None:
    """What JSON cannot carry, such as a cycle, rejects at once and does not disturb later calls."""
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options); window.cycle = {}; cycle.self = cycle }")

    assert "TypeError" == error_of(page, "sdk.invokeFunction('sandbox-list-tickets', cycle)")["name"]
    assert isinstance(page.evaluate("sdk.getApps()"), list)
