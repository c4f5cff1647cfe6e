"""What a sum is counted in is read beside its figure."""

import pytest

from service_server.predict.reader.currencies import currency_of, in_percent_or_not, with_currency, with_percent
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import questions_of
from tests.service_server.predict.catalogue import number, text

AMOUNT, CURRENCY, KIND = questions_of(
    {
        "properties": {
            "amount": number("How much it is."),
            "currency": text("The three letters of the currency."),
            "kind": text("Whether that is a percentage.", enum=["percentage", "amount"]),
        }
    }
)


@pytest.mark.parametrize(
    ("expected", "prompt", "words"),
    [
        ("GBP", "£240 in cash", "£240"),
        ("GBP", "£240 in cash", "240"),
        ("EUR", "240 € in cash", "240"),
        ("CHF", "240 CHF in cash", "240"),
        ("USD", "240 dollars in cash", "240"),
        (None, "240 in cash, no euros", "240"),
        (None, "write 240 dollarseed", "240"),
    ],
)
def test_the_currency_stands_beside_the_sum(expected: str | None, prompt: str, words: str) -> None:
    """As a sign, in letters, or as a word; what stands further away is of something else."""
    start = prompt.index(words)
    found = with_currency(CURRENCY, [Filled(AMOUNT, 240, start, start + len(words), 0.9)], prompt)

    assert expected == next((each.value for each in found if each.question == CURRENCY), None)


def test_what_was_said_stays() -> None:
    """The reader's own answer is the surer one."""
    given = [Filled(AMOUNT, 240, 0, 4, 0.9), Filled(CURRENCY, "NOK", 8, 11, 0.9)]

    assert given == with_currency(CURRENCY, given, "$240 in NOK")


def test_a_percentage_is_said() -> None:
    """By its sign or in words, if nothing else was chosen."""
    assert in_percent_or_not([AMOUNT, KIND]) == KIND
    assert ["percentage"] == [each.value for each in with_percent(KIND, [], "MERRY15, 15 percent off")]
    assert [] == with_percent(KIND, [], "MERRY15, 15 euros off")
    chosen = [Filled(KIND, "amount", 0, 0, 0.9)]
    assert chosen == with_percent(KIND, chosen, "15% or 15 euros")


def test_functions_without_it() -> None:
    """They have no such argument, or several."""
    assert currency_of([AMOUNT, KIND]) is None
    assert currency_of([CURRENCY, CURRENCY]) is None
    assert in_percent_or_not([AMOUNT, CURRENCY]) is None
