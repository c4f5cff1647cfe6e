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


def one(schema: dict[str, Any], *, required: bool = False, **given: Any) -> Form:
    """Make a form with the one parameter `a`."""
    return Form(function({"a": schema}, ("a",) if required else ()), given)


def filled(schema: dict[str, Any], text: str) -> tuple[Form, dict[str, Any] | None]:
    """Type a text into the parameter `a` and submit: the form, and the arguments."""
    form = one(schema)
    form.set_text(("a",), text)
    return form, form.submit()


STRING, NUMBER, BOOLEAN = ({"type": kind} for kind in ("string", "number", "boolean"))
LIST = {"type": "array", "items": STRING}
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
        (BOOLEAN, "false", False),
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
    form, arguments = filled(schema, text)

    assert ({}, {"a": value}) == (form.problems, arguments)
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
    form, arguments = filled(schema, text)

    assert (None, code) == (arguments, form.problems[("a",)].code)
    assert text == form.node(("a",)).text


@pytest.mark.parametrize("schema", [STRING, NUMBER, BOOLEAN, LIST, {"type": "object", "properties": {}}])
def test_empty_values_are_absent_or_asked_for(schema: dict[str, Any]) -> None:
    """What is empty is not sent by accident; if required it is a problem at the end, and No where Yes or No is."""
    form = one(schema, a={"boolean": True, "array": [""], "object": {"b": 1}}.get(schema["type"], ""))
    form.set_text(("a",), "")
    assert {} == form.submit()

    form = one(schema, required=True)
    assert {} == form.problems
    if schema["type"] in ("boolean", "array"):
        assert {"a": {"boolean": False, "array": []}[schema["type"]]} == form.submit()
    else:
        assert form.submit() is None
        assert "required" == form.problems[("a",)].code


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
        (BOOLEAN, "maybe"),
        (LIST, "a"),
        ({"type": "array", "items": NUMBER}, ["a"]),
        ({"type": "object", "properties": {"b": STRING}}, "text"),
        ({"type": "object", "properties": {"b": BOOLEAN}}, {"b": 3}),
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
    """The user can type over a value that doesn't fit, or remove it; a page cursor travels along unseen."""
    given = {"a": [1], "b": "x", "c": 1, "next_page": "p2"}
    form = Form(function({"a": STRING, "b": LIST}, paginated=True), given)
    assert "unknown_parameter" == form.problems[("c",)].code
    assert ["a", "b", "c"] == [view.path for view in form_view(form).fields]
    form.set_text(("a",), "text")
    form.discard(("b",))
    form.discard(("c",))

    assert {"a": "text", "next_page": "p2"} == form.submit()


def test_optional_object_asks_for_its_members_once_it_is_begun() -> None:
    """Required members of an optional object only count when something in it is filled in."""
    schema = {"type": "object", "properties": {"b": STRING, "c": STRING}, "required": ["b"]}
    form = one(schema)

    assert {} == form.submit()
    form.set_text(("a", "c"), "x")
    assert form.submit() is None
    assert "required" == form.problems[("a", "b")].code


def test_rows_are_added_removed_and_left_out_when_blank() -> None:
    """Blank rows are not sent, problems stay with their rows until they are put right, and rows are counted."""
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

    for number in (1, 2):
        form.set_text(form.add_row(("a",)), str(number))
    assert form.submit() is None
    assert one(LIST | {"minItems": 1}, required=True).submit() is None


def test_a_required_list_begins_with_an_entry() -> None:
    """Where something must be there is something to fill in; within what is optional it makes nothing of its own."""
    required = one(LIST, required=True)
    required.set_text(("a", 0), "first")
    assert {"a": ["first"]} == required.submit()
    with pytest.raises(LookupError):
        one(LIST).node(("a", 0))
    assert {} == one({"type": "object", "required": ["b"], "properties": {"b": LIST}}).submit()


def test_row_ids_stay_when_rows_before_them_go() -> None:
    """Removing a row renames no other, so that the page keeps focus where it is."""
    form = one(LIST, a=["x", "y"])
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


def test_controls_show_what_they_can() -> None:
    """A day that a browser can't read gets a plain field; meta decides words and widgets."""
    day = {"type": "string", "format": "date"}
    wrong, right, lines = (
        form_view(one(schema, a=value)).fields[0]
        for schema, value in ((day, "soon"), (day, "2026-03-31"), (STRING, "two\nlines"))
    )
    assert ("text", "soon", "date", "textarea") == (wrong.input_type, wrong.value, right.input_type, lines.control)

    meta = {"a": FieldMeta(title="Body text", widget="textarea", placeholder="Dear …")}
    view = form_view(Form(function({"a": STRING}, fields=meta), {})).fields[0]
    assert ("Body text", "textarea", "Dear …") == (view.title, view.control, view.placeholder)


def test_many_optional_fields_are_folded_until_filled() -> None:
    """More than seven optional fields are folded away, and open when one of them is filled or wrong."""
    many = function({name: dict(NUMBER) for name in "abcdefghi"}, ("a",))
    closed = form_view(Form(many, {}))

    assert (["a"], 8, False) == ([view.path for view in closed.fields], len(closed.folded), closed.folded_open)
    for value in (1, "x"):
        assert form_view(Form(many, {"h": value})).folded_open
    assert form_view(Form(many, {}), unfolded=True).folded_open


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
    if parsed.tzinfo is not None and parsed.astimezone().replace(tzinfo=None) == parsed.replace(tzinfo=None):
        assert typed == local_time(full, None)


def test_any_schema_gives_a_form() -> None:
    """Schemas the contract doesn't know are edited as JSON instead of failing."""
    odd: dict[str, Any] = {"a": None, "b": {"type": ["string", "null"]}, "c": {}, "d": {"type": "array", "items": 3}}
    form = Form(function(odd, ("a",)), {"a": {"x": 1}, "b": None, "c": 0, "d": [1]})

    assert {"a": {"x": 1}, "c": 0, "d": [1]} == form.submit()
