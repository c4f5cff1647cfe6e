"""Fields that the page draws: what it is told, and what becomes of what it enters."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from examples.gallery.form_driver import Driver
from examples.gallery.form_states import EVERY_CONTROL, EVERYTHING
from examples.gallery.functions import CREATE_TICKET, function
from servicejs.forms.form import Form
from servicejs.forms.form_view import form_view
from servicejs.forms.page_fields import PageFields
from servicejs.forms.values import filled_value
from servicejs.screens.screen import Gesture


class _Slots(HTMLParser):
    """What the HTML tells the page of the fields that it draws, by their paths."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, Any] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "slot":
            self.found[given["data-argument"] or ""] = json.loads(given["data-field"] or "")


def test_the_page_is_told_of_its_fields_alone() -> None:
    """Of a list it is told of each entry; of all others nothing."""
    driver = Driver(EVERY_CONTROL, EVERYTHING, renderers=frozenset({"priority", "lines[].count", "address.city"}))
    told = _Slots(driver.screen.render()).found

    assert {"priority", "lines[0].count", "lines[1].count", "address.city"} == set(told)
    priority = told["priority"]
    assert ("high", "string", True, "") == tuple(priority[name] for name in ("value", "type", "required", "error"))
    assert [{"value": "low", "label": "Low"}, {"value": "high", "label": "High"}] == priority["options"]
    assert [2, None] == [told[f"lines[{row}].count"]["value"] for row in (0, 1)]
    assert driver.screen.render().count("<select") == 1  # ours stands behind


@pytest.mark.parametrize(
    ("schema", "value", "filled", "problem"),
    [
        ({"type": "string"}, "text", "text", ""),
        ({"type": "number"}, 12.5, 12.5, ""),
        ({"type": "number", "maximum": 3}, 4, None, "format"),
        ({"type": "number"}, "many", None, "type"),
        ({"type": "number"}, [1], None, "type"),
        ({"type": "boolean"}, False, False, ""),
        ({"type": "array", "items": {"type": "string"}}, ["a", "b"], ["a", "b"], ""),
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, ["a"], ["a"], ""),
        ({"type": "object", "properties": {"b": {"type": "number"}}}, {"b": 1}, {"b": 1}, ""),
        ({"type": "object", "properties": {}}, {"any": [None]}, {"any": [None]}, ""),
        ({"type": "string", "format": "time"}, "14:30", "14:30", ""),
    ],
)
def test_a_value_takes_the_place_of_what_was_there(schema: Any, value: Any, filled: Any, problem: str) -> None:
    """A value is checked as a typed one is; a wrong one stays, and is told as it was entered; None empties."""
    form = Form(function({"a": schema}), {})
    form.set_value(("a",), value)
    submitted = form.submit()

    assert problem == (form.problems[("a",)].code if form.problems else "")
    assert (None if problem else {"a": filled}) == submitted
    assert value == filled_value(form.node(("a",)))
    form.set_value(("a",), None)
    assert {} == form.submit()


def test_an_entry_of_a_list_is_replaced_where_it_stands() -> None:
    """The others stay, and so does the entry's place."""
    form = Form(function({"rows": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}}), {})
    form.set_value(("rows",), [["a"], ["b"]])
    form.set_value(("rows", 0), ["c", "d"])

    assert {"rows": [["c", "d"], ["b"]]} == form.submit()


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '"' + "x"])
async def test_what_is_no_value_changes_nothing(text: str) -> None:
    """What no page sends by itself is passed over."""
    driver = Driver(EVERY_CONTROL, EVERYTHING)
    await driver.screen.handle(Gesture(surface="s", action="set-value", argument="amount", value=text, kind="input"))

    assert 12.5 == driver.screen.form.preview()["amount"]


def test_choices_are_looked_up_with_what_they_depend_on() -> None:
    """The page gets the arguments that its field's choices need, and the account."""
    form = Form(CREATE_TICKET, {"project_id": 1, "title": "T"})
    view = form_view(form, page_fields=PageFields(frozenset({"component_id"}), 7))
    page = next(each.page for each in (*view.fields, *view.folded) if each.path == "component_id")
    told = json.loads(page.data)

    assert ({"project_id": 1}, 7) == (told["params"], told["account"])
