"""What is picked out of answers."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.catalog.output import compile_output, listed
from tests.service_server.catalog.connector_folder import function_with

pytestmark = pytest.mark.slow

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"data": [1]}, [1]),
        ({"data": []}, []),
        ({"data": None}, {"data": None}),
        ({"other": 1}, {"other": 1}),
        (["no object"], ["no object"]),
        ("text", "text"),
        (None, None),
    ],
)
def test_pick(body: Any, expected: Any, tmp_path: Path) -> None:
    """The named part is relayed, also when it is empty; the whole body where the part isn't there."""
    functions = function_with(output="data").loaded(tmp_path).functions

    assert expected == functions["acme-find"].pick(body)
    assert body == functions["acme-passthrough-request"].pick(body)


def test_rows_can_be_reshaped() -> None:
    """JMESPath makes rows out of what an app nests."""
    pick = compile_output("[].{login: owner.login}")

    assert [{"login": "a"}, {"login": None}] == pick([{"owner": {"login": "a"}}, {}])


@pytest.mark.parametrize(
    ("expression", "body", "expected"),
    [
        ("a[?kind == 'x']", {"a": [{"kind": "y"}, {"kind": "x"}]}, 2),
        ("a.b[?c].{id: id} | [?id]", {"a": {"b": [{}, {"c": 1}, {"id": 2}]}}, 3),
        ("[?a]", [1, 2], 2),
        ("a[].name", {"a": [{}, {"name": "n"}]}, 2),
        ("a[:1]", {"a": [1, 2, 3]}, 3),
        ("a[].b[]", {"a": [{"b": [1, 2]}, {"b": [3, 4]}]}, 2),
        ("a", {"a": [1, 2]}, 2),
        ("keys(@)", {"a": 1, "b": 2, "c": 3}, 3),
        ("values(@) | [?@ > `1`]", {"a": 1, "b": 2}, 2),
        ("b", {"a": [1, 2]}, 0),
        ("keys(@)", [1], 0),
    ],
)
def test_what_an_answer_lists(expression: str, body: Any, expected: int) -> None:
    """What the output leaves out counts, too; where the answer has no list, nothing is counted but the output."""
    picker = compile_output(expression)

    assert expected == len(listed(body, picker, picker(body) or []))


def test_what_an_answer_lists_without_an_expression() -> None:
    """What a hook leaves out of an answer that is a list counts as well."""
    assert [1, 2] == listed([1, 2], None, [1])
    assert [1] == listed({"a": 1}, None, [1])


@pytest.mark.parametrize("expression", ["data[", "nothing_like_it(@)", "", "data | "])
def test_what_is_no_jmespath(expression: str) -> None:
    """A faulty expression is found at load."""
    with pytest.raises(ValueError, match="JMESPath"):
        compile_output(expression)


@pytest.mark.parametrize(
    ("schema", "rows"),
    [
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, [("a", "a", "string", True, [])]),
        ({"properties": {"a": {"type": ["null", "integer"], "title": "A"}}}, [("a", "A", "integer", False, [])]),
        ({"properties": {"a": {"enum": [1, 2]}}}, [("a", "a", "string", False, [1, 2])]),
        ({"properties": {"a": {"type": "string", "format": "date-time"}}}, [("a", "a", "date-time", False, [])]),
        ({"properties": {"a": {"type": "string", "format": "time"}}}, [("a", "a", "time", False, [])]),
        ({"properties": {"a": True}}, []),
        ({"properties": []}, []),
        (
            {"properties": {"a": {"type": [], "title": 5, "enum": "x"}}, "required": "a"},
            [("a", "a", "string", False, [])],
        ),
        ({}, []),
        (None, []),
    ],
)
def test_fields_of_schema(schema: Any, rows: list[tuple[Any, ...]]) -> None:
    """A JSON Schema becomes rows, one a field; what it says oddly or not at all is left plain."""
    picked = compile_output("fields_of_schema(schema)")({"schema": schema})

    assert rows == [tuple(row[key] for key in ("key", "title", "type", "required", "options")) for row in picked]


@given(JSON)
def test_picking_never_fails(body: Any) -> None:
    """Whatever an app answers, picking gives something or nothing but doesn't raise."""
    for expression in ("data", "fields_of_schema(data.schema)", "[].{a: b.c}", "sort_by(items, &name)"):
        compile_output(expression)(body)
