"""Answers as people read them: facts, links that can be followed safely, tables, and pages of them."""

from base64 import b64encode
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from service_client.errors import ServiceUnreachableError
from service_client.models import CallResult, Fact, Outcome
from servicejs.answers import LONGEST_TEXT, MOST_COLUMNS, MOST_FACTS, MOST_ROWS, file_address, read_answer, read_reason
from servicejs.language import speak
from servicejs.screens.call_outcome import CallOutcome
from servicejs.screens.screen import Gesture

ISSUE = {
    "url": "https://api.code.example/issues/7",
    "created_at": "2026-11-02T09:00:00Z",
    "number": 7,
    "title": "The printer is broken",
    "user": {"login": "ann", "id": 4},
    "labels": ["bug", "office"],
    "access_token": "s3cret",
    "locked": False,
    "html_url": "https://code.example/acme/desk/issues/7",
    "body": None,
}


def test_the_few_facts_that_matter() -> None:
    """What it is called comes first; what is empty, an address or named like a secret is left out."""
    answer = read_answer(ISSUE)

    assert (
        ("Title", "The printer is broken"),
        ("Number", "7"),
        ("Created at", "2026-11-02 09:00 UTC"),
    ) == answer.facts[:3]
    assert {("User", "ann"), ("Labels", "bug, office"), ("Locked", "No")} <= set(answer.facts)
    assert "s3cret" not in str(answer)
    assert "https://code.example/acme/desk/issues/7" == answer.link


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-12-01T10:00:00+01:00", "2026-12-01 10:00 UTC+01:00"),
        ("2026-12-01T10:00:00.0000000", "2026-12-01 10:00"),
        ("2026-12-01", "2026-12-01"),
        ("Since 2026-12-01T10:00:00Z", "Since 2026-12-01T10:00:00Z"),
    ],
)
def test_moments_are_written_for_people(text: str, shown: str) -> None:
    """As a day and a time, in the time zone in which the app gives them; within other words they stay as they are."""
    assert (("Start", shown),) == read_answer({"start": text}).facts


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ({"error": {"code": 423, "message": "The archive\nis locked."}}, "The archive is locked."),
        ({"errors": [{"code": "x"}, {"detail": "Too long."}]}, "Too long."),
        ({"errorMessages": [], "errors": {"reason": "No such project."}}, "No such project."),
        ({"error": "invalid_grant", "error_description": "Sign in again."}, "Sign in again."),
        ({"ok": False, "error": "channel_not_found"}, "channel_not_found"),
        ("Not allowed", "Not allowed"),
        ("<!doctype html><h1>Bad gateway</h1>", ""),
        ({"message": "https://errors.example/7"}, ""),
        ({"message": {"message": {"message": {"message": {"message": {"message": "Deep."}}}}}}, ""),
        ({"title": "Broken printer", "message": None}, ""),
        (None, ""),
    ],
)
def test_an_app_says_itself_why_it_refused(output: Any, reason: str) -> None:
    """In one of the places where apps do; a page, an address or what was asked for is no reason."""
    outcome = CallOutcome("Create", "Desk", lambda: None, lambda: None)
    outcome.show(CallResult(network_code="422", output=output))

    assert reason == read_reason(output)
    assert (f"<p><bdi>{reason}</bdi></p>" in outcome.render()) == bool(reason)


def test_numbers_are_written_as_people_write_them() -> None:
    """With the decimal mark of the locale, as in forms; marks of thousands would spoil what is an id."""
    numbers = {"amount": 1234567.5, "id": 20260331, "sizes": [1.5, 2]}
    assert ["20260331", "1234567.5", "1.5, 2"] == [text for _, text in read_answer(numbers).facts]
    speak("de")

    assert ["20260331", "1234567,5", "1,5, 2"] == [text for _, text in read_answer(numbers).facts]


def test_a_file_is_no_text_to_read() -> None:
    """Its type, its size and a link that saves it are shown; what only looks like one is shown as ever."""
    file = {"content_type": "application/pdf", "base64": b64encode(b"%PDF" * 3_100).decode()}
    outcome = CallOutcome("Download", "Files", lambda: None, lambda: None)
    outcome.show(CallResult(network_code="200", output=file))

    assert (("File", "application/pdf"), ("Size", "12 KB")) == read_answer(file).facts
    assert f'href="data:application/pdf;base64,{file["base64"]}" download="Download"' in outcome.render()
    assert "data:application/octet-stream;base64," == file_address({"content_type": 'a/b," onclick', "base64": ""})
    assert "" == file_address("JVBER")
    assert "Base64" in str(read_answer(file | {"name": "a"}).facts)


def test_of_an_endless_answer_only_the_beginning_is_written() -> None:
    """Painting takes no longer than for what is shown."""

    class Endless(list[int]):
        def __iter__(self) -> Iterator[int]:
            return iter(count())

    outcome = CallOutcome("List", "Files", lambda: None, lambda: None)
    outcome.show(CallResult(network_code="404", output=Endless([1])))

    assert "Only the first part is shown." in outcome.render()


def test_wrappings_say_nothing() -> None:
    """The one object or list in an answer is what it is about."""
    assert read_answer(ISSUE) == read_answer({"ok": True, "data": {"issue": ISSUE}})
    assert read_answer([ISSUE]) == read_answer({"items": [ISSUE], "next": "2"})


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "//code.example/7",
        "https://ann:pass@code.example/7",
        "https://code.example/7?access_token=abc",
        "https://code.example/7#id_token=abc",
        "https://files.example/7?X-Amz-Signature=abc",
        "https://api.code.example/issues/7",
        "https://code.example/rest/api/3/issue/7",
        "https://code.example\\@evil.example/",
        "https://[code.example/",
        "https:///7",
        7,
    ],
)
def test_only_pages_without_a_secret_are_links(url: object) -> None:
    """Nothing that runs, no address of an API, none that lets in whoever has it."""
    assert read_answer({"name": "x", "html_url": url}).link is None


def test_an_outcome_comes_before_what_is_guessed() -> None:
    """Its words and facts are shown, its link only as an https one; what it doesn't say is read of the answer."""
    outcome = Outcome(
        title="Issue\n7 created",
        link="https://code.example/7?session=1",
        facts=(Fact("Draft", False), Fact("Labels", ("a", "b")), Fact("Odd", {"x": []})),
    )
    shown = read_answer(ISSUE, outcome)
    only_words = read_answer(ISSUE, Outcome(title="Issue 7 created", link="javascript:alert(1)"))

    assert "Issue 7 created" == shown.title
    assert (("Draft", "No"), ("Labels", "a, b")) == shown.facts
    assert "https://code.example/7?session=1" == shown.link
    assert (read_answer(ISSUE).facts, ISSUE["html_url"]) == (only_words.facts, only_words.link)


def test_lists_are_tables() -> None:
    """With the most telling columns that any row fills, and no more rows than can be read."""
    rows = [{"id": number, "etag": "", "name": f"Item {number}", "b": 1, "c": 2, "d": 3} for number in range(80)]
    answer = read_answer(rows)

    assert ("Name", "ID") == answer.columns[:2]
    assert MOST_COLUMNS == len(answer.columns)
    assert (MOST_ROWS, True) == (len(answer.rows), answer.is_cut)
    assert ("Item 0", "0") == answer.rows[0][:2]
    assert (("a",), ("2",)) == read_answer(["a", 2]).rows
    assert read_answer([]).is_list


@pytest.mark.parametrize(
    "output", [None, "", "text", 4, {}, [[]], {"a": {"b": {"c": {"d": {"e": 1}}}}}, {"": [None]}, [None]]
)
def test_any_answer_can_be_read(output: Any) -> None:
    """Whatever an app answers."""
    answer = read_answer(output)

    assert len(answer.facts) <= MOST_FACTS


def test_long_texts_are_cut() -> None:
    """A fact is a line."""
    ((_, text),) = read_answer({"title": "long\n" * 1000}).facts

    assert LONGEST_TEXT == len(text)
    assert text.endswith("…")


async def test_pages_are_gone_through() -> None:
    """The next one is asked for once, those that were seen are kept, and one that can't be had leaves the user here."""
    asked: list[str] = []

    async def next_page(cursor: str) -> CallResult:
        asked.append(cursor)
        if cursor == "3":
            raise ServiceUnreachableError("away")
        return CallResult(network_code="200", output=[{"name": f"On page {cursor}"}], next_page="3")

    async def act(action: str) -> str:
        await outcome.handle(Gesture(surface="apps", action=action))
        return outcome.render()

    outcome = CallOutcome("List", "Desk", lambda: None, lambda: None, next_page)
    outcome.show(CallResult(network_code="200", output=[{"name": "On page 1"}], next_page="2"))
    assert "On page 1" in outcome.render()

    assert "On page 2" in await act("page-after")
    assert "On page 1" in await act("page-before")
    assert "On page 2" in await act("page-after")
    failed = await act("page-after")
    assert "can’t be reached" in failed
    assert "On page 2" in failed
    assert ["2", "3"] == asked


def test_a_change_has_no_pages() -> None:
    """Only what reads is called again."""
    outcome = CallOutcome("Add", "Desk", lambda: None, lambda: None)
    outcome.show(CallResult(network_code="200", output={"id": 7}, next_page="2"))

    assert "page-after" not in outcome.render()
