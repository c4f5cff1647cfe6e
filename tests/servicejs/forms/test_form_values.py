"""What a form makes of what is typed and of what it was given."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.gallery.form_states import EVERY_CONTROL, EVERYTHING
from examples.gallery.functions import function
from service_client.models import ErrorDetail, FieldMeta
from servicejs.forms.form import Form
from servicejs.forms.form_view import form_view
from servicejs.forms.paths import element_id, path_text
from servicejs.forms.summary import summary
from servicejs.forms.texts import local_time, parse_date_time, with_offset
from servicejs.forms.values import Leaf


def one(schema: dict[str, Any], *, required: bool = False, **given: Any) -> Form:
    """Make a form with the one parameter `a`."""
    return Form(function({"a": schema}, ("a",) if required else ()), given)


def filled(schema: dict[str, Any], text: str, *, required: bool = False) -> tuple[dict[str, Any] | None, str]:
    """Type a text into the parameter `a` and submit: the arguments, and the code of the problem."""
    form = one(schema, required=required)
    form.set_text(("a",), text)
    arguments = form.submit()
    return arguments, form.problems[("a",)].code if form.problems else ""


STRING = {"type": "string"}
NUMBER = {"type": "number"}
INTEGER = {"type": "number", "multipleOf": 1}


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (STRING, " as typed ", " as typed "),
        (STRING, "5", "5"),
        (NUMBER, "12.5", 12.5),
        (NUMBER, " -3 ", -3),
        (NUMBER, "\u22123", -3),
        (NUMBER, "1e3", 1000.0),
        (INTEGER, "7", 7),
        (INTEGER, "7.0", 7),
        ({"type": "boolean"}, "false", False),
        ({"type": "number", "enum": [1, 2]}, "2", 2),
        ({"type": "object", "properties": {}}, '{"b": [1, null]}', {"b": [1, None]}),
        ({"type": "array"}, "[1]", [1]),
        ({"type": "string", "format": "email"}, "ada@example.com", "ada@example.com"),
        ({"type": "string", "format": "date"}, "2024-02-29", "2024-02-29"),
        ({"type": "string", "format": "date-time"}, "2026-01-31T09:30", "2026-01-31T09:30:00+01:00"),
        ({"type": "string", "format": "date-time"}, "2026-07-31T09:30", "2026-07-31T09:30:00+02:00"),
        ({"type": "string", "format": "time"}, "09:30", "09:30"),
        ({"type": "string", "format": "time"}, "23:59:59", "23:59:59"),
        ({"type": "string", "pattern": "^a+$"}, "aa", "aa"),
        ({"type": "string", "pattern": "(?<broken"}, "left to the service", "left to the service"),
        ({"type": "number", "multipleOf": 0.1}, "0.3", 0.3),
        ({"type": "string", "x": None, "minimum": "no number"}, "schema with nonsense", "schema with nonsense"),
    ],
)
def test_typed_text_becomes_a_value(schema: dict[str, Any], text: str, value: Any) -> None:
    """A text is read as its parameter's type."""
    arguments, problem = filled(schema, text)

    assert ("", {"a": value}) == (problem, arguments)
    assert arguments is not None
    assert type(value) is type(arguments["a"])


@pytest.mark.parametrize(
    ("schema", "text", "code"),
    [
        (NUMBER, "twelve", "type"),
        (NUMBER, "1,00", "type"),
        (NUMBER, "1e999", "type"),
        (NUMBER, "三", "type"),
        (INTEGER, "1.5", "type"),
        ({"type": "number", "minimum": 1}, "0", "format"),
        ({"type": "number", "maximum": 1}, "2", "format"),
        ({"type": "number", "exclusiveMinimum": 1}, "1", "format"),
        ({"type": "number", "multipleOf": 0.1}, "0.35", "format"),
        ({"type": "string", "enum": ["a"]}, "b", "enum"),
        ({"type": "string", "format": "email"}, "ada", "format"),
        ({"type": "string", "format": "uri"}, "example.com", "format"),
        ({"type": "string", "format": "date"}, "2025-02-29", "format"),
        ({"type": "string", "format": "date"}, "20250228", "format"),
        ({"type": "string", "format": "date-time"}, "tomorrow", "format"),
        ({"type": "string", "format": "time"}, "24:00", "format"),
        ({"type": "string", "format": "time"}, "9:30", "format"),
        ({"type": "string", "format": "time"}, "09:30Z", "format"),
        ({"type": "string", "pattern": "^a+$"}, "b", "format"),
        ({"type": "string", "minLength": 3}, "ab", "format"),
        ({"type": "string", "maxLength": 1}, "ab", "format"),
        ({"type": "object", "properties": {}}, "[]", "type"),
        ({"type": "object", "properties": {}}, "{", "type"),
        ({"type": "object", "properties": {}}, '{"a": NaN}', "type"),
    ],
)
def test_wrong_text_is_refused_and_kept(schema: dict[str, Any], text: str, code: str) -> None:
    """A text that breaks a rule is a problem at its field and stays as typed."""
    form = one(schema)
    form.set_text(("a",), text)

    assert form.submit() is None
    assert code == form.problems[("a",)].code
    node = form.node(("a",))
    assert isinstance(node, Leaf)
    assert text == node.text


@pytest.mark.parametrize("schema", [STRING, NUMBER, {"type": "boolean"}, {"type": "array", "items": STRING}])
def test_empty_optional_values_are_absent(schema: dict[str, Any]) -> None:
    """What is left empty, or emptied, is not sent: no empty text, no false, no empty list by accident."""
    form = one(schema, a={"boolean": True, "array": [""]}.get(schema["type"], ""))
    form.set_text(("a",), "")

    assert {} == form.submit()


@pytest.mark.parametrize("schema", [STRING, NUMBER, {"type": "object", "properties": {}}])
def test_empty_required_values_are_asked_for(schema: dict[str, Any]) -> None:
    """A required value that is missing is a problem once the form is submitted, not before."""
    form = one(schema, required=True)

    assert {} == form.problems
    assert form.submit() is None
    assert "required" == form.problems[("a",)].code


def test_required_truth_value_is_never_missing() -> None:
    """An unchecked box where Yes or No has to be said means No."""
    assert {"a": False} == one({"type": "boolean"}, required=True).submit()


def test_defaults_fill_required_parameters_only() -> None:
    """A required parameter starts with its default; an optional one is left to the service."""
    schema = {"type": "number", "default": 20}

    assert {"a": 20} == one(schema, required=True).submit()
    assert {} == one(schema).submit()
    assert {"a": 0} == one(schema, required=True, a=0).submit()
    assert "If left empty: 20." == form_view(one(schema)).fields[0].hint


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (STRING, ["a"]),
        (STRING, True),
        (NUMBER, {"b": 1}),
        (NUMBER, "soon"),
        ({"type": "boolean"}, "maybe"),
        ({"type": "array", "items": STRING}, "a"),
        ({"type": "array", "items": NUMBER}, ["a"]),
        ({"type": "object", "properties": {"b": STRING}}, "text"),
        ({"type": "object", "properties": {"b": {"type": "boolean"}}}, {"b": 3}),
    ],
)
def test_given_values_of_the_wrong_type_are_shown(schema: dict[str, Any], value: Any) -> None:
    """A prefilled value that doesn't fit is a problem from the start, is shown, and is not sent."""
    form = one(schema, a=value)
    shown = repr(form_view(form))

    assert form.problems
    assert form.submit() is None
    assert str(value if isinstance(value, str | bool) else next(iter(value))).lower() in shown.lower()


def test_misfits_go_when_replaced_or_discarded() -> None:
    """The user can type over a value that doesn't fit, or remove it."""
    form = Form(function({"a": STRING, "b": {"type": "array", "items": STRING}}), {"a": [1], "b": "x", "c": 1})
    form.set_text(("a",), "text")
    form.discard(("b",))
    form.discard(("c",))

    assert {"a": "text"} == form.submit()


def test_unknown_parameters_are_a_problem_but_the_cursor_is_not() -> None:
    """What the function doesn't take has to be removed; a page cursor travels along unseen."""
    form = Form(function({"a": STRING}, paginated=True), {"a": "x", "next_page": "p2", "zzz": 1})

    assert "unknown_parameter" == form.problems[("zzz",)].code
    form.discard(("zzz",))
    assert {"a": "x", "next_page": "p2"} == form.submit()
    assert ["a"] == [view.path for view in form_view(form).fields]


def test_optional_object_asks_for_its_members_once_it_is_begun() -> None:
    """Required members of an optional object only count when something in it is filled in."""
    schema = {"type": "object", "properties": {"b": STRING, "c": STRING}, "required": ["b"]}
    form = one(schema)

    assert {} == form.submit()
    form.set_text(("a", "c"), "x")
    assert form.submit() is None
    assert "required" == form.problems[("a", "b")].code


def test_rows_are_added_removed_and_left_out_when_blank() -> None:
    """Blank rows are not sent, and problems stay with the rows they belong to."""
    form = one({"type": "array", "items": NUMBER, "maxItems": 2}, a=[1])
    assert ("a", 1) == form.add_row(("a",))
    assert ("a", 2) == form.add_row(("a",))
    form.set_text(("a", 2), "x")

    assert form.submit() is None
    assert [("a", 1)] == list(form.problems)
    form.remove_row(("a", 0))
    assert {} == form.problems
    form.set_text(("a", 0), "7")
    assert {"a": [7]} == form.submit()


def test_a_required_list_begins_with_an_entry() -> None:
    """Where something must be there is something to fill in; left blank it isn't sent, and makes nothing of its own."""
    schema = {"type": "array", "items": {"type": "string"}}
    required, optional = one(schema, required=True), one(schema)
    around = one({"type": "object", "required": ["b"], "properties": {"b": schema}})
    required.set_text(("a", 0), "first")

    assert {"a": ["first"]} == required.submit()
    assert {"a": []} == one(schema, required=True).submit()
    with pytest.raises(LookupError):
        optional.node(("a", 0))
    assert {} == around.submit()


def test_row_ids_stay_when_rows_before_them_go() -> None:
    """Removing a row renames no other, so that the page keeps focus where it is."""
    form = one({"type": "array", "items": STRING}, a=["x", "y"])
    before = form_view(form).fields[0].members[1].id
    form.remove_row(("a", 0))
    form.add_row(("a",))
    after = [member.id for member in form_view(form).fields[0].members]

    assert before == after[0]
    assert before != after[1]


def test_too_long_lists_become_text() -> None:
    """A list nobody would edit row by row is JSON text, and survives."""
    form = one({"type": "array", "items": NUMBER}, a=list(range(500)))

    assert "textarea" == form_view(form).fields[0].control
    assert {"a": list(range(500))} == form.submit()


def test_counts_of_a_list_are_checked() -> None:
    """Too few or too many entries are a problem of the list."""
    schema = {"type": "array", "items": STRING, "minItems": 1, "maxItems": 1}

    assert one(schema, required=True).submit() is None
    assert one(schema, a=["x", "y"]).submit() is None
    assert {"a": ["x"]} == one(schema, a=["x"]).submit()


def test_problems_are_looked_at_again_while_they_are_put_right() -> None:
    """A field with a problem loses it as soon as its value is right."""
    form = one(NUMBER, required=True)
    form.submit()
    form.set_text(("a",), "x")
    assert "type" == form.problems[("a",)].code
    form.set_text(("a",), "1")

    assert {} == form.problems


def test_details_of_the_service_are_shown_at_their_fields() -> None:
    """What the service names is shown at the field, the rest above the form."""
    form = Form(EVERY_CONTROL, EVERYTHING)
    form.show_details(
        [
            ErrorDetail(field="lines[1].item", code="enum", message="No such item."),
            ErrorDetail(field="address.city", code="required", message="A city, please."),
            ErrorDetail(field="nowhere", code="type", message="Odd."),
            ErrorDetail(code="app_unreachable", message="The app is away."),
        ]
    )
    view = form_view(form)

    assert ["Address, City", "Lines 2, Item"] == [problem.title for problem in view.problems]
    assert ("nowhere: Odd.", "The app is away.") == view.general
    assert ("address", "city") == form.first_problem()


def test_summary_says_values_in_words() -> None:
    """Before something that can't be undone, the chosen words are shown, not the values behind them."""
    lines = [(line.depth, line.title, line.words) for line in summary(Form(EVERY_CONTROL, EVERYTHING))]

    assert (0, "Priority", "High") in lines
    assert (0, "Starts at", "31 Mar 2026, 11:30") in lines
    assert (0, "Public", "Yes") in lines
    assert [(0, "Lines", ""), (1, "Lines 1", ""), (2, "Item", "Tea"), (2, "Count", "2")] == lines[-7:-3]


def test_controls_show_texts_they_would_swallow_as_text() -> None:
    """A browser shows nothing for a day it can't read, so that such a text gets a plain field."""
    wrong = form_view(one({"type": "string", "format": "date"}, a="soon")).fields[0]
    right = form_view(one({"type": "string", "format": "date"}, a="2026-03-31")).fields[0]
    lines = form_view(one(STRING, a="two\nlines")).fields[0]

    assert ("text", "soon") == (wrong.input_type, wrong.value)
    assert "date" == right.input_type
    assert "textarea" == lines.control


def test_meta_decides_words_and_widgets() -> None:
    """Titles, placeholders and several lines come from meta."""
    meta = {"a": FieldMeta(title="Body text", widget="textarea", placeholder="Dear …")}
    view = form_view(Form(function({"a": STRING}, fields=meta), {})).fields[0]

    assert ("Body text", "textarea", "Dear …") == (view.title, view.control, view.placeholder)


def test_many_optional_fields_are_folded_until_filled() -> None:
    """More than seven optional fields are folded away, and open when one of them is filled or wrong."""
    properties = {name: dict(NUMBER) for name in "abcdefghi"}
    closed = form_view(Form(function(properties, ("a",)), {}))
    opened = form_view(Form(function(properties, ("a",)), {"h": 1}))
    wrong = Form(function(properties, ("a",)), {"h": "x"})

    assert (["a"], 8, False) == ([view.path for view in closed.fields], len(closed.folded), closed.folded_open)
    assert opened.folded_open
    assert form_view(wrong).folded_open
    assert form_view(Form(function(properties, ("a",)), {}), unfolded=True).folded_open


@given(st.lists(st.text(min_size=1, max_size=3) | st.integers(0, 3), max_size=4).map(tuple))
def test_paths_can_be_found_again(path: tuple[str | int, ...]) -> None:
    """Different paths are written differently, in ids and in texts, whatever the names are."""
    others = {path[:-1], (*path, 0), (*path, "0"), (*path, "row0"), tuple(str(step) for step in path)} - {path}

    assert path_text(path) not in {path_text(other) for other in others}
    assert element_id(path) not in {element_id((*path, "x")), element_id((*path, "."))}


@given(st.datetimes(timezones=st.just(None)))
def test_moments_keep_their_time(moment: Any) -> None:
    """A moment typed in the user's zone is shown again as it was typed, where the clock knows it."""
    typed = moment.replace(second=0, microsecond=0, fold=0).isoformat(timespec="minutes")
    full = with_offset(typed, None)

    parsed = parse_date_time(full)
    assert parsed is not None
    if parsed.tzinfo is not None and parsed.astimezone().replace(tzinfo=None) == parsed.replace(tzinfo=None):
        assert typed == local_time(full, None)


def test_any_schema_gives_a_form() -> None:
    """Schemas the contract doesn't know are edited as JSON instead of failing."""
    odd: dict[str, Any] = {"a": None, "b": {"type": ["string", "null"]}, "c": {}, "d": {"type": "array", "items": 3}}
    form = Form(function(odd, ("a",)), {"a": {"x": 1}, "b": None, "c": 0, "d": [1]})

    assert {"a": {"x": 1}, "c": 0, "d": [1]} == form.submit()
