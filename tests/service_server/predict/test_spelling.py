"""Words typed in haste are known, and no name is changed."""

import pytest

from service_server.predict.spelling import Spelling

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
