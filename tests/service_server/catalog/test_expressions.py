"""The `${…}` expressions of connector files."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service_server.catalog.expressions import (
    ABSENT,
    ExpressionError,
    InvalidRequest,
    filled,
    filled_text,
    parse_path,
    parse_text,
    stringify,
)

CONTEXT: dict[str, Any] = {
    "args": {
        "name": "Ada",
        "count": 3,
        "ratio": 2.5,
        "whole": 4.0,
        "on": False,
        "tags": ["a"],
        "more": {"x": 1, "name": "no"},
        "empty": {},
    },
    "body": {"items": [{"id": 7}], "nothing": None},
    "header": {"next-page": "/2"},
    "status": 200,
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("${args.count}", 3),
        ("${args.on}", False),
        ("${args.tags}", ["a"]),
        ("${args.more}", {"x": 1, "name": "no"}),
        ("${args.name}!", "Ada!"),
        ("${args.count}/${args.ratio}/${args.whole}/${args.on}", "3/2.5/4/false"),
        ("${args.missing?}", ABSENT),
        ("before ${args.missing?}", ABSENT),
        ("${body.items.0.id}", 7),
        ("${body.items.1.id?}", ABSENT),
        ("${body.items.-1.id}", 7),
        ("${body.items.-2.id?}", ABSENT),
        ("${body.nothing?}", ABSENT),
        ("${header.Next-Page}", "/2"),
        ("${status}", 200),
        ("no expression, $5 {x}", "no expression, $5 {x}"),
        ("", ""),
        (5, 5),
        (None, None),
        (["${args.count}", "${args.missing?}", 1], [3, 1]),
        ({"a": {"b": "${args.name}"}, "c": "${args.missing?}"}, {"a": {"b": "Ada"}}),
        # An object or list inside another whose values are all absent goes with them; what was empty before stays.
        ({"start": {"at": "${args.missing?}", "in": {"zone": "${args.missing?}"}}, "name": "n"}, {"name": "n"}),
        ({"start": {"at": "${args.missing?}", "zone": "UTC"}}, {"start": {"zone": "UTC"}}),
        ({"to": [{"email": "${args.missing?}"}, "${args.missing?}"]}, {}),
        ({"start": {"...": "${args.missing?}"}}, {}),
        ({"start": {"...": "${args.empty}"}}, {"start": {}}),
        ({"start": {}, "to": []}, {"start": {}, "to": []}),
        ({"start": {"...": {}, "at": "${args.missing?}"}}, {"start": {}}),
        ({"start": "${args.missing?}"}, {}),
        (["${args.missing?}"], []),
    ],
)
def test_value_of_a_template(template: object, expected: object) -> None:
    """A whole expression keeps the value's type, one inside a text is written out, an absent one drops its key."""
    assert expected == filled(template, CONTEXT)


def test_spread_adds_the_keys_of_an_object_but_replaces_none() -> None:
    """`...` spreads an object; what the connector names itself can't be replaced by it."""
    template = {"name": "${args.name}", "...": "${args.more?}", "also": 1}

    assert {"name": "Ada", "x": 1, "also": 1} == filled(template, CONTEXT)
    assert {"name": "Ada", "also": 1} == filled(template, {"args": {"name": "Ada"}})


def test_keys_are_expressions_too() -> None:
    """A key that an argument names is left out with its value, and never replaces one that the connector fixed."""
    template = {"fixed": 1, "${args.name?}": "${args.value?}", "a_${args.name?}": 2}

    assert {"fixed": 1, "colour": "red", "a_colour": 2} == filled(
        template, {"args": {"name": "colour", "value": "red"}}
    )
    assert {"fixed": 1, "a_colour": 2} == filled(template, {"args": {"name": "colour"}})
    assert {"fixed": 1} == filled(template, {"args": {}})
    assert {"fixed": 1, "a_fixed": 2} == filled(template, {"args": {"name": "fixed", "value": "red"}})
    assert {"...": {"a": 1}, "fixed": 1, "a_...": 2} == filled(template, {"args": {"name": "...", "value": {"a": 1}}})


def test_what_is_missing_is_named() -> None:
    """A value that has to be there and isn't, or a list in a text, makes no request; an argument at fault is named."""
    with pytest.raises(InvalidRequest) as argument:
        filled("${args.missing}", CONTEXT)
    with pytest.raises(InvalidRequest) as variable:
        filled("${vars.server}", CONTEXT)

    assert ("missing", None) == (argument.value.field, variable.value.field)
    assert "vars.server" in variable.value.message
    with pytest.raises(InvalidRequest, match="inside a text"):
        filled("tags: ${args.tags}", CONTEXT)


@pytest.mark.parametrize(
    "template",
    [
        "${}",
        "${args.}",
        "${.name}",
        "${args name}",
        "${env.HOME}",
        "${args.name",
        "${args.a-b!}",
        "${args..a}",
        "${{args}}",
    ],
)
def test_what_is_no_expression_is_refused(template: str) -> None:
    """Anything but a dotted path over the known roots is an error at load."""
    with pytest.raises(ExpressionError):
        parse_text(template)


def test_text_is_always_text() -> None:
    """A text template gives text whatever the type of its values; a reference shows as its dotted path, in messages."""
    assert "3" == filled_text("${args.count}", CONTEXT)
    assert "" == filled_text("${args.missing?}", CONTEXT)
    assert "args.a.b" == str(parse_path("args.a.b?"))


@given(st.text())
@example("${vars.secret}")
def test_values_are_never_read_as_templates(value: str) -> None:
    """A value that looks like an expression stays text, in an object too: nothing is expanded twice."""
    context = {"args": {"x": value, "more": {value: [value]}}, "vars": {"secret": "s"}}
    template = ["[${args.x}]", "${args.x}", "${args.more}"]

    assert [f"[{value}]", value, {value: [value]}] == filled(template, context)


@given(st.text())
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """Parsing ends with parts that make up the text again, or with an error of its own kind."""
    try:
        parts = parse_text(text)
    except ExpressionError:
        return
    if all(isinstance(part, str) for part in parts):
        assert text == "".join(map(str, parts))


@given(st.integers() | st.booleans() | st.text() | st.floats(allow_nan=False, allow_infinity=False))
def test_scalars_are_written_as_json_writes_them(value: Any) -> None:
    """Numbers keep their value when written out, and truth values are spelled as in JSON."""
    text = stringify(value)

    assert value == (text if isinstance(value, str) else json.loads(text))
    assert not isinstance(value, bool) or text in ("true", "false")
