"""What axe finds wrong before Python is there, in every state that a start can be in, light and dark."""

import re

from playwright.sync_api import BrowserContext, expect

from .conftest import HeldBack, OpenPage, Troubles
from .product import Demo, connect
from .test_sdk_accessibility import assert_accessible
from .test_sdk_first_screen import APPS, FORM, begin

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
    assert_accessible(page)
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Connect Tickets sandbox").click()
    expect(page.get_by_text("Waiting for you to finish")).to_be_visible()
    assert_accessible(page)
    opened.value.close()
    page.get_by_role("button", name="Cancel").click()
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("alert")).to_contain_text("taking longer")
    assert_accessible(page)
    page.clock.fast_forward(60_000)
    expect(page.get_by_role("alert")).to_contain_text("taking longer")
    assert_accessible(page)

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
    assert_accessible(page)

    python.let_through()
    profile.route(FILES, lambda route: route.abort("connectionrefused"))
    page = open_page()
    begin(page, APPS)
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    assert_accessible(page)
