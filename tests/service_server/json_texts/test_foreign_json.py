"""JSON of others is read up to limits that keep the time for it short."""

import json

import pytest

from service_server.json_texts.foreign import MAX_DEPTH, MAX_VALUES, TooManyValues, read_json


@pytest.mark.parametrize("one", ["[]", "{}", "1", '"a"', '"a,b[{"', '"\\""', '"\\\\"'])
def test_as_many_values_as_allowed_and_one_more(one: str) -> None:
    """Commas and brackets in texts are no values."""
    assert [json.loads(one)] * (MAX_VALUES // 3) == read_json(f"[{','.join([one] * (MAX_VALUES // 3))}]")
    with pytest.raises(TooManyValues):
        read_json(f"[{','.join([one] * (MAX_VALUES + 1))}]")


def test_commas_within_texts_count_for_nothing() -> None:
    """A table as text is one value, and many sentences have more commas than values are allowed."""
    table, texts = '1,2,[{\\"' * MAX_VALUES, ["one, two, three, four, five"] * (MAX_VALUES // 2)

    assert {"table": table} == read_json(json.dumps({"table": table}))
    assert texts == read_json(json.dumps(texts).encode())


def test_without_a_limit() -> None:
    """Who keeps nobody waiting may read any number."""
    assert [1] * (2 * MAX_VALUES) == read_json(json.dumps([1] * (2 * MAX_VALUES)), most_values=None)


def test_depth() -> None:
    """As many levels as allowed, and one more."""
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    with pytest.raises(ValueError, match="deep"):
        read_json("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
