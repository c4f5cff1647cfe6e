"""The SDK for people with disabilities and of other languages, from before Python is there to what an app answered."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.accessibility import SCHEMES, assert_accessible
from tests.comboboxes import choose

from .conftest import HeldBack, OpenPage, Troubles
from .product import Demo, allow_access, connect
from .test_sdk_first_screen import APPS, FORM, begin

PHONE = {"width": 390, "height": 844}
FILES = re.compile(r"/servicejs/v1/(snapshot|python|pyodide|plain_boot)\.")


def test_a_start_is_accessible(
    open_page: OpenPage, profile: BrowserContext, demo: Demo, troubles: Troubles, python: HeldBack
) -> None:
    """Drawn, pressed and waiting, slow, connecting, a form; then given up, and without a bundle."""
    troubles.expect("Failed to load resource", "net::ERR", "Failed to fetch", "starts more slowly")
    page = open_page()
    page.clock.install()
    begin(page, APPS)
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    assert_accessible(page, schemes=SCHEMES)
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Connect Tickets sandbox").click()
    expect(page.get_by_text("Waiting for you to finish")).to_be_visible()
    assert_accessible(page, schemes=SCHEMES)
    opened.value.close()
    page.get_by_role("button", name="Cancel").click()
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("alert")).to_contain_text("taking longer")
    assert_accessible(page, schemes=SCHEMES)

    connect(demo, "bob")
    page = open_page()
    begin(page, FORM)
    page.get_by_role("button", name="Show the request").click()
    said = page.get_by_text("One moment.")
    expect(said).to_be_visible()
    below, form = said.bounding_box(), page.get_by_role("button", name="Create").bounding_box()
    assert below
    assert form
    assert below["y"] > form["y"] + form["height"]
    assert_accessible(page, schemes=SCHEMES)

    python.let_through()
    profile.route(FILES, lambda route: route.abort("connectionrefused"))
    page = open_page()
    begin(page, APPS)
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    assert_accessible(page, schemes=SCHEMES)


def look_at(page: Page, within: str = "[data-servicejs]") -> None:
    """Axe finds nothing wrong, nothing has to be scrolled to the side, and what is shown runs from right to left."""
    assert_accessible(page, within)
    script = """selector => {
      const shown = document.querySelector(selector);
      const frames = (shown.shadowRoot ?? shown).querySelectorAll(".frame, .form-body");
      const scrolled = [document.documentElement, ...frames];
      return [getComputedStyle(shown).direction, shown.closest("[lang]").lang, shown.closest("[dir]").dir,
        scrolled.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)];
    }"""
    assert ["rtl", "ar", "rtl", True] == page.evaluate(script, within)


def test_the_main_flow_in_arabic_on_a_phone(open_page: OpenPage, profile: BrowserContext, demo: Demo) -> None:
    """An account is connected, a form filled in and a function called; the host's page keeps its own direction."""
    page = open_page(locale="ar")
    page.set_viewport_size(PHONE)
    page.evaluate("() => { window.sdk = new ServiceJS(options); sdk.showApps() }")
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    look_at(page)

    with profile.expect_page() as opened:
        page.get_by_role("button", name="ربط Tickets sandbox").click()
    window = opened.value
    window.set_viewport_size(PHONE)
    expect(window.get_by_role("heading", name="ربط")).to_contain_text("Tickets sandbox")
    look_at(window, "main")
    expect(page.get_by_text("أكمل الخطوات في النافذة التي فُتحت.")).to_be_visible()
    look_at(page)
    allow_access(window)
    expect(page.get_by_text(re.compile("تم ربط .*Tickets sandbox"))).to_be_visible()
    page.get_by_role("button", name="مرتبط Tickets sandbox").click()
    expect(page.get_by_role("menuitem", name="إلغاء الربط")).to_be_visible()
    look_at(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="إغلاق").click()

    page.evaluate("""() => {
      const form = sdk.showFunctionUI("sandbox-create-ticket", {});
      window.result = form.then((filled) => sdk.invokeFunction("sandbox-create-ticket", filled));
    }""")
    form = page.get_by_role("dialog")
    form.get_by_role("button", name="Create").click()
    expect(form.get_by_role("alert")).to_contain_text("أمران يحتاجان إلى انتباهك.")
    look_at(page)
    choose(form, "Project (مطلوب)", "Website")
    form.get_by_label("Title (مطلوب)").fill("الباب يصرّ!")
    form.get_by_label("Severity (مطلوب)").select_option(index=1)
    look_at(page)
    form.get_by_role("button", name="Create").click()

    assert "الباب يصرّ!" == page.evaluate("result.then(({ output }) => output.title)")
    assert "ltr" == page.evaluate("getComputedStyle(document.body).direction")


def test_the_look_follows_the_system(open_page: OpenPage) -> None:
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


def test_less_motion_is_respected(open_page: OpenPage) -> None:
    """The call itself shows a skeleton, which doesn't move for who asks the system for less motion."""
    page = open_page()
    page.emulate_media(reduced_motion="reduce")

    animation = page.evaluate("""() => {
      new ServiceJS(options).showApps();
      const { shadowRoot } = document.querySelector("[data-servicejs]");
      return getComputedStyle(shadowRoot.querySelector(".skeleton i")).animationName;
    }""")

    assert "none" == animation


def test_lists_are_known_by_their_arrows_in_forced_colours(open_page: OpenPage, demo: Demo) -> None:
    """The arrow of a control with a list is a gradient, which isn't painted there: something else takes its place."""
    connect(demo)
    page = open_page()
    page.emulate_media(forced_colors="active")
    page.evaluate("() => { new ServiceJS(options).showFunctionUI('sandbox-create-ticket', {}).catch(() => {}) }")
    expect(page.get_by_role("combobox", name="Project")).to_be_visible()

    arrow = "(box) => getComputedStyle(box, '::after').content"
    assert "▾" in page.locator(".combobox").first.evaluate(arrow)
    chosen = page.get_by_role("combobox", name="Priority")
    assert "auto" == chosen.evaluate("(select) => getComputedStyle(select).appearance")
