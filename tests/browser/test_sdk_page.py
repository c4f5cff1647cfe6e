"""What the host page decides, and what stays when it is reloaded: language, look, drafts, pictures."""

import re

from playwright.sync_api import BrowserContext, expect

from tests.comboboxes import choose

from .conftest import OpenPage, Troubles, policy_of
from .product import PATIENCE, Demo, Helpdesk, connect


def test_a_form_survives_a_reload(profile: BrowserContext, demo: Demo) -> None:
    """What was typed is there again after the page was reloaded, and gone once the form was left."""
    connect(demo, "bob")
    page = Helpdesk.open(profile, demo).page
    page.get_by_role("button", name="Create ticket").click()
    form = page.get_by_role("dialog")
    choose(form, "Project (required)", "Research")
    form.get_by_label("Title").fill("Half a sen")
    for _ in range(PATIENCE // 50):  # the page's policy lets it evaluate nothing while we wait
        if "Half a sen" in page.evaluate("JSON.stringify(sessionStorage)"):
            break
        page.wait_for_timeout(50)

    page.reload()
    page.get_by_role("button", name="Create ticket").click()
    expect(form.get_by_label("Title")).to_have_value("Half a sen")
    expect(form.get_by_role("status").filter(has_text="What you filled in before")).to_be_visible()
    page.keyboard.press("Escape")
    expect(form).to_have_count(0)

    page.get_by_role("button", name="Create ticket").click()
    expect(form.get_by_label("Title")).not_to_have_value("Half a sen")
    assert "Half" not in page.evaluate("JSON.stringify(sessionStorage)")


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


def test_an_app_without_its_picture_shows_its_initial(open_page: OpenPage, demo: Demo, troubles: Troubles) -> None:
    """Where the page allows no pictures of the service, nothing broken stands in the list."""
    troubles.expect("img-src", "icons")
    page = open_page(policy=policy_of(demo, img_src="'none'"))
    page.evaluate("void new ServiceJS(options).showApps()")
    expect(page.locator("#app-github .app-icon")).to_have_text("G")
    expect(page.locator(".app-icon img")).to_have_count(0)

    page.locator("#search").fill("git")
    expect(page.locator("#app-slack")).to_have_count(0)
    expect(page.locator(".app-icon img")).to_have_count(0)


def test_a_long_marketplace_can_be_sorted_through(open_page: OpenPage) -> None:
    """A category and a search narrow the list."""
    page = open_page()
    page.evaluate("void new ServiceJS(options).showApps()")
    expect(page.locator("#app-slack")).to_be_visible()
    page.get_by_label("Category").select_option(label="Software development")

    expect(page.locator("#app-slack")).to_have_count(0)
    expect(page.locator("#app-github")).to_be_visible()
    page.get_by_label("Category").select_option("")
    page.locator("#search").fill("sla")
    expect(page.locator("h3")).to_have_text([re.compile("Slack")])
