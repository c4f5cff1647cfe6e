"""Every state of the gallery, for people who see, move and read in other ways."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from examples.gallery.page import gallery_page
from servicejs.language import speak
from tests.accessibility import SETTLED, violations

ALONE_ELSEWHERE = ("landmark-unique", "landmark-no-duplicate-banner", "region", "heading-order")
"""Rules of axe for a page; each state stands on one of its own in real life."""
OF_COLOURS = ("color-contrast", "link-in-text-block")
NARROW = {"width": 320, "height": 640}
"""What a window of 640 pixels, such as half a small screen, leaves at 200 % zoom."""


def gallery(locale: str) -> str:
    """Return the gallery in a language."""

    async def build() -> str:
        speak(locale)
        return await gallery_page()

    with ThreadPoolExecutor(1) as thread:  # in this one, Playwright keeps an event loop running
        return thread.submit(asyncio.run, build()).result()


@pytest.fixture(scope="module")
def english() -> str:
    """The gallery in English."""
    return gallery("en")


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """An empty page, which a test fills with the gallery."""
    context = chromium.new_context(viewport={"width": 1100, "height": 800})
    yield context.new_page()
    context.close()


def test_every_state_is_accessible(page: Page, english: str) -> None:
    """Axe finds nothing wrong in any state, and no colour in the dark either."""
    page.set_content(english)

    assert [] == violations(page, off=ALONE_ELSEWHERE)
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLED)
    assert [] == violations(page, rules=OF_COLOURS)


@pytest.mark.parametrize("locale", ["en", "ar", "de", "ja"])
def test_nothing_is_cut_off_in_a_narrow_window(locale: str, page: Page, english: str) -> None:
    """No state has to be scrolled to the side, and no words are cut off, be they long or in another script."""
    page.set_viewport_size(NARROW)
    page.set_content(english if locale == "en" else gallery(locale))

    assert (locale == "en") == (page.locator("#service-away").get_by_text("Try again").count() > 0)
    assert [] == too_wide(page)


def test_endless_names_are_not_cut_off(page: Page, english: str) -> None:
    """Apps, functions and accounts may be called anything, at any length: their words are broken."""
    for name in ("Tickets", "Create ticket", "Delete ticket", "alice@tickets.example"):
        assert name in english
        english = english.replace(name, "Donaudampfschifffahrtsgesellschaft" * 3)
    page.set_viewport_size(NARROW)
    page.set_content(english)

    assert [] == too_wide(page)


def test_an_endless_word_leaves_the_other_columns_in_sight(page: Page, english: str) -> None:
    """In the table of an answer it is broken, as is any word that fills a column by itself."""
    page.set_content(english)

    beginnings = page.evaluate("""() => {
      const { shadowRoot } = document.querySelector("#done-with-a-list [data-servicejs]");
      const table = shadowRoot.querySelector(".outcome-table");
      table.querySelector("td bdi").textContent = "x".repeat(200);
      const { right } = table.getBoundingClientRect();
      return [...table.querySelectorAll("th")].map((cell) => cell.getBoundingClientRect().left < right - 40);
    }""")

    assert [True] * 4 == beginnings


def test_whatever_is_pressed_has_room_for_a_finger(page: Page, english: str) -> None:
    """24 pixels each way at least, on its own or with its label; links within a sentence need less."""
    page.set_content(english)

    assert [] == page.evaluate("""() => [...document.querySelectorAll("[data-servicejs]")].flatMap(({ shadowRoot }) =>
      [...shadowRoot.querySelectorAll("button, a, summary, input, select, textarea")].filter((pressed) => {
        const { display } = getComputedStyle(pressed);
        const target = pressed.closest("label") ?? pressed;
        const { width, height } = target.getBoundingClientRect();
        const isInSentence = display === "inline" || pressed.matches("p > *");
        return pressed.checkVisibility() && !isInSentence && (width < 24 || height < 24);
      }).map(({ outerHTML }) => outerHTML.slice(0, 100)))""")


@pytest.mark.parametrize("narrow", ["window", "element"])
def test_names_have_room_for_a_word(narrow: str, page: Page, english: str) -> None:
    """Where there is little room, be it an element of a wide page, no ordinary word is broken for a long value."""
    page.set_content(english)
    if narrow == "window":
        page.set_viewport_size(NARROW)
    else:
        page.add_style_tag(content="main > section { width: 300px }")
    name = page.locator("#done-with-long-texts dt", has_text="Fingerprint")
    asked, answered = (page.locator(f"#confirming .summary-line {part}").first.bounding_box() for part in ("dt", "dd"))
    lines = """(name) => {
      const words = document.createRange();
      words.selectNodeContents(name);
      return words.getClientRects().length;
    }"""

    assert 1 == name.evaluate(lines)
    assert asked["x"] == answered["x"]


def test_the_buttons_of_a_form_leave_room_for_it(page: Page, english: str) -> None:
    """In a narrow window they stand side by side and fill the line; one with a long name has a line for itself."""
    page.set_viewport_size(NARROW)
    page.set_content(english)
    footer = page.locator("#destructive .form-footer")
    cancel, go_on = (footer.locator(f"#form-{name}") for name in ("cancel", "submit"))

    whole, first, second = (each.bounding_box() for each in (footer, cancel, go_on))
    assert (16, 16) == (first["x"] - whole["x"], whole["x"] + whole["width"] - second["x"] - second["width"])
    assert (first["y"], 40) == (second["y"], second["height"])

    go_on.evaluate("button => { button.textContent = 'Change the plan or quantity of a subscription' }")
    assert go_on.bounding_box()["height"] < 100


def too_wide(page: Page) -> list[Any]:
    """Return what sticks out of its state, or hides a part of its own words."""
    script = """() => [...document.querySelectorAll("[data-servicejs]")].flatMap((host) => {
      const state = host.closest("section").id;
      const { left, right } = host.getBoundingClientRect();
      const shown = [...host.shadowRoot.querySelectorAll(".frame *")].filter((element) => element.checkVisibility());
      return shown.filter((element) => {
        if (element.closest(".visually-hidden, pre, svg, select") || element.matches("input, textarea")) return false;
        const { clipPath, overflowX } = getComputedStyle(element);
        if (clipPath !== "none") return false; // there for screen readers only
        const isCut = overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
        const is = element.getBoundingClientRect();
        return isCut || is.right > right + 1 || is.left < left - 1;
      }).map((element) => [state, element.outerHTML.slice(0, 120)]);
    })"""
    found: list[Any] = page.evaluate(script)
    return found


def test_screen_readers_hear_names_and_roles(page: Page, english: str) -> None:
    """The main states read as they should: headings, fields with their names, what is wrong with them, buttons."""
    page.set_content(english)
    heard = {name: page.locator(f"#{name} [data-servicejs]").aria_snapshot() for name in EXPECTED}

    for name, expected in EXPECTED.items():
        lines = [re.sub(r"^- ", "", line.strip()) for line in heard[name].splitlines()]
        for line in expected:
            assert line in lines, (name, line, lines)


EXPECTED = {
    "apps": (
        'heading "Apps" [level=2]',
        'button "Close"',
        'searchbox "Search apps"',
        'heading "Tickets" [level=3]',
        "paragraph: Tickets, projects and comments.",
        'button "Connected Tickets": Connected',
        'list "Connected accounts of Tickets":',
        'button "Connect Calendar": Connect',
    ),
    "menu": (
        'button "Connected Tickets" [expanded]: Connected',
        'menu "Tickets":',
        'group "alice@tickets.example":',
        'menuitem "Disconnect"',
        'menuitem "Add another account"',
    ),
    "needs-reconnecting": ('button "Reconnect"',),
    "found-nearly": ('heading "You may be looking for" [level=3]', 'list "You may be looking for":'),
    "looking": (
        'search "What do you want to do?":',
        'textbox "What do you want to do?": create a ticket about the broken printer in project Office, high priority',
        'button "Stop"',
        "status: Looking for a match…",
    ),
    "prompt-failed": ("alert: The service can’t be reached right now. Check your connection and try again.",),
    "suggested": ('region "Suggestion":', 'group "Not what you meant?":', 'button "Open an issue Code"'),
    "done": (
        "status:",
        "paragraph: Ticket 12 created",
        "term: Labels",
        "definition: hardware, second floor",
        'link "Open in Tickets":',
        'button "Back to the apps"',
    ),
    "done-with-plain-fields": ("paragraph: Done in Tickets.", "term: Title", 'link "Open in Tickets":'),
    "done-with-a-list": ("paragraph: Page 2", 'columnheader "Title"', 'cell "Broken printer"', 'button "Next page"'),
    "asked-to-wait": ('button "Try again in 3 minutes" [disabled]',),
    "every-control": (
        'heading "Place order" [level=2]',
        'textbox "Email (required)": ada@example.com',
        'combobox "Priority (required)":',
        'group "Lines (required)":',
        'button "Remove Lines 1"',
        "'button \"Add : Lines\"'",
        'button "Place order"',
    ),
    "choices-refused": (
        "'button \"Reconnect : Project\"'",
        "'button \"Choose an account : Component\"'",
        "'button \"Try again in 3 minutes : Custom fields\" [disabled]'",
    ),
    "account-gone": ("'button \"Connect : Project\"'",),
    "confirming": ('button "Go back"', 'button "Delete ticket"'),
}
