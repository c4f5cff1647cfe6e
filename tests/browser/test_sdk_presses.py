"""What is pressed has an effect, whenever it is pressed: while something loads, changes, or comes in late."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.comboboxes import choose

from .conftest import HeldBack, OpenPage
from .product import Demo, connect

MOMENTS = [*((1, frames) for frames in (0, 1, 2, 4, 8, 16)), *((6, frames) for frames in (0, 2, 3, 6, 12, 32))]
"""How much slower the machine is, and after how many frames the button is pressed; its fields come between."""

OpenForm = Callable[[], Locator]


@pytest.fixture
def form_page(open_page: OpenPage, demo: Demo, profile: BrowserContext) -> Page:
    """A page whose user has an account; it keeps what the worker tells it in `told`."""
    connect(demo)
    profile.add_init_script("""
      const { Worker } = window;
      window.told = [];
      window.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          this.addEventListener("message", ({ data }) => told.push(String(data)));
        }
      };
    """)
    page = open_page('<div id="place"></div>')
    page.evaluate("window.sdk = new ServiceJS(options)")
    return page


@pytest.fixture
def open_form(form_page: Page) -> OpenForm:
    """Opens the form of a ticket in an element of the page; what comes of it is in `outcome` then."""

    def open_form() -> Locator:
        form_page.evaluate("""() => {
          const inline = { renderMode: "inline", containerId: "place" };
          const filling = sdk.showFunctionUI("sandbox-create-ticket", { title: "Printer on fire" }, undefined, inline);
          window.outcome = null;
          filling.then((filled) => (outcome = JSON.stringify(filled)), ({ code }) => (outcome = JSON.stringify(code)));
        }""")
        return form_page.locator("#place")

    return open_form


@pytest.fixture
def fields(profile: BrowserContext) -> HeldBack:
    """Keeps a project's own fields from coming."""
    return HeldBack(profile, "**/functions/sandbox-list-custom-fields*")


def outcome(page: Page) -> Any:
    """What the form was filled in with, or why it wasn't, once it is over."""
    return json.loads(page.wait_for_function("outcome").json_value())


def test_a_press_on_what_is_about_to_move_is_carried_out(
    form_page: Page, open_form: OpenForm, fields: HeldBack
) -> None:
    """Fields that come while the button is held down wait until it is released: they would move it away."""
    form = open_form()
    choose(form, "Project (required)", "Website")
    fields.wait(form_page)
    button = form.get_by_role("button", name="Create a ticket")
    button.hover()
    before = button.bounding_box()
    form_page.mouse.down()
    fields.held[0].continue_()
    form_page.wait_for_function("told.some((message) => message.includes('Severity'))")
    assert before == button.bounding_box()
    form_page.mouse.up()

    severity = form.get_by_label("Severity (required)")
    expect(severity).to_be_focused()
    expect(severity).to_have_attribute("aria-invalid", "true")
    assert before != button.bounding_box()  # so that the test means something


def test_what_comes_while_something_is_held_down_is_shown_afterwards(
    form_page: Page, open_form: OpenForm, fields: HeldBack
) -> None:
    """Also where the press becomes none: the mouse is released elsewhere, or held for long."""
    for released in (True, False):
        form = open_form()
        choose(form, "Project (required)", "Website")
        fields.wait(form_page)
        form.get_by_role("button", name="Create a ticket").hover()
        form_page.mouse.down()
        fields.held.pop().continue_()
        if released:
            form_page.mouse.move(0, 0)
            form_page.mouse.up()
        expect(form.get_by_label("Severity (required)")).to_be_visible()
        form_page.mouse.move(0, 0)
        form_page.mouse.up()
        form.get_by_role("button", name="Cancel").click()
        assert "cancelled" == outcome(form_page)


def test_a_press_acts_at_every_moment(form_page: Page, open_form: OpenForm, profile: BrowserContext) -> None:
    """However soon after a choice the button is pressed, the form is handed over; also on a slow machine."""
    browser = profile.new_cdp_session(form_page)
    for slowdown, frames in MOMENTS:
        browser.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        form = open_form()
        form.get_by_role("combobox", name="Project (required)").click()
        form.get_by_role("option", name="Office", exact=True).evaluate(
            """async (option, frames) => {
              const button = option.getRootNode().querySelector("#form-submit");
              option.click();
              for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
              button.click();
            }""",
            frames,
        )

        assert {"title": "Printer on fire", "project_id": "office"} == outcome(form_page), (slowdown, frames)
        expect(form_page.locator("#place > *")).to_have_count(0)
