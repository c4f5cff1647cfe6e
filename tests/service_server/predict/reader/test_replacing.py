"""What is replaced stands before what comes in its place, unless the words say otherwise."""

import pytest

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.replacing import in_order, swap_of

QUESTIONS = questions_of({"properties": {name: {"type": "string"} for name in ("find", "replacement", "document")}})
SWAP = swap_of(QUESTIONS)


@pytest.mark.parametrize(
    ("prompt", "find", "replacement"),
    [
        ("everywhere it says [CLIENT] put Brandl", "[CLIENT]", "Brandl"),
        ("swap every CLIENT for Brandl", "CLIENT", "Brandl"),
        ("write Brandl instead of CLIENT", "CLIENT", "Brandl"),
        ("put Brandl where it says <CLIENT>", "<CLIENT>", "Brandl"),
    ],
)
def test_the_first_is_replaced(prompt: str, find: str, replacement: str) -> None:
    """However the reader took them, and with the brackets around them."""
    assert SWAP is not None
    is_in_order = prompt.index("CLIENT") < prompt.index("Brandl")
    for words in [("CLIENT", "Brandl"), *([("Brandl", "CLIENT")] if is_in_order else [])]:
        values = [
            Filled(question, word, prompt.index(word), prompt.index(word) + len(word), 0.9)
            for question, word in zip(SWAP, words, strict=True)
        ]

        assert [find, replacement] == [value.value for value in in_order(SWAP, values, prompt)]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("in Letter to Bank 1, replace 4,000 EUR with 4,500 EUR", ["4,000 EUR", "4,500 EUR"]),
        ('swap "Room 2" for "Room 2b" all over the sheet', ["Room 2", "Room 2b"]),
        ("replace all Acme with Apex in the document", ["Acme", "Apex"]),
        ("change the wording", []),
    ],
)
def test_both_are_said(prompt: str, expected: list[str]) -> None:
    """Where marks or words tell where each ends, though the reader found neither."""
    assert SWAP is not None

    assert expected == [value.value for value in in_order(SWAP, [], prompt)]


def test_one_alone_stays() -> None:
    """Nobody knows which it is."""
    assert SWAP is not None
    alone = [Filled(SWAP[1], "Brandl", 4, 10, 0.9)]

    assert alone == in_order(SWAP, alone, "put Brandl in it")


def test_other_functions_replace_nothing() -> None:
    """They have one of the two, or neither."""
    assert swap_of(QUESTIONS[:1]) is None
    assert swap_of(QUESTIONS[2:]) is None
