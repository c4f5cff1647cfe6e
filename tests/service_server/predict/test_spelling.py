"""Words typed in haste are known, and no name is changed."""

import pytest

from service_server.predict.spelling import Spelling
from service_server.predict.words import spelled_out

SPELLING = Spelling(["List the locations of a spreadsheet", "Post a message", "Cancel a trail or a trial"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("what locatoins do we have", "what locations do we have"),
        ("the spreadhseet", "the spreadsheet"),
        ("a messsage", "a message"),
        ("a mesage, please", "a message, please"),
        ("a massage", "a massage"),
        ("can yuo psot it", "can you post it"),
        ("a filed is filled", "a filed is filled"),
        ("Locatoins of locatoins.example", "Locatoins of locatoins.example"),
        ("#locatoins and locatoins-old", "#locatoins and locatoins-old"),
        ("the trail", "the trail"),
        ("", ""),
    ],
)
def test_slips_are_mended(typed: str, meant: str) -> None:
    """Letters that changed places or were doubled; other words, names and addresses stay as they are."""
    assert meant == SPELLING.mended(typed)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("send the quote on to ana@example.com", "forward the quote to ana@example.com"),
        ("can you pass it along to Ana", "can you forward it to Ana"),
        ("send Ana the quote to sign on Monday", "send Ana the quote to sign on Monday"),
        ("review PR 88 and !12", "review pull request 88 and merge request 12"),
    ],
)
def test_short_forms_and_sayings_are_spelled_out(said: str, meant: str) -> None:
    """In the words that functions are described with."""
    assert meant == spelled_out(said)
