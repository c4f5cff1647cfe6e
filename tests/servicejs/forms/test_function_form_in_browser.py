"""The function form in Chromium, on the shell's own scripts: focus, typing and patching."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright, expect

from examples.gallery.form_driver import Driver
from examples.gallery.form_states import EVERY_CONTROL, EVERYTHING, LIST_ASSIGNEES, MANY_OPTIONAL, users
from examples.gallery.functions import CREATE_TICKET, function
from service_client.models import ErrorDetail
from tests.accessibility import AXE, RULES, SCHEMES, SETTLED
from tests.chromium import ARGUMENTS, CHROMIUM
from tests.servicejs.forms.shown_forms import ShownForm, shown_in

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]
Show = Callable[..., AbstractAsyncContextManager[ShownForm]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shown() -> AsyncIterator[Show]:
    """Shows a form in the one browser of this file."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield partial(shown_in, browser)
        await browser.close()


async def test_ticket_can_be_filled_in_by_keyboard(shown: Show) -> None:
    """The first field has the focus, and the form can be filled in and sent without a mouse."""
    driver = Driver(CREATE_TICKET)
    async with shown(driver) as form:
        await expect(form.element("field-title")).to_be_focused()
        await form.page.keyboard.type("Printer on fire")
        await form.page.keyboard.press("Tab")
        project = form.element("field-project_id")
        await expect(project).to_be_focused()
        await form.page.keyboard.type("Apo")
        await form.page.keyboard.press("Enter")
        await expect(project).to_have_value("Apollo")
        await expect(project).to_have_attribute("aria-expanded", "false")
        await expect(form.element("field-fields-severity")).to_be_visible()
        await form.element("field-fields-severity").focus()
        await form.page.keyboard.type("high")
        await expect(form.element("field-fields-severity")).to_have_value("high")
        await form.element("field-urgent").focus()
        await form.page.keyboard.press("ArrowRight")
        await expect(form.element("field-urgent-true")).to_be_checked()
        await form.element("field-title").focus()
        await form.page.keyboard.press("Enter")
        filled, _ = await form.finished()

    assert {"title": "Printer on fire", "project_id": 1, "urgent": True, "fields": {"severity": "high"}} == filled


async def test_problems_take_the_focus_each_time(shown: Show) -> None:
    """Submitting moves to the first problem, again and again, and every problem can be reached from the list."""
    async with shown(Driver(CREATE_TICKET)) as form:
        for _ in range(2):
            await form.element("form-submit").click()
            await expect(form.element("field-title")).to_be_focused()
        await form.page.get_by_role("button", name="Project", exact=True).click()
        await expect(form.element("field-project_id")).to_be_focused()
        assert "field-project_id-problem" in (
            await form.element("field-project_id").get_attribute("aria-describedby") or ""
        )


async def test_typing_survives_late_answers(shown: Show) -> None:
    """What somebody is typing stays, with the cursor, while the form is painted again."""
    driver = Driver(CREATE_TICKET, {"project_id": 1})
    gate = driver.gates["sandbox-list-custom-fields"] = asyncio.Event()
    async with shown(driver) as form:
        title = form.element("field-title")
        await expect(title).to_be_focused()
        await expect(form.element("field-component_id")).to_have_attribute("placeholder", "Not set")
        await form.page.keyboard.type("Half a sent")
        gate.set()
        await expect(form.element("field-fields-severity")).to_be_visible()
        await form.page.keyboard.type("ence")
        await expect(title).to_be_focused()
        await expect(title).to_have_value("Half a sentence")


async def test_choices_survive_late_answers(shown: Show) -> None:
    """What was just chosen is not undone, not even for a moment, by HTML that is older than the choice."""
    driver = Driver(CREATE_TICKET)
    async with shown(driver) as form:
        await form.element("field-project_id").click()
        await expect(form.element("field-project_id-option1")).to_have_text("Apollo")
        older = driver.screen.render()
        driver.on_refresh = lambda: None  # nothing newer is painted
        await form.element("field-project_id-option1").click()
        await form.page.evaluate("(html) => window.paint(html)", older)
        assert "Apollo" == await form.element("field-project_id").input_value()
        assert await form.element("field-project_id-popup").is_hidden()
        await form.element("field-urgent-true").evaluate("(element) => { element.focus(); element.click(); }")
        await form.page.evaluate("(html) => window.paint(html)", older)
        assert await form.element("field-urgent-true").is_checked()


async def test_rows_keep_their_texts_and_the_focus_a_place(shown: Show) -> None:
    """A new row takes the focus; removing a row leaves the others as they are and the focus in the list."""
    driver = Driver(CREATE_TICKET, {"labels": ["one", "two"]})
    async with shown(driver) as form:
        await form.element("field-labels").click()
        await expect(form.element("field-labels-row3")).to_be_focused()
        await form.page.keyboard.type("three")
        await form.element("field-labels-row1-remove").click()
        await expect(form.element("field-labels-row1")).to_have_count(0)
        await expect(form.element("field-labels-row2")).to_have_value("two")
        await expect(form.element("field-labels-row3")).to_have_value("three")
        await expect(form.element("field-labels-frame").locator(":focus")).to_have_count(1)


async def test_combobox_is_used_by_keyboard(shown: Show) -> None:
    """Arrows, Home, End and Enter choose; Escape goes back to what was chosen and closes the list alone."""
    driver = Driver(LIST_ASSIGNEES, {"assignee": 3}, users)
    async with shown(driver) as form:
        box, press = form.element("field-assignee"), form.page.keyboard.press
        meant = form.page.locator("[data-meant]")
        await expect(box).to_be_focused()
        await expect(box).to_have_value("User 3")
        await press("ArrowDown")
        await expect(meant).to_have_text("User 3")
        for key, words in (("ArrowDown", "User 4"), ("Home", "User 0"), ("ArrowUp", "User 0"), ("End", "User 19")):
            await press(key)
            await expect(meant).to_have_text(words)
            await expect(box).to_have_attribute("aria-activedescendant", await meant.get_attribute("id") or "")
        await expect(form.element("field-assignee-option40")).to_be_attached()  # the next page came by itself
        await expect(meant).to_have_text("User 19")

        await form.page.keyboard.type("grace")
        await expect(meant).to_have_text("Grace Hopper")
        await press("Escape")
        await expect(box).to_have_value("User 3")
        await expect(box).to_have_attribute("aria-expanded", "false")
        await form.page.keyboard.type("4711")
        await press("End")
        await expect(form.element("field-assignee-free")).to_be_visible()
        await expect(form.page.get_by_role("status").filter(has_text="1 match.")).to_be_visible()
        await press("ArrowUp")
        await press("ArrowDown")
        await press("ArrowDown")
        await expect(meant).to_have_text("Use “4711” as it is")
        await press("Enter")
        await expect(box).to_have_value("4711")
        assert [] == driver.finished
        await press("Enter")
        filled, _ = await form.finished()

    assert {"assignee": 4711} == filled


async def test_enter_never_takes_what_the_list_had_before(shown: Show) -> None:
    """Whoever is faster than the app gets the only choice there is then, not the one that stood there meanwhile."""
    driver = Driver(LIST_ASSIGNEES, {}, users)
    async with shown(driver) as form:
        box = form.element("field-assignee")
        await box.click()
        await expect(form.element("field-assignee-option1")).to_have_text("User 0")
        gate = driver.gates["sandbox-list-users"] = asyncio.Event()
        await box.press_sequentially("grace")
        await form.page.keyboard.press("Enter")
        gate.set()
        await expect(box).to_have_value("Grace Hopper")
        await expect(form.element("field-assignee-popup")).to_be_hidden()

    assert ("31", []) == (driver.screen.form.node(("assignee",)).text, driver.finished)


async def test_several_values_are_chosen_and_taken_out_by_keyboard(shown: Show) -> None:
    """The list stays open for the next choice, and Backspace in the empty field takes out the last one."""
    sizes = function({"sizes": {"type": "array", "items": {"type": "string", "enum": ["S", "M", "L"]}}})
    driver = Driver(sizes, {"sizes": ["M"]})
    async with shown(driver) as form:
        chips = form.element("field-sizes-box").locator(".chip")
        await form.element("field-sizes").focus()
        for key in ("ArrowDown", "Enter", "End", "Enter"):
            await form.page.keyboard.press(key)
        await expect(chips).to_have_text(["M", "S", "L"])
        await expect(form.element("field-sizes-option3")).to_have_attribute("aria-selected", "true")
        await form.page.keyboard.press("Backspace")
        await expect(chips).to_have_text(["M", "S"])
        await expect(form.element("field-sizes")).to_be_focused()
        await form.page.get_by_role("button", name="Remove M").click()
        await expect(chips).to_have_text(["S"])
        await form.element("form-submit").click()
        filled, _ = await form.finished()

    assert {"sizes": ["S"]} == filled


async def test_open_list_is_accessible(shown: Show) -> None:
    """Axe finds nothing wrong with an open list, and a screen reader hears what is chosen, and how many there are."""
    async with shown(Driver(LIST_ASSIGNEES, {"assignee": 3}, users)) as form:
        await form.element("field-assignee").click()
        await expect(form.page.locator("[data-meant]")).to_have_text("User 3")
        await form.element("field-assignee").fill("grace")
        await expect(form.page.locator("[data-meant]")).to_have_text("Grace Hopper")
        await form.page.evaluate(AXE.read_text())
        script = "async (tags) => (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations"
        for scheme in SCHEMES:
            await form.page.emulate_media(color_scheme=scheme)
            await form.page.evaluate(SETTLED)
            found = await form.page.evaluate(script, RULES)
            assert [] == [each["id"] for each in found], scheme
        heard = await form.page.locator("[data-servicejs]").aria_snapshot()

    for line in (
        '- combobox "Assignee (required)" [expanded]: grace',
        '- listbox "Choices for Assignee":',
        '- option "Grace Hopper"',
        "- status: 1 match.",
    ):
        assert line in map(str.strip, heard.splitlines()), heard


@pytest.mark.parametrize("height", [300, 700])
async def test_lists_are_whole_wherever_they_open(shown: Show, height: int) -> None:
    """A list lies over the dialog's edge, below its field or above, and never outside the window."""
    async with shown(Driver(LIST_ASSIGNEES, {}, users), viewport={"width": 390, "height": height}) as form:
        await form.element("field-assignee").click()
        await expect(form.element("field-assignee-option2")).to_be_visible()
        popup = await form.element("field-assignee-popup").bounding_box()
        box = await form.element("field-assignee-box").bounding_box()

    assert 0 <= popup["y"]
    assert height >= popup["y"] + popup["height"]
    assert (round(box["x"]), round(box["width"])) == (round(popup["x"]), round(popup["width"]))
    assert popup["y"] >= box["y"] + box["height"] or popup["y"] + popup["height"] <= box["y"]


async def test_native_controls_give_and_take_their_values(shown: Show) -> None:
    """Days, moments and times of day go through the browser's own controls, in the browser's own time."""
    driver = Driver(EVERY_CONTROL, EVERYTHING)
    async with shown(driver) as form:
        await expect(form.element("field-starts_at")).to_have_value("2026-03-31T11:30")
        await expect(form.element("field-deliver_at")).to_have_attribute("type", "time")
        await expect(form.element("field-deliver_at")).to_have_value("14:30")
        await expect(form.element("field-note")).to_have_value("First line\nSecond line")
        await form.element("field-due").fill("2026-04-01")
        await form.element("field-starts_at").fill("2026-12-01T08:00")
        await form.element("field-deliver_at").fill("07:45")
        await form.element("field-public").uncheck()
        await form.element("form-submit").click()
        filled, _ = await form.finished()

    assert ("2026-04-01", "2026-12-01T08:00:00+01:00", "07:45", False) == (
        filled["due"],
        filled["starts_at"],
        filled["deliver_at"],
        filled["public"],
    )
    assert EVERYTHING["note"] == filled["note"]


async def test_folded_fields_open_for_a_problem(shown: Show) -> None:
    """A problem in folded fields opens them before anything else was painted, so that the focus can go there."""
    driver = Driver(MANY_OPTIONAL, {"title": "t"})
    async with shown(driver) as form:
        await expect(form.element("field-title")).to_be_focused()
        await expect(form.element("field-option_1")).to_be_hidden()
        driver.screen.show_details([ErrorDetail(field="option_1", code="format", message="No.")])
        await expect(form.element("field-option_1")).to_be_focused()


async def test_fields_unfolded_by_the_user_stay_so(shown: Show) -> None:
    """What the user unfolded stays unfolded while its fields are filled and emptied."""
    driver = Driver(MANY_OPTIONAL, {"title": "t"})
    async with shown(driver) as form:
        await form.page.locator("summary").click()
        for text in ("filled", ""):
            await form.element("field-option_2").fill(text)
            await form.page.keyboard.press("Tab")
            await expect(form.element("field-option_3")).to_be_focused()
            await expect(form.element("field-option_2")).to_be_visible()


async def test_nothing_is_wider_than_the_page(shown: Show) -> None:
    """On a phone as on a desk, nothing has to be scrolled sideways."""
    driver = Driver(EVERY_CONTROL, EVERYTHING | {"name": "W" * 200, "due": "x" * 80, "priority": "y" * 80})
    script = """() => [...document.querySelector("[data-servicejs]").shadowRoot.querySelectorAll(".frame, .form-body")]
      .map((element) => [element.scrollWidth, element.clientWidth])"""
    async with shown(driver) as form:
        for width in (320, 400, 900):
            await form.page.set_viewport_size({"width": width, "height": 700})
            await expect(form.element("field-name")).to_be_visible()
            widths = await form.page.evaluate(script)
            assert [(client, client) for _, client in widths] == [tuple(pair) for pair in widths]
