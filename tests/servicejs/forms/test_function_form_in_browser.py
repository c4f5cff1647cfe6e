"""The function form in Chromium, on the shell's own scripts: focus, typing and patching."""

import asyncio

import pytest
from playwright.async_api import expect

from examples.gallery.form_driver import Driver
from examples.gallery.form_states import EVERY_CONTROL, EVERYTHING, LIST_ASSIGNEES, MANY_OPTIONAL, users
from examples.gallery.functions import CREATE_TICKET
from service_client.models import ErrorDetail
from tests.servicejs.forms.shown_forms import shown

pytestmark = pytest.mark.browser


async def test_ticket_can_be_filled_in_by_keyboard() -> None:
    """The first field has the focus, and the form can be filled in and sent without a mouse."""
    driver = Driver(CREATE_TICKET)
    async with shown(driver) as form:
        await expect(form.element("field-title")).to_be_focused()
        await expect(form.element("field-project_id")).to_contain_text("Apollo")
        await form.page.keyboard.type("Printer on fire")
        await form.page.keyboard.press("Tab")
        await expect(form.element("field-project_id")).to_be_focused()
        await form.page.keyboard.type("Apo")
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


async def test_problems_take_the_focus_each_time() -> None:
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


async def test_typing_survives_late_answers() -> None:
    """What somebody is typing stays, with the cursor, while the form is painted again."""
    driver = Driver(CREATE_TICKET, {"project_id": 1})
    gate = driver.gates["sandbox-list-custom-fields"] = asyncio.Event()
    async with shown(driver) as form:
        title = form.element("field-title")
        await expect(title).to_be_focused()
        await expect(form.element("field-component_id")).to_contain_text("User interface")
        await form.page.keyboard.type("Half a sent")
        gate.set()
        await expect(form.element("field-fields-severity")).to_be_visible()
        await form.page.keyboard.type("ence")
        await expect(title).to_be_focused()
        await expect(title).to_have_value("Half a sentence")


async def test_choices_survive_late_answers() -> None:
    """What was just chosen is not undone, not even for a moment, by HTML that is older than the choice."""
    driver = Driver(CREATE_TICKET)
    async with shown(driver) as form:
        await expect(form.element("field-project_id")).to_contain_text("Apollo")
        older = driver.screen.render()
        driver.on_refresh = lambda: None  # nothing newer is painted
        for choice, chosen in (
            ("field-urgent-true", "(element) => { element.focus(); element.click(); }"),
            ("field-project_id", "(element) => { element.focus(); element.selectedIndex = 1; }"),
        ):
            await form.element(choice).evaluate(chosen)
            await form.page.evaluate("(html) => window.paint(html)", older)
            if choice == "field-urgent-true":
                assert await form.element(choice).is_checked()
            else:
                assert 1 == await form.element(choice).evaluate("(element) => element.selectedIndex")


async def test_rows_keep_their_texts_and_the_focus_a_place() -> None:
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


async def test_filter_is_not_a_way_to_submit() -> None:
    """Enter in a filter searches, and does not send the form."""
    driver = Driver(LIST_ASSIGNEES, {"assignee": 3}, users)
    async with shown(driver) as form:
        await form.element("field-assignee-search").fill("grace")
        await form.page.keyboard.press("Enter")
        await expect(form.element("field-assignee")).to_contain_text("Grace Hopper")

    assert [] == driver.finished


async def test_native_controls_give_and_take_their_values() -> None:
    """Days and moments go through the browser's own controls, in the browser's own time."""
    driver = Driver(EVERY_CONTROL, EVERYTHING)
    async with shown(driver) as form:
        await expect(form.element("field-starts_at")).to_have_value("2026-03-31T11:30")
        await expect(form.element("field-note")).to_have_value("First line\nSecond line")
        await form.element("field-due").fill("2026-04-01")
        await form.element("field-starts_at").fill("2026-12-01T08:00")
        await form.element("field-public").uncheck()
        await form.element("form-submit").click()
        filled, _ = await form.finished()

    assert ("2026-04-01", "2026-12-01T08:00:00+01:00", False) == (
        filled["due"],
        filled["starts_at"],
        filled["public"],
    )
    assert EVERYTHING["note"] == filled["note"]


async def test_folded_fields_open_for_a_problem() -> None:
    """A problem in folded fields opens them before anything else was painted, so that the focus can go there."""
    driver = Driver(MANY_OPTIONAL, {"title": "t"})
    async with shown(driver) as form:
        await expect(form.element("field-title")).to_be_focused()
        await expect(form.element("field-option_1")).to_be_hidden()
        driver.screen.show_details([ErrorDetail(field="option_1", code="format", message="No.")])
        await expect(form.element("field-option_1")).to_be_focused()


async def test_fields_unfolded_by_the_user_stay_so() -> None:
    """What the user unfolded stays unfolded while its fields are filled and emptied."""
    driver = Driver(MANY_OPTIONAL, {"title": "t"})
    async with shown(driver) as form:
        await form.page.locator("summary").click()
        for text in ("filled", ""):
            await form.element("field-option_2").fill(text)
            await form.page.keyboard.press("Tab")
            await expect(form.element("field-option_3")).to_be_focused()
            await expect(form.element("field-option_2")).to_be_visible()


@pytest.mark.parametrize("width", [320, 400, 900])
async def test_nothing_is_wider_than_the_page(width: int) -> None:
    """On a phone as on a desk, nothing has to be scrolled sideways."""
    driver = Driver(EVERY_CONTROL, EVERYTHING | {"name": "W" * 200, "due": "x" * 80, "priority": "y" * 80})
    async with shown(driver, viewport={"width": width, "height": 700}) as form:
        await expect(form.element("field-name")).to_be_visible()
        widths = await form.page.evaluate(
            """() => [...document.querySelector("[data-servicejs]").shadowRoot.querySelectorAll(".frame, .form-body")]
                 .map((element) => [element.scrollWidth, element.clientWidth])"""
        )

    assert [(client, client) for _, client in widths] == [tuple(pair) for pair in widths]
