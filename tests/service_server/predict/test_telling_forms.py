"""Forms of values that speak for the apps that have such things."""

import pytest

from service_server.predict.candidate import Candidate
from service_server.predict.mentions import find_addresses
from service_server.predict.telling_forms import forms_in, forms_taken
from tests.service_server.predict.catalogue import array, function, text


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("tell #ops about acme/web", {"channel", "slug"}),
        ("SHOP-88 goes to In Review.", {"key "}),
        ("send INV-0277 again", {"serial number "}),
        ("is ch_3NxyzA1b paid? (cus_9s6XK)", {"prefix ch_"}),
        ("hold SM0c9d8e7f6a5b4c3d2e1f00112233aabb back", {"hexadecimal SM"}),
        ("leave !noise:chat.example, too much chatter", {"address !"}),
        ("clear Hours!E2:E31", {"cells "}),
        ("the non-stop snake_case at 10:30 is well_known, re: A-team", set()),
        ("", set()),
    ],
)
def test_forms_are_recognised(text: str, forms: set[str]) -> None:
    """What has the form of an app's id is found between words and punctuation; words and times have none."""
    assert forms_in(text, find_addresses(text)) == forms


def test_a_function_takes_what_is_shown_for_its_arguments() -> None:
    """Names, descriptions and examples' values tell which forms a function takes."""
    move = function(
        "chat-move",
        "Move SM0c9d8e7f6a5b4c3d2e1f00112233aabb.",
        (),
        channel={"type": "string"},
        room=text("Such as !abc:example.com."),
        issue=text("Its key, such as WEB-12."),
        others=array(),
    )
    examples = (("move both", {"others": [{"id": "ch_3NxyzA1b"}], "note": "ch_3NxyzA1b and in_3NxyzA1b"}),)
    candidate = Candidate(function=move, title="Move", app_name="chat", app_title="Chat", examples=examples)

    assert forms_taken(candidate) == {"channel", "address !", "key ", "prefix ch_"}
