"""What people take back while they speak."""

import pytest

from service_server.predict.corrections import corrected


@pytest.mark.parametrize(
    ("prompt", "meant"),
    [
        ("move SHOP-40, wait no, SHOP-41 to Done", "move SHOP-41 to Done"),
        ("hand it to Delph.. no, I mean Tomasz", "hand it to Tomasz"),
        ("INV-0301? no, INV-0310 is the one", "INV-0310 is the one"),
        ("give four, no, five euros back", "give five euros back"),
        ("book it at 3, sorry, 4pm", "book it at 4pm"),
        ("set it for Monday, oh scratch that, Tuesday", "set it for Tuesday"),
    ],
)
def test_only_what_is_meant_counts(prompt: str, meant: str) -> None:
    """A number or a name goes where another one of its kind is said instead."""
    assert meant == corrected(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        *("ask Ana. No, Tom did it", "is it INV-5? No, thanks", "Hello, no problem", "invite Ana, Tom and Bea"),
        *("no wait, not the costs", "send 5, 6 or 7", "Sorry, Ana, no. Tom", "SHOP-40, no, the other one", ""),
    ],
)
def test_what_is_not_taken_back_stays(prompt: str) -> None:
    """A no to something else takes nothing back."""
    assert prompt == corrected(prompt)
