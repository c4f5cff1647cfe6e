"""What is merged into what: the other way round can't be undone."""

import pytest

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.merging import merged_of, with_merged
from service_server.predict.reader.questions import questions_of

TICKETS = questions_of(
    {
        "properties": {
            "ticket": {"type": "number", "multipleOf": 1},
            "others": {"type": "array", "items": {"type": "number", "multipleOf": 1}},
            "note": {"type": "string"},
        },
        "required": ["ticket", "others"],
    }
)


def test_which_functions_merge() -> None:
    """Those that are called so, and ask for one and for others."""
    assert ("ticket", "others") == tuple(each.path[0] for each in merged_of("merge-tickets", TICKETS) or ())
    assert merged_of("close-tickets", TICKETS) is None
    assert merged_of("merge-pull-request", TICKETS[:1]) is None


@pytest.mark.parametrize(
    ("prompt", "kept", "others"),
    [
        ("merge zendesk 9044 and 9045 into 9041", 9041, [9044, 9045]),
        ("please fold #9044 into ticket #9041", 9041, [9044]),
        ("9044 says the same as 9041, merge it into that one", 9041, [9044]),
        ("9044 and 9045 are the same as 9041, roll them into it", 9041, [9044, 9045]),
        ("9044 belongs into 9041, merge", 9041, [9044]),
        ("9044 is a duplicate of ticket 9041, merge them", 9041, [9044]),
        ("zendesk: 9044 and 9045 go into 9041, comment same parcel", 9041, [9044, 9045]),
        ("9044, 9045 and 9046 are all duplicates of 9041", 9041, [9044, 9045, 9046]),
        ("9044 is the same complaint as 9041, put the two together", 9041, [9044]),
        ("9041 is the real one, merge 9044 and 9045 into it", 9041, [9044, 9045]),
    ],
)
def test_what_is_merged_and_what_stays(prompt: str, kept: int, others: list[int]) -> None:
    """Whatever the reader thought of it; the rest of what was filled stays."""
    merged = merged_of("merge-tickets", TICKETS)
    assert merged is not None
    wrong, note = Filled(merged[0], 9044, 0, 0, 0.9), Filled(TICKETS[2], "double", 0, 0, 0.9)

    found = {each.question.path[0]: each.value for each in with_merged(merged, [wrong, note], prompt)}

    assert {"ticket": kept, "others": others, "note": "double"} == found


@pytest.mark.parametrize(
    "prompt", ["merge 9044 and 9045", "9041 or 9042, merge 9044 into it", "merge the two into one"]
)
def test_what_nobody_says_is_not_guessed(prompt: str) -> None:
    """Which one stays has to be plain."""
    merged = merged_of("merge-tickets", TICKETS)
    assert merged is not None

    assert [] == with_merged(merged, [], prompt)


def test_names_are_merged_into_the_last() -> None:
    """However the reader took them."""
    incidents = questions_of(
        {
            "properties": {"kept": {"type": "string"}, "others": {"type": "array", "items": {"type": "string"}}},
            "required": ["kept", "others"],
        }
    )
    merged = merged_of("merge-incidents", incidents)
    assert merged is not None
    crossed = [Filled(incidents[0], "Login slow", 5, 15, 0.9), Filled(incidents[1], ["Auth outage"], 21, 32, 0.9)]

    found = {
        each.question.path[0]: each.value for each in with_merged(merged, crossed, "fold Login slow into Auth outage")
    }

    assert {"kept": "Auth outage", "others": ["Login slow"]} == found
