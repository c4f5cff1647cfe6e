"""Words of a prompt as values of an argument: texts, dates, places, codes, lists."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_server.predict.arguments.validation import compiled
from service_server.predict.reader.values import in_form, trimmed, value_of, values_of

_NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
_DAY = "YYYY-MM-DD"
_CITY_STATE, _CITY_COUNTRY = "'City, State' such as 'Austin, TX'", "City, Country"
_COUNTRY_CODE = "ISO 3166-1 alpha-2 country code"
_FORMS = "such as 'YYYY-MM-DD HH:MM:SS' or 'HH:MM'"
_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_ROW = {"type": "array", "items": _TEXT}


def value(prompt: str, words: str, description: str = "", now: datetime | None = _NOW, **schema: Any) -> Any:
    """Return the value that some words of a prompt stand for."""
    start = prompt.index(words)
    return value_of(prompt, start, start + len(words), {"type": "string", "description": description, **schema}, now)


@pytest.mark.parametrize(
    ("expected", "words", "description"),
    [
        # Dates and times take the form that the description asks for.
        ("2021-01-28", "Jan 28, 2021", "formatted as YYYY-MM-DD"),
        ("2024-05-02", "tomorrow", "'YYYY-MM-DD'"),
        ("05/03/2020", "3rd of May 2020", "MM/DD/YYYY"),
        ("03/2024", "March 2024", "MM/YYYY"),
        ("2023-10-01", "2023.10.1", _DAY),
        ("20:30", "8:30 pm", "24-hour format 'HH:MM'"),
        ("15:00", "3 in the afternoon", "HH:MM"),
        ("2024-05-02T17:00:00Z", "tomorrow at 5pm", "ISO 8601 date and time"),
        ("tomorrow", "tomorrow", "When to go"),
        # Words are left out where a form is asked for, but for those that the description allows.
        (None, "this weekend", _DAY),
        ("this weekend", "this weekend", "The date of the event"),
        ("20240601", "20240601", _DAY),
        (None, "some time soon", "in ISO 8601"),
        # An example shows the form; what is just called a date is written as ISO 8601 has it.
        ("2021-10-05", "October 5, 2021", "The start date of the period"),
        ("2021-10-05", "October 5, 2021", "When it begins (e.g., 2022-10-15)"),
        ("10/05/2021", "October 5, 2021", "When it begins, e.g. 12/31/2022"),
        ("05/10/2021", "October 5, 2021", "When it begins, e.g. 31/12/2022"),
        ("October 5, 2021", "October 5, 2021", "The date in natural language"),
        ("October 5, 2021", "October 5, 2021", "When it begins"),
        # Of several forms the one that the words fill.
        ("08:05", "8:05 am", _FORMS),
        ("2024-05-02 08:05:00", "tomorrow at 8:05 am", _FORMS),
        ("2023-03-05T16:45:00Z", "'2023-03-05T16:45:00Z'", "YYYY-MM-DDTHH:MM:SSZ"),
        # Both ends of a range are written, or the words stay.
        ("2023-10-01 to 2023-10-07", "2023.10.1 to 2023.10.7", "formatted as 'YYYY-MM-DD to YYYY-MM-DD'"),
        ("2023-10-01", "2023-10-01", "formatted as 'YYYY-MM-DD to YYYY-MM-DD'"),
    ],
)
def test_dates_and_times(expected: str | None, words: str, description: str) -> None:
    """In the form that is asked for."""
    assert expected == value(f"go {words} please", words, description)


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "now"),
    [
        # What can't be written in the form that is asked for is left out, unless the prompt tells today.
        (None, "go tomorrow", "tomorrow", None),
        ("2023-10-02", "today is 2023-10-1, go tomorrow", "tomorrow", None),
        ("2023-05-01", "next Monday; today is Tuesday April 25th 2023", "next Monday", _NOW),
        ("2024-05-02", "go tomorrow, the date: 2023-04-29 is gone", "tomorrow", _NOW),
        # A year that stands elsewhere is a day's where only one is spoken of; a price is none, and where today is
        # known, other years are of other things.
        ("2023-03-06", "a play on March 6th? it's 2023 now", "March 6th", None),
        ("2023-03-06", "on March 6th? this year 2023", "March 6th? this year 2023", _NOW),
        (None, "on March 6th, not in 2023 but 2024", "March 6th", None),
        (None, "on March 6th for 2023.50 euros", "March 6th", None),
        (None, "tomorrow, 2023 is nearly over", "tomorrow", None),
        ("2025-03-06", "on March 6th about the report of 2021", "March 6th", _NOW),
        # A day of the month is the next one to come.
        ("2024-05-10", "on the 10th", "the 10th", _NOW),
        ("2024-05-31", "on the 31st", "31st", _NOW),
        ("2024-06-01", "on the 1st", "1st", datetime(2024, 5, 2, tzinfo=UTC)),
        ("2024-03-30", "on the 30th", "30th", datetime(2024, 1, 31, tzinfo=UTC)),
        (None, "on the 40th", "the 40th", _NOW),
    ],
)
def test_which_day_is_meant(expected: str | None, prompt: str, words: str, now: datetime | None) -> None:
    """By what is known of today, and what the prompt says of it."""
    assert expected == value(prompt, words, _DAY, now)


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "description", "now"),
    [
        ("today", "come today", "today", "YYYY-MM-DD or 'today'", None),
        ("20:00", "this Friday at 8 in the evening", "8", "24-hour format 'HH:MM'", None),
        ("02:47 PM", "at 2:47 p.m. today", "2:47 p.m", "(e.g., HH:MM AM/PM)", _NOW),
    ],
)
def test_parts_of_a_moment(expected: str, prompt: str, words: str, description: str, now: datetime | None) -> None:
    """They stand for all of its words, and a word that the description allows for itself."""
    assert expected == value(prompt, words, description, now)


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "description"),
    [
        ("San Francisco, CA", "in San Francisco", "San Francisco", "in the format 'City, State (abbr)'"),
        ("Lafayette, LA", "in Lafayette in Louisiana", "Lafayette", _CITY_STATE),
        ("Boston, MA", "Boston, Massachusetts", "Boston, Massachusetts", _CITY_STATE),
        ("Paris, France", "in Paris", "Paris", _CITY_COUNTRY),
        ("Lang Son, Vietnam", "in Lang Son", "Lang Son", "in the format 'City, State', such as 'Austin, TX'"),
        ("Corte Madera, CA", "in Corte Madera.", "Corte Madera", "city and state, such as 'Austin, TX'"),
        ("Portland, OR", "in Portland,or", "Portland,or", _CITY_STATE),
        ("London, United Kingdom", "in London", "London", _CITY_STATE),
        ("Birmingham, AL", "in Birmingham", "Birmingham", _CITY_STATE),
        ("Birmingham, United Kingdom", "in Birmingham", "Birmingham", _CITY_COUNTRY),
        ("São Paulo, Brazil", "in São Paulo", "São Paulo", _CITY_COUNTRY),
        ("Sao Paulo, Brazil", "in sao paulo", "sao paulo", _CITY_COUNTRY),
        ("Cologne, Germany", "in Cologne", "Cologne", _CITY_COUNTRY),
        ("Paris", "in Paris", "Paris", "The city."),
        ("GBP", "from British pounds", "British pounds", "The currency."),
        ("GB", "in the United Kingdom", "United Kingdom", _COUNTRY_CODE),
        ("GB", "in the UK", "UK", _COUNTRY_CODE),
        ("PT", "in Portugal", "Portugal", "The country by its two letters."),
        ("fr", "into French", "French", "ISO 639-1 language code"),
        ("de", "in German", "German", "The language of its numbers, such as en_GB or de."),
        ("German", "in German", "German", "The language that it is read in, such as de-DE."),
        ("CA", "in California", "California", "The state abbreviation, such as 'CA'"),
        ("horse", "for horses", "horses", "The animal (e.g., dog, cat, horse)"),
        ("horses", "for horses", "horses", "The animal (e.g., horse)"),
        ("hearts", "a heart card", "heart", "One of 'spades', 'clubs', 'hearts'."),
        # An article is no part of a name, unless it is quoted, or begins with a capital within a sentence.
        ("broken printer", "a ticket about the broken printer", "the broken printer", ""),
        ("The Beatles", "play The Beatles", "The Beatles", ""),
        ("the end", 'called "the end"', "the end", ""),
        ("The Green Door", "a table at The Green Door", "Green Door", ""),
        ("The plan", 'rename it to "The plan"', "The plan", ""),
        ("Door", "The Door is open", "Door", ""),
        ("Door", "open the Door", "Door", ""),
        ("NL", "in The Netherlands", "Netherlands", _COUNTRY_CODE),
        # A question is sent as a question; the marks around a quotation are the prompt's.
        ("What is your name?", "Translate 'What is your name?'", "What is your name", ""),
        ("Blue Sky", 'called "Blue Sky"', '"Blue Sky"', ""),
        ("example.com", "check example.com", "example.com", "The domain"),
    ],
)
def test_places_codes_and_names(expected: str, prompt: str, words: str, description: str) -> None:
    """What is asked for as a code or with its state becomes that; else the words stay."""
    assert expected == value(prompt, words, description)


def test_what_the_format_asks_for() -> None:
    """A site without "https://" is no address to most programs."""
    assert "https://example.com/a?b" == value("check example.com/a?b", "example.com/a?b", format="uri")
    assert "2025-03-06T20:30:00Z" == value("on March 6th at 20:30", "March 6th at 20:30", format="date-time")


def test_marks_inside_a_quotation_are_the_texts() -> None:
    """Those around it are the prompt's."""
    prompt = 'run del "a b.lnk" now'
    start, end = prompt.index("del"), prompt.index(" now")

    assert (start, end) == trimmed(prompt, start, end)


@pytest.mark.parametrize(
    ("expected", "items", "prompt", "found"),
    [
        # Items may stand in one place or in several; numbers of a list of fractional ones are fractional.
        (["milk", "eggs", "bread"], _TEXT, "buy milk, eggs and bread; sort [3, 1, 2]", ("milk", "eggs", "bread")),
        ([3.0, 1.0, 2.0], _NUMBER, "buy milk, eggs and bread; sort [3, 1, 2]", ("[3, 1, 2]",)),
        # Of a table people say one row, or write it as the app would; an object in a list nobody says.
        ([["Ada", "36"]], _ROW, "append Ada and 36", ("Ada", "36")),
        ([["Ada", "36"], ["Mo", "4"]], _ROW, 'append [["Ada", "36"], ["Mo", "4"]]', ('[["Ada", "36"], ["Mo", "4"]]',)),
        (None, {"type": "object"}, "append Ada and 36", ("Ada", "36")),
        # All cells behind a colon are taken, where only some of them were found.
        ([["Ana", "Globex & Sons", "500"]], _ROW, "add a row to Leads: Ana, Globex & Sons, 500", ("500",)),
        ([["14", "22"]], _ROW, "append 14 and 22 to Stock", ("14", "22")),
        ([["Bo", "14"]], _ROW, "append Bo, 14 to Stock", ("append Bo", "14 to Stock")),
        ([["Bo", "14 to go"]], _ROW, "cells: Bo, 14 to go", ("Bo", "14 to go")),
        ([["Ana"]], _ROW, "Leads: add Ana", ("Ana",)),
        ([["Ana"]], _ROW, "add Ana to the sheet, like so: name, city", ("Ana",)),
    ],
)
def test_lists(expected: Any, items: dict[str, Any], prompt: str, found: tuple[str, ...]) -> None:
    """Of texts, numbers and rows of cells."""
    spans = [(prompt.index(words), prompt.index(words) + len(words)) for words in found]
    listed = values_of(prompt, spans, {"type": "array", "items": items}, None)

    assert expected == listed
    assert items is not _NUMBER or all(isinstance(each, float) for each in listed)


@settings(deadline=None)  # the first one to ask loads the table of places
@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60), st.sampled_from(["string", "number", "boolean"]))
def test_any_span_of_any_text_is_converted_without_an_error(prompt: str, one: int, other: int, kind: str) -> None:
    """Whatever is written, the answer is a value of the type or none."""
    start, end = sorted((min(one, len(prompt)), min(other, len(prompt))))
    schema = {"type": kind, "description": "City, State; YYYY-MM-DD; currency; comma-separated; 'one', 'two'"}

    found = value_of(prompt, start, end, schema, _NOW)

    assert found is None or isinstance(found, {"string": str, "number": int | float, "boolean": bool}[kind])


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "description"),
    [
        (300, "be quiet until 5pm", "5", "For how many minutes."),
        (0.5 * 3600, "wait till 12:30", "12:30", "How many seconds to wait."),
        (None, "be quiet at 5pm", "5", "For how many minutes."),
        (None, "be quiet until noon", "noon", "For how many minutes."),
        (172_800, "valid for 2 days", "2", "How many seconds it is valid."),
        (3, "three days off", "three", "How many hours or days it takes."),
        (120, "in 2 hours", "2", "In how many minutes."),
        (5, "room 5pm", "5", "The number of the room."),
    ],
)
def test_lengths_of_time_are_counted_in_the_unit_asked_for(
    expected: float | None, prompt: str, words: str, description: str
) -> None:
    """A time of day is as long from now as it is until then, and no number of minutes by itself."""
    assert expected == value(prompt, words, description, **_NUMBER)


def test_a_mark_before_a_name_is_left_out_where_it_is_refused() -> None:
    """A channel is renamed to bar, said as "#bar"."""
    schema = {"type": "string", "pattern": "^[^#]+$"}

    assert in_form("#bar", schema, compiled(schema)) == "bar"
    assert in_form("#bar", _TEXT, compiled(_TEXT)) == "#bar"


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "more"),
    [
        ("who knows her?", "remark who knows her?", "who knows her", {}),
        ("the report", "can you send Tom the report?", "the report", {"x-multiline": True}),
        ("All is fine.", "overwrite the page: All is fine.", "All is fine", {"x-multiline": True}),
        ("All is fine", "overwrite the page: All is fine.", "All is fine", {}),
        ("All is fine.", "write All is fine.", "All is fine", {"x-multiline": True}),
        ("All is fine", "Write All is fine.", "All is fine", {"x-multiline": True}),
        ("all is fine", "write all is fine.", "all is fine", {"x-multiline": True}),
        ("Go ahead.", 'write "Go ahead." there', "Go ahead", {"x-multiline": True}),
        ("Name:", 'call it "Name:"', "Name", {}),
    ],
)
def test_marks_at_the_end_of_sentences(expected: str, prompt: str, words: str, more: dict[str, Any]) -> None:
    """A question keeps its mark, and a sentence of its own its full stop; that of the request is no part of a value."""
    kept = value(prompt, words, **more)

    assert expected.removeprefix("the ") == kept.removeprefix("the ")
