"""From right to left: the main flow in Arabic on a phone, from the marketplace to what the app answered."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.comboboxes import choose

from .conftest import OpenPage
from .product import Demo, allow_access
from .test_sdk_accessibility import assert_accessible

PHONE = {"width": 390, "height": 844}


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


def test_the_main_flow_on_a_phone(open_page: OpenPage, profile: BrowserContext, demo: Demo) -> None:
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
