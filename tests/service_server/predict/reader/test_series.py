"""Numbers and lists side by side, for arguments that differ by their place only."""

from typing import Any

import pytest

from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.series import series_in

_NUMBER = {"type": "number"}
_LIST = {"type": "array", "items": {"type": "number"}}


def series(prompt: str, schema: dict[str, Any], *names: str, required: bool = True) -> dict[str, str]:
    """Return the words for each name."""
    parameters = {"properties": dict.fromkeys(names, schema), "required": list(names) if required else []}
    return {path[0]: prompt[slice(*place)] for path, place in series_in(prompt, questions_of(parameters)).items()}


@pytest.mark.parametrize(
    ("prompt", "names", "expected"),
    [
        ("the greatest divisor of 36 and 24", ("number1", "number2"), ("36", "24")),
        ("move it to 2,3,4", ("x", "y", "z"), ("2", "3", "4")),
        ("1.5, -2 and 3", ("a", "b", "c"), ("1.5", "-2", "3")),
        ("notes of 440Hz and 880 Hz", ("first_note_frequency", "second_note_frequency"), ("440", "880")),
        ("5 kg, and 7 kg", ("mass_2", "mass_1"), ("7", "5")),
    ],
)
def test_numbers_in_a_row(prompt: str, names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    """The first number is the first argument's."""
    assert dict(zip(names, expected, strict=True)) == series(prompt, _NUMBER, *names)


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("36, 24 and 12", ("number1", "number2")),
        ("in 2019 and 2020 with 3 and 4", ("a", "b")),
        ("divide 36 and 24, rounded to 2 digits", ("a", "b")),
        ("on 1,000,000 and 5", ("a", "b")),
        ("36 and 24", ("width", "height")),
        ("36 and 24", ("number1", "number3")),
        ("36 and 24", ("number1", "total1")),
        ("thirty-six and more", ("a", "b")),
    ],
)
def test_what_is_no_series_of_these(prompt: str, names: tuple[str, ...]) -> None:
    """Other numbers, another count or other names: then the reader decides."""
    assert {} == series(prompt, _NUMBER, *names)


def test_lists_in_brackets_and_what_is_optional() -> None:
    """Lists are told by their brackets; an argument that may be left out is never filled by its place."""
    assert {"group1": "[3, 4]", "group2": "[7, 8, 9]"} == series("A [3, 4] and B [7, 8, 9]", _LIST, "group1", "group2")
    assert {} == series("A [3, 4] and B [7] and C [8]", _LIST, "group1", "group2")
    assert {} == series("36 and 24", _NUMBER, "a", "b", required=False)
