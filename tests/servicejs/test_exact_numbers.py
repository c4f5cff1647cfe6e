"""Whole numbers beyond what JavaScript can count to: an id that is rounded would be another thing's."""

import json
from typing import Any

import pytest

from servicejs.exact_numbers import json_for_page

from .conftest import Sdk

LARGE = 2**53 + 1
"""JavaScript reads it as 2**53."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2**53 - 1, 2**53 - 1),
        (1 - 2**53, 1 - 2**53),
        (2**53, "9007199254740992"),
        (-LARGE, "-9007199254740993"),
        ([{"ids": [LARGE, 7, True]}], [{"ids": ["9007199254740993", 7, True]}]),
        (1e300, 1e300),
        ("9007199254740993", "9007199254740993"),
    ],
)
def test_only_what_would_be_rounded_becomes_text(value: Any, expected: Any) -> None:
    """Whole numbers up to the largest safe one, others, and texts stay as they are."""
    assert {"result": expected} == json.loads(json_for_page({"result": value}))


async def test_ids_come_back_as_they_were_given(sdk: Sdk) -> None:
    """What one function lists, another gets as the very number, in an object or a list too; the page sees digits."""
    sdk.service.connect("desk", "one")

    @sdk.service.function("desk-list-archives")
    def list_archives(arguments: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"id": LARGE}, {"id": LARGE + 1}]

    @sdk.service.function("desk-erase-archive", properties={"id": {"type": "number"}, "reason": {"type": "string"}})
    def erase_archive(arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    await sdk.start()
    listed = await sdk.call("invokeFunction", functionName="desk-list-archives", params={})
    ids = [each["id"] for each in listed["output"]]
    assert [str(LARGE), str(LARGE + 1)] == ids

    params = {"id": ids[0], "reason": str(LARGE)}
    erased = await sdk.call("invokeFunction", functionName="desk-erase-archive", params=params)

    assert params == erased["output"]
    assert {"id": LARGE, "reason": str(LARGE)} == sdk.service.calls[-1].arguments


async def test_other_texts_are_no_numbers(sdk: Sdk) -> None:
    """Where a number is wanted, a text that the page has surely not made of one is refused once and for all."""
    sdk.service.connect("desk", "one")

    @sdk.service.function("desk-erase-archive", properties={"id": {"type": "number"}})
    def erase_archive(arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    await sdk.start()
    for text in ("12", "12345678901234", f"{LARGE}x", ""):
        refused = await sdk.call("invokeFunction", functionName="desk-erase-archive", params={"id": text})
        assert [("id", "type")] == [(each["field"], each["code"]) for each in refused["error_details"]]

    assert [] == sdk.service.calls
