"""The marketplace as users have it: mouse, keyboard, modal and container."""

from playwright.sync_api import Browser, Page, expect

from tests.chromium import ARGUMENTS, CHROMIUM

from .conftest import OpenPage, Troubles
from .product import Demo, allow_access, connect


def test_a_menu_is_used_by_the_keyboard(demo: Demo, host_page: Page) -> None:
    """Arrows, Home, End and letters move in it; Escape and Tab close it alone, and give the focus back."""
    connect(demo)
    host_page.get_by_role("button", name="Show apps", exact=True).click()
    button = host_page.get_by_role("button", name="Connected Tickets sandbox")
    reconnect, disconnect, add = (
        host_page.get_by_role("menuitem", name=name) for name in ("Reconnect", "Disconnect", "Add another account")
    )
    button.focus()

    for key, item in (
        ("Enter", reconnect),
        ("ArrowDown", disconnect),
        ("End", add),
        ("ArrowDown", reconnect),
        ("ArrowUp", add),
        ("Home", reconnect),
        ("d", disconnect),
    ):
        host_page.keyboard.press(key)
        expect(item).to_be_focused()
    host_page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(host_page.get_by_role("menu")).to_have_count(0)
    assert "false" == button.get_attribute("aria-expanded")
    host_page.keyboard.press("ArrowUp")
    expect(add).to_be_focused()
    host_page.keyboard.press("Shift+Tab")
    expect(host_page.get_by_role("menu")).to_have_count(0)
    button.click()
    host_page.get_by_role("heading", name="Apps", exact=True).click()
    expect(host_page.get_by_role("menu")).to_have_count(0)
    expect(host_page.get_by_role("dialog", name="Apps")).to_be_visible()


def test_a_modal_keeps_the_keyboard_and_gives_it_back(host_page: Page) -> None:
    """The focus goes into the modal and stays there, Escape closes it, and the focus is where it was before."""
    opener = host_page.get_by_role("button", name="Show apps", exact=True)
    opener.focus()
    opener.press("Enter")
    expect(host_page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    assert "hidden" == host_page.evaluate("getComputedStyle(document.documentElement).overflowY")

    for _ in range(12):
        host_page.keyboard.press("Tab")
        held = host_page.evaluate("document.activeElement.matches('[data-servicejs], body')")
        assert held, host_page.evaluate("document.activeElement.outerHTML")
    host_page.keyboard.press("Shift+Tab")
    host_page.keyboard.press("Escape")

    expect(host_page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()
    assert "hidden" != host_page.evaluate("getComputedStyle(document.documentElement).overflowY")


def test_the_page_keeps_its_width_behind_a_modal(chromium: Browser, demo: Demo) -> None:
    """Where its scroll bar was, there is room for one, so that nothing in it moves; afterwards it is as it was."""
    launch = chromium.browser_type.launch
    with launch(executable_path=CHROMIUM, args=ARGUMENTS, ignore_default_args=["--hide-scrollbars"]) as with_bars:
        page = with_bars.new_page(viewport={"width": 900, "height": 600})
        page.goto(demo.host_url)
        page.evaluate("document.body.style.minHeight = '2000px'")
        widths = "[innerWidth, document.body.getBoundingClientRect().width]"
        window, width = page.evaluate(widths)
        assert window > width
        page.get_by_role("button", name="Show apps", exact=True).click()
        expect(page.get_by_role("dialog", name="Apps")).to_be_visible()

        assert [window, width] == page.evaluate(widths)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.evaluate("document.documentElement.getAttribute('style')") is None


def test_an_inline_marketplace_leaves_the_focus_to_who_types(open_page: OpenPage, troubles: Troubles) -> None:
    """What happens in a container doesn't interrupt: the focus stays in the host page's own field."""
    troubles.expect("ERR_FAILED", "Failed to load")
    page = open_page('<input id="own" aria-label="Own"><div id="apps"></div>')
    for asked in ("**/apps?*", "**/apps", "**/first_screens"):
        page.context.route(asked, lambda route: route.abort())
    page.get_by_label("Own").focus()
    page.evaluate(
        "() => { new ServiceJS(options).showApps([], ServiceJS.MarketplaceRenderModes.INLINE, 'apps').catch(() => {}) }"
    )

    expect(page.locator("#apps").get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_label("Own")).to_be_focused()


def test_a_marketplace_is_closed_by_the_page(open_page: OpenPage) -> None:
    """`closeApps` takes it away wherever it stands, and whoever closes one, it is told once."""
    page = open_page('<div id="here"></div>')
    page.evaluate("""async () => {
      window.told = [];
      window.sdk = new ServiceJS(options);
      for (const name of ["opened", "closed"]) {
        sdk.eventEmitter.on(`marketplace-${name}`, ({ apps, render_mode }) => told.push([name, apps, render_mode]));
      }
      sdk.showApps(["sandbox"]).catch(() => {});
      await sdk.closeApps(); // before anything has come
      await sdk.showApps([], "inline", "here");
      await sdk.showApps();
    }""")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("sdk.closeApps()")
    expect(page.locator("[data-servicejs]")).to_have_count(0)
    page.evaluate("sdk.closeApps()")

    assert [
        ["opened", ["sandbox"], "modal"],
        ["closed", ["sandbox"], "modal"],
        ["opened", [], "inline"],
        ["opened", [], "modal"],
        ["closed", [], "modal"],
        ["closed", [], "inline"],
    ] == page.evaluate("told")


def test_closing_gives_up_what_goes_on(open_page: OpenPage) -> None:
    """An account that is being connected in the marketplace is given up with it, and that is told."""
    page = open_page()
    page.evaluate("""() => {
      window.sdk = new ServiceJS(options);
      window.cancelled = new Promise((resolve) => sdk.eventEmitter.on("connect-cancelled", resolve));
      return sdk.showApps().then(() => sdk.isAppConnected("sandbox"));
    }""")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Connect Tickets sandbox").click()
    expect(opened.value.get_by_role("button", name="Cancel")).to_be_visible()
    page.evaluate("sdk.closeApps()")

    assert {"app": "sandbox", "connected_account_id": None} == page.evaluate("cancelled")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_who_comes_back_from_connecting_is_where_they_were(open_page: OpenPage, demo: Demo) -> None:
    """The app's button has the focus again, however far down it is; what happened, and the way out, are in sight."""
    page = open_page()
    page.evaluate("async () => { const sdk = new ServiceJS(options); await sdk.getApps(); void sdk.showApps() }")
    dialog = page.get_by_role("dialog")
    button = dialog.get_by_role("button", name="Connect Stripe")
    button.scroll_into_view_if_needed()
    with page.expect_popup() as opened:
        button.click()
    expect(opened.value.get_by_role("button", name="Cancel")).to_be_visible()
    page.keyboard.press("Escape")

    expect(button).to_be_focused()
    for seen in (button, dialog.get_by_role("button", name="Close")):
        expect(seen).to_be_in_viewport(ratio=1)
    notice = dialog.get_by_role("status").filter(has_text="Connecting Stripe was cancelled.")
    expect(notice).to_be_in_viewport(ratio=1)
    assert notice.evaluate(
        "node => node.contains(node.getRootNode().elementFromPoint(innerWidth / 2, "
        "node.getBoundingClientRect().top + 4))"
    )

    dialog.get_by_role("searchbox").fill("tickets")
    expect(notice).to_have_count(0)
    connecting = dialog.get_by_role("button", name="Connect Tickets sandbox")
    with page.expect_popup() as opened:
        connecting.click()
    allow_access(opened.value)
    expect(dialog.get_by_role("button", name="Connected Tickets sandbox")).to_be_focused()
    expect(dialog.get_by_role("searchbox")).to_have_value("tickets")


def test_a_menu_in_a_short_list_stays_in_the_dialog(open_page: OpenPage, demo: Demo) -> None:
    """Where there is no room below its button the menu opens above it, and nothing has to be scrolled."""
    connect(demo)
    page = open_page()
    page.evaluate("new ServiceJS(options).showApps(['sandbox'])")
    page.locator("[aria-haspopup=menu]").click()

    menu, dialog = page.get_by_role("menu").bounding_box(), page.get_by_role("dialog").bounding_box()
    assert menu is not None
    assert dialog is not None
    assert dialog["y"] < menu["y"]
    assert menu["y"] + menu["height"] < dialog["y"] + dialog["height"]
    scrolled = "dialog => [dialog.scrollTop, dialog.scrollHeight - dialog.clientHeight]"
    assert [0, 0] == page.get_by_role("dialog").evaluate(scrolled)


def test_words_keep_their_room_in_a_narrow_window(open_page: OpenPage, demo: Demo) -> None:
    """On 320 pixels and with a longer language, buttons go below an app's words, and no word of the search is cut."""
    connect(demo)
    page = open_page(locale="de")
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("new ServiceJS(options).showApps()")
    expect(page.locator("#category")).to_be_visible()

    words, search, category = (
        [box["width"] for part in page.locator(selector).all() if (box := part.bounding_box())]
        for selector in (".app-words", "#search", "#category")
    )
    assert min(words) >= 130
    assert min(*search, *category) > 200
