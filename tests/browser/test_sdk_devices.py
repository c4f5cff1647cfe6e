"""Old browsers, and touch devices: what they need of the SDK."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .conftest import OpenPage, error_of
from .product import Demo, connect

TEXT_SIZES = """() => {
  const roots = [document, ...[...document.querySelectorAll("[data-servicejs]")].map((host) => host.shadowRoot)];
  const controls = roots.flatMap((root) => [...root.querySelectorAll("input, select, textarea")]);
  return controls
    .filter(({ type }) => !["checkbox", "radio", "hidden"].includes(type))
    .map((control) => parseFloat(getComputedStyle(control).fontSize));
}"""
LACKS = {
    "WebAssembly exceptions": "delete WebAssembly.Exception",
    "WebAssembly": "delete globalThis.WebAssembly",
    "constructed style sheets": """
      delete Document.prototype.adoptedStyleSheets;
      globalThis.CSSStyleSheet = function () { throw new TypeError("Illegal constructor") }""",
    ":has": "const { supports } = CSS; CSS.supports = (...all) => !/:has/.test(all) && supports(...all)",
    "color-mix": "const { supports } = CSS; CSS.supports = (...all) => !/color-mix/.test(all) && supports(...all)",
}


@pytest.mark.parametrize("lack", LACKS)
def test_an_old_browser_is_told(lack: str, profile: BrowserContext, open_page: OpenPage) -> None:
    """Where something is missing that all supported browsers have, `error` and every call say which they are."""
    profile.add_init_script(LACKS[lack])
    page = open_page()
    told = page.evaluate("""() => {
      window.sdk = new ServiceJS(options);
      return new Promise((resolve) => sdk.eventEmitter.on("error", ({ code, message }) => resolve([code, message])));
    }""")

    assert "unsupported_browser" == told[0]
    assert "Chrome or Edge 113, Firefox 121 or Safari 16.4" in told[1]
    for call in ("getApps()", "showApps()", "showFunctionUI('sandbox-create-ticket', {})"):
        assert "unsupported_browser" == error_of(page, f"sdk.{call}")["code"]
    expect(page.locator("[data-servicejs]")).to_have_count(0)


def text_sizes(page: Page) -> list[float]:
    """The sizes of text in all controls that text is typed or chosen in, on a phone and on a tablet."""
    sizes: list[float] = []
    for width in (390, 1024):
        page.set_viewport_size({"width": width, "height": 800})
        sizes += page.evaluate(TEXT_SIZES)
    return sizes


def test_controls_make_no_phone_zoom(open_page: OpenPage, demo: Demo) -> None:
    """iOS zooms into a control whose text is smaller than 16 pixels: none is, on phones and tablets."""
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    page.evaluate("sdk.showApps()")
    expect(page.locator("#search")).to_be_visible()
    marketplace = text_sizes(page)
    page.keyboard.press("Escape")
    page.goto(f"{demo.host_url}/gallery")
    gallery = text_sizes(page)
    with demo.client() as client:
        page.goto(client.connect_sessions.create("stripe").url)
    connect_page = text_sizes(page)

    assert min(len(marketplace), len(connect_page)) >= 1
    assert len(gallery) > 40
    assert min(marketplace + gallery + connect_page) >= 16


def test_choices_are_made_by_touch(chromium: Browser, profile: BrowserContext, demo: Demo) -> None:
    """A tap opens the list, within the screen; a tap takes a choice, takes one back, and closes the list elsewhere."""
    connect(demo, "bob")
    phone = chromium.new_context(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    try:
        page = phone.new_page()
        page.goto(demo.host_url)
        page.evaluate(
            """options => void (window.outcome = new ServiceJS(options)
              .showFunctionUI("sandbox-create-ticket", { title: "By touch" }))""",
            demo.credentials(),
        )
        form = page.get_by_role("dialog")
        project, labels = (form.get_by_role("combobox", name=name) for name in ("Project (required)", "Labels"))
        project.tap()
        hardware = form.get_by_role("listbox").get_by_role("option", name="Hardware")
        place = hardware.bounding_box()
        assert 0 <= place["x"]
        assert 390 >= place["x"] + place["width"]
        assert 700 >= place["y"] + place["height"]
        hardware.tap()
        expect(project).to_have_value("Hardware")
        expect(form.get_by_role("listbox")).to_have_count(0)
        form.get_by_label("Serial number (required)").fill("SN-1")
        labels.tap()
        options = form.get_by_role("listbox").get_by_role("option")
        first = options.first.text_content() or ""
        options.first.tap()
        options.nth(1).tap()
        expect(form.get_by_role("list", name="Chosen: Labels").get_by_role("listitem")).to_have_count(2)
        form.get_by_role("heading", name="Create a ticket").tap()
        expect(form.get_by_role("listbox")).to_have_count(0)
        form.get_by_role("list", name="Chosen: Labels").get_by_role("button").nth(1).tap()
        expect(form.get_by_role("list", name="Chosen: Labels").get_by_role("listitem")).to_have_count(1)
        form.get_by_role("button", name="Create a ticket").tap()
        expect(form).to_have_count(0)

        filled = page.evaluate("outcome")
        assert ("hardware", [first], {"serial_number": "SN-1"}) == tuple(
            filled[name] for name in ("project_id", "labels", "fields")
        )
    finally:
        phone.close()


def test_what_cannot_be_undone_is_said_in_sight(open_page: OpenPage, demo: Demo) -> None:
    """However far the form was scrolled, the question begins with its warning; going back leads to the button again."""
    connect(demo)
    page = open_page()
    page.set_viewport_size({"width": 360, "height": 500})
    page.evaluate("""() => {
      window.outcome = new ServiceJS(options).showFunctionUI("sandbox-delete-ticket", { ticket_id: 1001 });
      outcome.catch(() => {});
    }""")
    form = page.get_by_role("dialog")
    form.get_by_role("button", name="Show the request").click()
    page.locator(".form-body").evaluate("body => body.scrollTo(0, body.scrollHeight)")
    form.get_by_role("button", name="Delete a ticket").click()
    expect(form.get_by_role("alert")).to_be_in_viewport(ratio=1)
    form.get_by_role("button", name="Go back").click()

    expect(form.get_by_role("button", name="Delete a ticket")).to_be_focused()
