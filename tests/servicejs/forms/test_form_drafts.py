"""Drafts: what is filled in survives a reload and Escape, until the form is sent or cancelled."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.gallery.form_driver import Driver, ok, ticket_app
from examples.gallery.functions import CREATE_TICKET
from service_client.models import Function, Prediction, ValueChoice
from servicejs.forms.drafts import MOST_CHARACTERS, Draft
from servicejs.forms.form import Form
from servicejs.forms.opening import Opening
from servicejs.forms.values import Leaf, walk
from tests.servicejs.forms.functions_under_test import functions_with_arguments

pytestmark = pytest.mark.slow


def kept(form: Form, given: dict[str, Any]) -> str | None:
    """What is kept of a form."""
    kept: list[str | None] = []
    Draft(None, kept.append).write(form, given)
    return kept[-1] if kept else None


@given(functions_with_arguments(), st.data())
@settings(max_examples=100, deadline=None)
def test_any_filled_form_comes_back(case: tuple[Function, dict[str, Any]], data: st.DataObject) -> None:
    """A form that is restored gives the same arguments or the same problems, whatever was typed."""
    tested, arguments = case
    form = Form(tested, {})
    for path, node in list(walk(form.root)):
        if isinstance(node, Leaf):
            form.set_text(path, data.draw(st.text(max_size=20)))
    restored = Form(tested, {})
    Draft(kept(form, {})).restore(restored, {})

    assert form.submit() == restored.submit()
    assert set(form.problems) == set(restored.problems)

    prefilled = Form(tested, {})
    Draft(kept(Form(tested, arguments), {})).restore(prefilled, {})
    assert Form(tested, arguments).submit() == prefilled.submit()


@pytest.mark.parametrize(
    "draft",
    [
        "",
        "null",
        "[]",
        "{",
        '{"given": {}}',
        '{"given": {}, "filled": 3}',
        kept(Form(CREATE_TICKET, {"title": "D"}), {}),
    ],
)
def test_what_is_no_draft_is_passed_over(draft: str) -> None:
    """A kept text that is none of ours, or for other arguments, leaves the form as the page opened it."""
    form = Form(CREATE_TICKET, {"title": "Hinge"})

    assert not Draft(draft).restore(form, {"title": "Hinge"})
    assert "Hinge" == form.preview()["title"]
    assert None is kept(Form(CREATE_TICKET, {"title": "x" * MOST_CHARACTERS}), {})  # what would fill the storage


async def test_a_form_goes_on_after_a_reload() -> None:
    """Every edit is kept; the next form has it, says so, and can start over; of one that is done nothing stays."""
    drafts: list[str | None] = []
    first = Driver(CREATE_TICKET, {"title": "Hinge"}, draft=Draft(None, drafts.append))
    await first.started()
    await first.set("project_id", "1")
    await first.set("title", "Squeaky hinge")
    await first.set("fields.severity", "high")
    await first.set("fields.estimate", "soon")

    second = Driver(CREATE_TICKET, {"title": "Hinge"}, draft=Draft(drafts[-1], drafts.append))
    await second.started()
    html = second.screen.render()
    assert "What you filled in before" in html
    assert {"title": "Squeaky hinge", "project_id": 1, "fields": {"severity": "high"}} == second.screen.form.preview()
    assert 'value="soon"' in html
    await first.close()

    await second.do("start-over")
    assert {"title": "Hinge"} == second.screen.form.preview()
    assert "What you filled in before" not in second.screen.render()
    await second.set("project_id", "1")
    await second.set("fields.severity", "high")
    assert drafts[-1]
    await second.do("submit", kind="submit")
    assert second.finished
    assert None is drafts[-1]


@pytest.mark.parametrize(("action", "is_kept"), [("escape", True), ("cancel", False)])
async def test_escape_keeps_what_was_filled_in_and_cancel_does_not(action: str, is_kept: bool) -> None:
    """Escape is pressed by mistake; Cancel says what it does."""
    drafts: list[str | None] = []
    left = await Driver(CREATE_TICKET, draft=Draft(None, drafts.append)).started()
    await left.set("title", "Squeaky hinge")
    await left.do(action, kind="escape" if action == "escape" else "click")

    again = await Driver(CREATE_TICKET, draft=Draft(drafts[-1])).started()

    assert 1 == left.cancelled
    assert ({"title": "Squeaky hinge"} if is_kept else {}) == again.screen.form.preview()
    assert is_kept is ("What you filled in before is back." in again.screen.render())
    await again.close()


def test_a_draft_takes_back_what_was_said_of_other_values() -> None:
    """What a prompt suggested and was changed isn't the prompt's; what didn't fit and was put right is right."""
    given = {"title": "hinge", "project_id": 1, "priority": "high", "urgent": "soon"}
    prediction = Prediction(confidence=1.0, evidence={"title": "the hinge", "project_id": "Apollo"})
    opening = Opening(function=CREATE_TICKET, arguments=given, prediction=prediction)
    left, again = opening.form(), opening.form()
    assert {("priority",), ("urgent",)} <= set(left.problems)
    left.set_text(("title",), "Squeaky hinge")
    left.discard(("priority",))
    left.discard(("urgent",))
    Draft(kept(left, given)).restore(again, given)

    assert left.preview() == again.preview()
    assert {("project_id",): "Apollo"} == left.suggested == again.suggested
    assert set(left.problems) == set(again.problems)


async def test_choices_are_refreshed_and_the_choice_stays() -> None:
    """Where a list lacks what somebody looks for it can be loaded again, which keeps what was chosen."""
    projects = [{"id": 1, "name": "Apollo"}]
    driver = Driver(
        CREATE_TICKET,
        answer=lambda name, values: ok(list(projects)) if "projects" in name else ticket_app(name, values),
    )
    await driver.started()
    await driver.set("project_id", "1")
    projects.append({"id": 3, "name": "Cassini"})
    assert {} == await driver.choices("project_id", "cassini")
    assert 'data-act="refresh-source"' in driver.screen.render()
    await driver.do("refresh-source", "project_id")

    assert {"3": "Cassini"} == await driver.choices("project_id", "cassini")
    await driver.do("search", "project_id", "Apollo", "change")
    assert 1 == driver.screen.form.preview()["project_id"]
    await driver.close()


async def test_predictions_are_told_at_their_fields() -> None:
    """The words of a predicted value until it is changed; what a prompt may mean until the field is filled."""
    evidence = {"title": "squeaky <hinge>", "urgent": "now", "nothing": "x"}
    choices = (ValueChoice(value=1, label="Apollo"), ValueChoice(value=2, label="<Borealis>"))
    mean = {"project_id": choices, "title": choices, "nothing": choices}
    prediction = Prediction(confidence=1.0, evidence=evidence, choices=mean)
    driver = await Driver(CREATE_TICKET, {"title": "Hinge"}, prediction=prediction).started()
    html = driver.screen.render()
    assert "Suggested from “squeaky &lt;hinge&gt;”. Check that it is right." in html
    assert 1 == html.count("Suggested")
    assert "Your words may mean one of these: “Apollo”, “&lt;Borealis&gt;”." in html
    assert 2 == html.count("Your words may mean")  # at the field, and read out

    await driver.do("set", "title", "Hinges", "input")
    assert "Suggested" not in driver.screen.render()
    await driver.set("project_id", "1")
    assert "Your words may mean" not in driver.screen.render()
    await driver.close()


async def test_the_request_can_be_looked_at() -> None:
    """The request shows what is filled in by now, and follows every change."""
    driver = await Driver(CREATE_TICKET, {"title": "Hinge"}).started()
    assert "POST /functions/" not in driver.screen.render()

    await driver.do("preview")
    await driver.do("set", "title", "Hin&ge", "input")
    html = driver.screen.render()
    assert "POST /functions/sandbox-create-ticket/" in html
    assert "&#34;title&#34;: &#34;Hin&amp;ge&#34;" in html
    await driver.do("preview")
    assert "POST /functions/" not in driver.screen.render()
    await driver.close()
