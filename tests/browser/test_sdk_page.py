"""What the host page decides: language, look, pictures."""

import re

from playwright.sync_api import expect

from .conftest import OpenPage, Troubles, policy_of
from .product import Demo, connect


def test_the_language_is_that_of_the_page_or_the_one_asked_for(open_page: OpenPage) -> None:
    """The page's language is spoken, `locale` goes before it, and what is unknown is English."""
    page = open_page()
    page.evaluate("document.documentElement.lang = 'pt'")
    page.evaluate("void new ServiceJS(options).showApps()")
    expect(page.get_by_role("dialog", name="Aplicativos")).to_be_visible()
    assert "pt-BR" == page.locator("[data-servicejs]").get_attribute("lang")
    page.keyboard.press("Escape")

    page.evaluate("void new ServiceJS({...options, locale: 'de-AT'}).showApps()")
    expect(page.get_by_placeholder("Apps suchen")).to_be_visible()
    page.keyboard.press("Escape")

    page.evaluate("void new ServiceJS({...options, locale: 'tlh'}).showApps()")
    expect(page.get_by_placeholder("Search apps")).to_be_visible()


def test_the_page_decides_the_look(open_page: OpenPage) -> None:
    """Custom properties and parts are the page's to set; its other rules reach nothing inside, nor ours outside."""
    page = open_page(
        """<style>
        [data-servicejs] { --ifs-color-accent: rgb(1, 2, 3); }
        [data-servicejs]::part(title) { letter-spacing: 7px; }
        button { background: red !important; text-transform: uppercase; }
        * { color: rgb(255, 0, 0) !important; font-size: 40px }
        </style><button id=own>Own</button>"""
    )
    before = page.evaluate("getComputedStyle(document.querySelector('#own')).cssText")
    page.evaluate("void new ServiceJS({...options, theme: 'light'}).showFunctionUI('github-create-issue', {})")
    button = page.locator("#connect")
    expect(button).to_have_css("background-color", "rgb(1, 2, 3)")
    expect(button).to_have_css("text-transform", "none")
    expect(page.locator("#title")).to_have_css("letter-spacing", "7px")
    expect(page.locator("#title")).not_to_have_css("color", "rgb(255, 0, 0)")
    expect(button).not_to_have_css("font-size", "40px")
    assert before == page.evaluate("getComputedStyle(document.querySelector('#own')).cssText")


def test_no_rule_of_the_page_hides_a_dialog_or_turns_it(open_page: OpenPage) -> None:
    """A dialog that nobody sees would stop the page; a reset must not have Arabic run from left to right."""
    page = open_page("<style>body > :not(main) { display: none !important } * { direction: ltr }</style><main></main>")
    page.evaluate("void new ServiceJS({...options, locale: 'ar'}).showApps()")

    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog).to_be_focused()
    expect(dialog).to_have_css("direction", "rtl")
    expect(page.get_by_role("searchbox")).to_have_css("direction", "rtl")


def test_a_list_without_pictures(open_page: OpenPage, demo: Demo, troubles: Troubles) -> None:
    """Where the page allows no pictures of the service, apps have initials; a category and a search narrow the list."""
    troubles.expect("img-src", "icons")
    page = open_page(policy=policy_of(demo, img_src="'none'"))
    page.evaluate("void new ServiceJS(options).showApps([], 'modal', undefined, { promptBox: false })")
    expect(page.locator("#app-github .app-icon")).to_have_text("G")
    expect(page.locator("#app-slack")).to_be_visible()
    expect(page.get_by_role("search")).to_have_count(0)  # the prompt box

    page.get_by_label("Category").select_option(label="Software development")
    expect(page.locator("#app-slack")).to_have_count(0)
    expect(page.locator("#app-github")).to_be_visible()
    page.get_by_label("Category").select_option("")
    page.locator("#search").fill("sla")
    expect(page.locator("h3")).to_have_text([re.compile("Slack")])
    expect(page.locator(".app-icon img")).to_have_count(0)


def test_a_picture_that_was_lost_once_comes_back(open_page: OpenPage, troubles: Troubles) -> None:
    """On a flaky network one may not arrive; whatever is opened next asks for it again."""
    troubles.expect("ERR_FAILED")
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    page.context.route("**/icons/sandbox.*", lambda route: route.abort())
    page.evaluate("sdk.showApps(['sandbox'])")
    icon = page.locator("#app-sandbox .app-icon")
    expect(icon).to_have_text("T")
    expect(icon.locator("img")).to_have_count(0)
    page.context.unroute("**/icons/sandbox.*")
    page.keyboard.press("Escape")
    page.evaluate("sdk.showApps(['sandbox'])")

    expect(icon.locator("img")).to_have_js_property("complete", True)
    assert 0 < icon.locator("img").evaluate("image => image.naturalWidth")


def test_a_dialog_is_printed_whole(open_page: OpenPage, demo: Demo) -> None:
    """On paper it isn't cut off, and dark on light whatever the theme; what is behind it isn't printed."""
    connect(demo)
    page = open_page("<p>Behind it</p>", theme="dark")
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    printed = """() => {
      const frame = document.querySelector("[data-servicejs=modal]").shadowRoot.querySelector("dialog");
      const all = [frame, ...frame.querySelectorAll(".form-body")];
      const { position, backgroundColor } = getComputedStyle(frame);
      const isWhole = all.every(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight);
      return [position, isWhole, backgroundColor, getComputedStyle(frame, "::backdrop").backgroundColor];
    }"""
    for call, shown in (("showApps()", "heading"), ("showFunctionUI('sandbox-create-ticket', {})", "textbox")):
        page.emulate_media(media="screen")
        page.evaluate(f"() => {{ sdk.{call}.catch(() => {{}}) }}")
        expect(page.get_by_role(shown, name="Ti").first).to_be_visible()
        assert ["fixed", False] == page.evaluate(printed)[:2]
        page.emulate_media(media="print")

        assert ["absolute", True, "rgb(255, 255, 255)", "rgb(255, 255, 255)"] == page.evaluate(printed)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
