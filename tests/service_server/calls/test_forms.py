"""Arguments as a form: each text is read by its parameter's schema, and what can't be read is told at its field."""

from typing import Any

import pytest

from service_client.models import Action, Code
from service_server.invoke.form_values import read_form

SCHEMA: dict[str, Any] = {
    "properties": {
        "text": {"type": "string"},
        "any": {},
        "count": {"type": "number"},
        "flag": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "counts": {"type": "array", "items": {"type": "number"}},
        "things": {"type": "array"},
        "places": {"type": "array", "items": {"type": "object"}},
        "place": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "zip": {"type": "number"},
                "lots": {"type": "array", "items": {"type": "number"}},
                "deep": {"type": "object", "properties": {"floor": {"type": "number"}}},
            },
        },
    }
}


@pytest.mark.parametrize(
    ("pairs", "values"),
    [
        ([], {}),
        ([("text", "1")], {"text": "1"}),
        ([("text", "")], {"text": ""}),
        ([("any", "true"), ("unknown", "2")], {"any": "true", "unknown": "2"}),
        ([("count", "5")], {"count": 5}),
        ([("count", " +0.50 ")], {"count": 0.5}),
        ([("count", "-12e+2")], {"count": -1200.0}),
        ([("count", "0")], {"count": 0}),
        *(([("flag", text)], {"flag": True}) for text in ("true", "TRUE", "1")),
        *(([("flag", text)], {"flag": False}) for text in ("false", "False", "0")),
        ([("tags", "a"), ("tags", "b")], {"tags": ["a", "b"]}),
        ([("tags[]", "a"), ("text", "t"), ("tags[]", "b")], {"tags": ["a", "b"], "text": "t"}),
        ([("tags", ' ["a", "b"]')], {"tags": ["a", "b"]}),
        ([("tags", '["a"]'), ("tags", "b")], {"tags": ['["a"]', "b"]}),
        ([("counts", "1"), ("counts", "2.5")], {"counts": [1, 2.5]}),
        ([("things", "1")], {"things": ["1"]}),
        ([("places", '{"city": "Bonn"}'), ("places", "{}")], {"places": [{"city": "Bonn"}, {}]}),
        ([("place", '{"city": "Bonn"}')], {"place": {"city": "Bonn"}}),
        ([("place[city]", "Bonn"), ("place[zip]", "5")], {"place": {"city": "Bonn", "zip": 5}}),
        ([("place[deep][floor]", "3")], {"place": {"deep": {"floor": 3}}}),
        ([("place[lots]", "1"), ("place[lots][]", "2")], {"place": {"lots": [1, 2]}}),
        ([("place[new]", "x")], {"place": {"new": "x"}}),
    ],
)
def test_what_a_form_means(pairs: list[tuple[str, str]], values: dict[str, Any]) -> None:
    """Numbers, booleans, lists and objects come out as such; a parameter that nobody described stays a text."""
    read, problems = read_form(pairs, SCHEMA)

    assert [] == problems
    assert values == read
    assert [type(each) for each in values.values()] == [type(read[name]) for name in values]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        *(([("count", text)], "count must be a number") for text in ("", "x", "01", "1.", ".5", "1e", "0x1", "NaN")),
        ([("flag", "yes")], "flag must be true or false"),
        ([("text", "a"), ("text", "b")], "text is given more than once"),
        ([("counts", "1"), ("counts", "x")], "counts must be a number"),
        ([("tags", "[1")], "tags is not valid JSON"),
        ([("place", "Bonn")], "place is not valid JSON"),
        ([("place", "[1]")], "place must be an object, as name[key]=value or one JSON object"),
        ([("place", "{}"), ("place", "{}")], "place must be an object, as name[key]=value or one JSON object"),
        ([("place", "{}"), ("place[city]", "Bonn")], "place must be an object"),
        ([("place[zip]", "x")], "place zip: zip must be a number"),
        ([("text[a]", "x")], "text must be a string"),
        ([("any[a]", "x")], "any must be a string"),
        ([("unknown[a]", "x")], "unknown must be a string"),
        ([("tags[a]", "x")], "tags must be an array"),
        ([("flag[a]", "x")], "flag must be a boolean"),
    ],
)
def test_what_can_not_be_read_is_told_at_its_field(pairs: list[tuple[str, str]], message: str) -> None:
    """It is a wrong type, to be mended there, and no value is made up for it; the others are read."""
    values, (problem,) = read_form([*pairs, ("other", "read")], SCHEMA)

    assert {"other": "read"} == values
    assert message == problem.message
    assert pairs[0][0].partition("[")[0] == problem.field
    assert (Code.TYPE, Action.FIX_FIELD) == (problem.code, problem.action)


@pytest.mark.parametrize("key", ["", "[a]", "a[", "a]", "a[b", "a[b]c", "a[[b]]"])
def test_what_is_no_name(key: str) -> None:
    """It is told as it came."""
    values, (problem,) = read_form([(key, "x"), ("other", "read")], SCHEMA)

    assert {"other": "read"} == values
    assert (key, f"{key} is not a parameter name") == (problem.field, problem.message)


def test_all_problems_are_told() -> None:
    """One does not hide the next, whatever kind it is."""
    values, problems = read_form([("a[", "1"), ("count", "x"), ("flag", "x"), ("text", "t")], SCHEMA)

    assert {"text": "t"} == values
    assert ["a[", "count", "flag"] == [each.field for each in problems]


def test_a_long_name_is_no_parameter_and_is_not_repeated_whole() -> None:
    """A name may have a thousand characters; of a longer one an answer shows the beginning."""
    longest, longer = "a" * 1000, "a" * 1001
    values, (problem,) = read_form([(longest, "1"), (longer, "2")], {})

    assert {longest: "1"} == values
    assert ("a" * 200, f"{'a' * 200} is not a parameter name") == (problem.field, problem.message)


@pytest.mark.parametrize("schema", [{}, {"properties": None}])
def test_without_a_description_all_are_texts(schema: dict[str, Any]) -> None:
    """An open object's schema may name no fields at all."""
    assert ({"a": "1", "b": "true"}, []) == read_form([("a", "1"), ("b", "true")], schema)
