"""What axe finds wrong for people with disabilities, in every view of the SDK, light and dark."""

from typing import Any, Literal

from playwright.sync_api import BrowserContext, Page, expect

from tests.real_apps.running import ROOT

from .conftest import OpenPage, policy_of
from .product import Demo, allow_access

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SETTLED = """() => {
  const shadows = [...document.querySelectorAll("[data-servicejs]")].map(({ shadowRoot }) => shadowRoot);
  const running = [document, ...shadows].flatMap((root) => root.getAnimations());
  const ending = running.filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  return Promise.all(ending.map(({ finished }) => finished.catch(() => {}))).then(() => {});
}"""
"""Waits until fades are over, which axe would take for the colours that are meant."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def assert_accessible(page: Page, within: str = "[data-servicejs]") -> None:
    """Let axe look at the SDK's parts of the page, or other ones, light and dark, once their fades are over."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE.read_text())
    script = """async ([within, tags]) => {
      const { violations } = await axe.run(within, { runOnly: { type: "tag", values: tags } });
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
    }"""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        found: list[Any] = page.evaluate(script, [within, RULES])
        assert [] == found, scheme


def test_every_view_is_accessible(profile: BrowserContext, open_page: OpenPage, demo: Demo) -> None:
    """Marketplace, connecting, question before disconnecting, form and its problems: no violation of WCAG 2.2 AA."""
    page = open_page("<h1>Host</h1><button id=go>Go</button>")
    page.evaluate("""() => {
      window.sdk = new ServiceJS(options);
      document.getElementById("go").onclick = () => sdk.connectApp("sandbox");
    }""")
    with profile.expect_page() as opened:
        page.get_by_role("button", name="Go").click()
    expect(page.get_by_text("Waiting for you to finish")).to_be_visible()
    assert_accessible(page)
    allow_access(opened.value)
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.evaluate("() => { sdk.showApps() }")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Connected Tickets sandbox").click()
    assert_accessible(page)
    dialog.get_by_role("menuitem", name="Disconnect").click()
    expect(dialog.get_by_role("button", name="Keep")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")

    page.evaluate("() => { sdk.showFunctionUI('sandbox-create-ticket', {}).catch(() => {}) }")
    expect(dialog.get_by_label("Title")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert").first).to_be_visible()
    assert_accessible(page)


def test_the_look_follows_the_system(profile: BrowserContext, open_page: OpenPage, demo: Demo) -> None:
    """Without a theme the SDK is light or dark as the system is; a theme decides otherwise."""
    page = open_page()
    colours = (
        "element => { const { backgroundColor, color } = getComputedStyle(element); return backgroundColor + color }"
    )
    shown = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for theme in (None, "light", "dark"):
            page.evaluate("theme => { window.sdk = new ServiceJS({ ...options, theme }); sdk.showApps() }", theme)
            expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
            shown[scheme, theme] = page.get_by_role("dialog").evaluate(colours)
            page.evaluate("sdk.destroy()")

    looks = {"light": "rgb(255, 255, 255)rgb(28, 31, 38)", "dark": "rgb(26, 29, 37)rgb(232, 234, 240)"}
    assert {each: looks[each[1] or each[0]] for each in shown} == shown


def test_less_motion_is_respected(open_page: OpenPage, demo: Demo) -> None:
    """Who asks the system for less motion sees none of ours."""
    page = open_page(policy=policy_of(demo))
    page.emulate_media(reduced_motion="reduce")

    animation = page.evaluate("""() => {
      new ServiceJS(options).showApps();
      const { shadowRoot } = document.querySelector("[data-servicejs]");
      return getComputedStyle(shadowRoot.querySelector(".skeleton i")).animationName;
    }""")

    assert "none" == animation
