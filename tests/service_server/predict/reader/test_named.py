"""Where names begin and end."""

from typing import Any

import pytest

from service_server.predict.reader.named import is_no_key, named_place
from service_server.predict.reader.questions import questions_of


def named(prompt: str, words: str, name: str, **schema: Any) -> str:
    """Return the name that an argument is given where the reader found some words."""
    (question,) = questions_of({"properties": {name: {"type": "string", **schema}}})
    start = prompt.index(words)
    return prompt[slice(*named_place(prompt, start, start + len(words), question))]


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "name"),
    [
        ("Santa Clara", "in Santa Clara county.", "Santa Clara county", "county"),
        ("New York", "from New York time zone to", "New York time zone", "fromTimezone"),
        ("Red Cross", "of the Red Cross organization", "Red Cross organization", "organization_name"),
        ("Hilton Hotel", "at Hilton Hotel", "Hilton Hotel", "hotel_name"),
        ("labour court", "the labour court", "labour court", "court"),
        ("Lenz's law", "Lenz's law", "Lenz's law", "law"),
        ("county", "the county", "county", "county"),
        ("The French Laundry", "at The French Laundry", "French Laundry", "restaurant"),
        ("French Laundry", "The French Laundry is open", "French Laundry", "restaurant"),
        ("laundry", "at The laundry", "laundry", "restaurant"),
    ],
)
def test_names(expected: str, prompt: str, words: str, name: str) -> None:
    """The word for what it is stays away from a proper name; its article within a sentence belongs to it."""
    assert expected == named(prompt, words, name)


def test_only_texts_have_names() -> None:
    """A format says itself where it ends."""
    assert "Orange county" == named("Orange county", "Orange county", "county", format="uri")


@pytest.mark.parametrize(
    ("expected", "name", "value"),
    [
        (True, "api_key", "EUR"),
        (True, "accessKey", "the exchange rate"),
        (False, "api_key", "YOUR_API_KEY"),
        (False, "accessToken", "abcd1234"),
        (False, "appid", "abcdefghijklmnopqrst"),
        (False, "app_id", "web"),
        (False, "sort_key", "name"),
    ],
)
def test_words_are_no_keys(expected: bool, name: str, value: str) -> None:
    """Whoever is asked for an API key gets none rather than any word of the prompt."""
    (question,) = questions_of({"properties": {name: {"type": "string"}}})

    assert expected is is_no_key(question, value)
