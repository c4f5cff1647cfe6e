"""Words of a prompt as values of an argument: texts, dates, places, codes, lists."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_server.predict.arguments.validation import compiled
from service_server.predict.reader.values import in_form, trimmed, value_of, values_of

_NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def value(prompt: str, words: str, description: str = "", now: datetime | None = _NOW, **schema: Any) -> Any:
    """Return the value that some words of a prompt stand for."""
    start = prompt.index(words)
    return value_of(prompt, start, start + len(words), {"type": "string", "description": description, **schema}, now)


@pytest.mark.parametrize(
    ("expected", "words", "description"),
    [
        ("2021-01-28", "Jan 28, 2021", "formatted as YYYY-MM-DD"),
        ("2024-05-02", "tomorrow", "'YYYY-MM-DD'"),
        ("05/03/2020", "3rd of May 2020", "MM/DD/YYYY"),
        ("03/2024", "March 2024", "MM/YYYY"),
        ("2023-10-01", "2023.10.1", "YYYY-MM-DD"),
        ("20:30", "8:30 pm", "24-hour format 'HH:MM'"),
        ("15:00", "3 in the afternoon", "HH:MM"),
        ("2024-05-02T17:00:00Z", "tomorrow at 5pm", "ISO 8601 date and time"),
        ("tomorrow", "tomorrow", "When to go"),
    ],
)
def test_dates_and_times(expected: str, words: str, description: str) -> None:
    """Dates and times take the form that the description asks for."""
    assert expected == value(f"go {words} please", words, description)


def test_without_knowing_today_nobody_knows_tomorrow() -> None:
    """What can't be written in the form that is asked for is left out, unless the prompt tells today."""
    assert value("go tomorrow", "tomorrow", "YYYY-MM-DD", None) is None
    assert "2023-10-02" == value("today is 2023-10-1, go tomorrow", "tomorrow", "YYYY-MM-DD", None)
    assert "2023-05-01" == value("next Monday; today is Tuesday April 25th 2023", "next Monday", "YYYY-MM-DD")
    assert "2024-05-02" == value("go tomorrow, the date: 2023-04-29 is gone", "tomorrow", "YYYY-MM-DD")


@pytest.mark.parametrize(
    ("expected", "words", "description"),
    [
        (None, "this weekend", "YYYY-MM-DD"),
        ("this weekend", "this weekend", "The date of the event"),
        ("today", "today", "YYYY-MM-DD or 'today'"),
        ("20240601", "20240601", "YYYY-MM-DD"),
        (None, "some time soon", "in ISO 8601"),
    ],
)
def test_words_are_no_date(expected: str | None, words: str, description: str) -> None:
    """They are left out where a form is asked for, but for those that the description allows."""
    assert expected == value(f"come {words}", words, description, None if words == "today" else _NOW)


def test_a_year_that_stands_elsewhere_in_the_prompt_is_that_of_a_day() -> None:
    """Where only one is spoken of; a price is none, and where today is known, other years are of other things."""
    assert "2023-03-06" == value("a play on March 6th? it's 2023 now", "March 6th", "YYYY-MM-DD", None)
    assert "2023-03-06" == value("on March 6th? this year 2023", "March 6th? this year 2023", "YYYY-MM-DD")
    assert value("on March 6th, not in 2023 but 2024", "March 6th", "YYYY-MM-DD", None) is None
    assert value("on March 6th for 2023.50 euros", "March 6th", "YYYY-MM-DD", None) is None
    assert value("tomorrow, 2023 is nearly over", "tomorrow", "YYYY-MM-DD", None) is None
    assert "2025-03-06" == value("on March 6th about the report of 2021", "March 6th", "YYYY-MM-DD")
    assert "2025-03-06T20:30:00Z" == value("on March 6th at 20:30", "March 6th at 20:30", "", format="date-time")


def test_a_day_of_the_month() -> None:
    """It is the next one to come."""
    assert "2024-05-10" == value("on the 10th", "the 10th", "YYYY-MM-DD")
    assert "2024-05-31" == value("on the 31st", "31st", "YYYY-MM-DD")
    assert "2024-06-01" == value("on the 1st", "1st", "YYYY-MM-DD", datetime(2024, 5, 2, tzinfo=UTC))
    assert "2024-03-30" == value("on the 30th", "30th", "YYYY-MM-DD", datetime(2024, 1, 31, tzinfo=UTC))
    assert value("on the 40th", "the 40th", "YYYY-MM-DD") is None


@pytest.mark.parametrize(
    ("expected", "description"),
    [
        ("2021-10-05", "The start date of the period"),
        ("2021-10-05", "When it begins (e.g., 2022-10-15)"),
        ("10/05/2021", "When it begins, e.g. 12/31/2022"),
        ("05/10/2021", "When it begins, e.g. 31/12/2022"),
        ("October 5, 2021", "The date in natural language"),
        ("October 5, 2021", "When it begins"),
    ],
)
def test_the_form_of_a_date_that_is_not_spelled_out(expected: str, description: str) -> None:
    """An example shows it; what is just called a date is written as ISO 8601 has it."""
    assert expected == value("since October 5, 2021", "October 5, 2021", description)


def test_of_several_forms_the_one_that_the_words_fill() -> None:
    """An alarm may be set for a time, or for a day as well; parts of a moment's words stand for all of them."""
    forms = "such as 'YYYY-MM-DD HH:MM:SS' or 'HH:MM'"

    assert "08:05" == value("at 8:05 am", "8:05 am", forms)
    assert "2024-05-02 08:05:00" == value("tomorrow at 8:05 am", "tomorrow at 8:05 am", forms)
    assert "20:00" == value("this Friday at 8 in the evening", "8", "24-hour format 'HH:MM'", None)
    assert "02:47 PM" == value("at 2:47 p.m. today", "2:47 p.m", "(e.g., HH:MM AM/PM)")
    assert "2023-03-05T16:45:00Z" == value("'2023-03-05T16:45:00Z'", "2023-03-05T16:45:00Z", "YYYY-MM-DDTHH:MM:SSZ")


def test_a_range_of_days_as_one_text() -> None:
    """Both ends are written, or the words stay."""
    form = "formatted as 'YYYY-MM-DD to YYYY-MM-DD'"
    words = "2023.10.1 to 2023.10.7"

    assert "2023-10-01 to 2023-10-07" == value(f"news from {words}", words, form)
    assert "2023-10-01" == value("news of 2023-10-01", "2023-10-01", form)


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "description"),
    [
        ("San Francisco, CA", "in San Francisco", "San Francisco", "in the format 'City, State (abbr)'"),
        ("Lafayette, LA", "in Lafayette in Louisiana", "Lafayette", "'City, State' such as 'Austin, TX'"),
        ("Boston, MA", "Boston, Massachusetts", "Boston, Massachusetts", "'City, State' such as 'Austin, TX'"),
        ("Paris, France", "in Paris", "Paris", "City, Country"),
        ("Lang Son, Vietnam", "in Lang Son", "Lang Son", "in the format 'City, State', such as 'Austin, TX'"),
        ("Corte Madera, CA", "in Corte Madera.", "Corte Madera", "city and state, such as 'Austin, TX'"),
        ("Portland, OR", "in Portland,or", "Portland,or", "'City, State' such as 'Austin, TX'"),
        ("London, United Kingdom", "in London", "London", "'City, State' such as 'Austin, TX'"),
        ("Birmingham, AL", "in Birmingham", "Birmingham", "'City, State' such as 'Austin, TX'"),
        ("Birmingham, United Kingdom", "in Birmingham", "Birmingham", "City, Country"),
        ("São Paulo, Brazil", "in São Paulo", "São Paulo", "City, Country"),
        ("Sao Paulo, Brazil", "in sao paulo", "sao paulo", "City, Country"),
        ("Cologne, Germany", "in Cologne", "Cologne", "City, Country"),
        ("Paris", "in Paris", "Paris", "The city."),
        ("GBP", "from British pounds", "British pounds", "The currency."),
        ("GB", "in the United Kingdom", "United Kingdom", "ISO 3166-1 alpha-2 country code"),
        ("GB", "in the UK", "UK", "ISO 3166-1 alpha-2 country code"),
        ("fr", "into French", "French", "ISO 639-1 language code"),
        ("CA", "in California", "California", "The state abbreviation, such as 'CA'"),
        ("horse", "for horses", "horses", "The animal (e.g., dog, cat, horse)"),
        ("horses", "for horses", "horses", "The animal (e.g., horse)"),
        ("hearts", "a heart card", "heart", "One of 'spades', 'clubs', 'hearts'."),
    ],
)
def test_places_and_codes(expected: str, prompt: str, words: str, description: str) -> None:
    """What is asked for as a code or with its state becomes that; else the words stay."""
    assert expected == value(prompt, words, description)


def test_addresses_get_their_scheme_where_it_is_asked_for() -> None:
    """A site without "https://" is no address to most programs."""
    assert "https://example.com/a?b" == value("check example.com/a?b", "example.com/a?b", "", format="uri")
    assert "example.com" == value("check example.com", "example.com", "The domain")


def test_an_article_is_no_part_of_a_name() -> None:
    """ "about the broken printer" is about a broken printer, but a quotation and a name with its article stay whole."""
    assert "broken printer" == value("a ticket about the broken printer", "the broken printer")
    assert "The Beatles" == value("play The Beatles", "The Beatles")
    assert "the end" == value('called "the end"', "the end")


def test_sentences_keep_their_end_and_quotations_lose_their_marks() -> None:
    """A question is sent as a question; the marks around a quotation are the prompt's, those inside it the text's."""
    assert "What is your name?" == value("Translate 'What is your name?'", "What is your name")
    assert "Blue Sky" == value('called "Blue Sky"', '"Blue Sky"')
    prompt = 'run del "a b.lnk" now'
    start = prompt.index("del")
    assert (start, start + len('del "a b.lnk"')) == trimmed(prompt, start, start + len('del "a b.lnk"'))


def test_lists() -> None:
    """Items may stand in one place or in several; numbers of a list of fractional ones are fractional."""
    prompt = "buy milk, eggs and bread; sort [3, 1, 2]"
    items = {"type": "array", "items": {"type": "string"}}
    spans = [(prompt.index(word), prompt.index(word) + len(word)) for word in ("milk", "eggs", "bread")]
    figures = prompt.index("[")

    assert ["milk", "eggs", "bread"] == values_of(prompt, spans, items, None)
    found = values_of(prompt, [(figures, len(prompt))], {"type": "array", "items": {"type": "number"}}, None)
    assert [3.0, 1.0, 2.0] == found
    assert all(isinstance(each, float) for each in found)


def test_one_row_of_a_table_is_said_cell_by_cell() -> None:
    """Of a table people say one row, or write it as the app would; an object in a list nobody says."""
    prompt = 'append Ada and 36, or [["Ada", "36"], ["Mo", "4"]]'
    cells = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
    spans = [(prompt.index(each), prompt.index(each) + len(each)) for each in ("Ada", "36")]

    assert [["Ada", "36"]] == values_of(prompt, spans, cells, None)
    assert [["Ada", "36"], ["Mo", "4"]] == values_of(prompt, [(prompt.index("[["), len(prompt))], cells, None)
    assert values_of(prompt, spans, {"type": "array", "items": {"type": "object"}}, None) is None


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
    start = prompt.index(words)
    schema = {"type": "number", "description": description}

    assert expected == value_of(prompt, start, start + len(words), schema, _NOW)


def test_a_mark_before_a_name_is_left_out_where_it_is_refused() -> None:
    """A channel is renamed to bar, said as "#bar"."""
    schema = {"type": "string", "pattern": "^[^#]+$"}

    assert in_form("#bar", schema, compiled(schema)) == "bar"
    assert in_form("#bar", {"type": "string"}, compiled({"type": "string"})) == "#bar"


@pytest.mark.parametrize(
    ("expected", "prompt", "words", "more"),
    [
        ("who knows her?", "remark who knows her?", "who knows her", {}),
        ("the report", "can you send Tom the report?", "the report", {"x-multiline": True}),
        ("All is fine.", "overwrite the page: All is fine.", "All is fine", {"x-multiline": True}),
        ("All is fine", "overwrite the page: All is fine.", "All is fine", {}),
        ("All is fine", "write All is fine.", "All is fine", {"x-multiline": True}),
        ("Go ahead.", 'write "Go ahead." there', "Go ahead", {"x-multiline": True}),
        ("Name:", 'call it "Name:"', "Name", {}),
    ],
)
def test_marks_at_the_end_of_sentences(expected: str, prompt: str, words: str, more: dict[str, Any]) -> None:
    """A question keeps its mark, and a sentence of its own its full stop; that of the request is no part of a value."""
    kept = value(prompt, words, **more)

    assert expected.removeprefix("the ") == kept.removeprefix("the ")


def test_an_article_that_begins_with_a_capital_belongs_to_a_name() -> None:
    """Not the first word of a sentence, and not one that a place or a code has no use for."""
    assert "The Green Door" == value("a table at The Green Door", "Green Door")
    assert "The plan" == value('rename it to "The plan"', "The plan")
    assert "Door" == value("The Door is open", "Door")
    assert "Door" == value("open the Door", "Door")
    assert "NL" == value("in The Netherlands", "Netherlands", "ISO 3166-1 alpha-2 country code")


def test_a_row_behind_a_colon_is_whole() -> None:
    """All its cells are taken, where only some of them were found."""
    rows = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}

    def row(prompt: str, *cells: str) -> Any:
        return values_of(prompt, [(prompt.index(cell), prompt.index(cell) + len(cell)) for cell in cells], rows, None)

    assert [["Ana", "Globex & Sons", "500"]] == row("add a row to Leads: Ana, Globex & Sons, 500", "500")
    assert [["14", "22"]] == row("append 14 and 22 to Stock", "14", "22")
    assert [["Bo", "14"]] == row("append Bo, 14 to Stock", "append Bo", "14 to Stock")
    assert [["Bo", "14 to go"]] == row("cells: Bo, 14 to go", "Bo", "14 to go")
    assert [["Ana"]] == row("Leads: add Ana", "Ana")
    assert [["Ana"]] == row("add Ana to the sheet, like so: name, city", "Ana")
