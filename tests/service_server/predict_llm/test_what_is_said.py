"""Which of a model's values a prompt says: the others were made up, and are dropped."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_server.predict.reading import read
from service_server.predict_llm.proposed_arguments import kept_arguments
from tests.service_server.predict.catalogue import function, number
from tests.service_server.predict_llm.offered import CREATE_TICKET

NOW = datetime(2025, 11, 20, 10, 0, tzinfo=UTC)  # a Thursday


def kept(prompt: str, **proposed: Any) -> dict[str, Any]:
    """What is kept of proposed arguments."""
    return kept_arguments(CREATE_TICKET, proposed, read(prompt, NOW), NOW).arguments


@pytest.mark.parametrize(
    ("prompt", "proposed"),
    [
        ('ticket "Broken printer"', {"title": "Broken printer"}),
        ("the printers are broken again", {"title": "Broken printer"}),
        ("Größe der Überschrift ändern", {"title": "Grosse der Uberschrift"}),
        ("创建工单打印机坏了", {"title": "打印机坏了"}),
        ("upgrade to v1.2.3.", {"title": "Upgrade to v1.2.3"}),
        ("it takes twenty-five hours", {"estimate": 25}),
        ("it takes 2.5 hours", {"estimate": 2.5}),
        ("it takes 2.5 hours", {"estimate": "2.5"}),
        ("a share of 40%", {"share": 0.4}),
        ("due tomorrow", {"due_date": "2025-11-21"}),
        ("due on 24.12.2025", {"due_date": "2025-12-24"}),
        ("starts on Friday at 3pm", {"starts_at": "2025-11-21T15:00:00Z"}),
        ("starts on Friday at 3pm", {"starts_at": "2025-11-21T16:00:00+01:00"}),
        ("from ann@example.org, see https://example.org/a?b=c", {"reporter": "ann@example.org"}),
        ("see https://example.org/a?b=c.", {"link": "https://example.org/a?b=c"}),
        ("with high priority", {"priority": "high"}),
        ("make the priority the lowest", {"priority": "low"}),
        ("it is critical", {"priority": "high"}),
        ("a private one", {"private": True}),
        ("not private", {"private": False}),
        ("labels bug and urgent", {"labels": ["bug", "urgent"]}),
        ("on floor 3 in Rome", {"place": {"city": "Rome", "floor": 3}}),
        ("with browser Firefox", {"fields": {"browser": "Firefox"}}),
        ("reference ab-12", {"reference_id": "ab-12"}),
    ],
)
def test_what_the_prompt_says_is_kept(prompt: str, proposed: dict[str, Any]) -> None:
    """Words in any order and inflection, numbers and moments in any spelling, addresses and ids to the letter."""
    expected = {"estimate": 2.5} if proposed == {"estimate": "2.5"} else proposed

    assert expected == kept(prompt, **proposed)


@pytest.mark.parametrize(
    ("prompt", "proposed"),
    [
        ("create a ticket", {"title": "Broken printer"}),
        ("create a ticket about the printer", {"title": "The printer is on fire"}),
        ("for Ann", {"reporter": "ann@example.com"}),
        ("for ann@example.org", {"reporter": "ann@example.com"}),
        ("for joann@example.org", {"reporter": "ann@example.org"}),
        ("see https://example.org/a", {"link": "https://example.org/"}),
        ("it takes three hours", {"estimate": 4}),
        ("ticket 1234", {"estimate": 123}),
        ("a share of 40%, due tomorrow", {"share": 10**400, "estimate": -(10**400), "fields": {"share": 10**400}}),
        ("due soon", {"due_date": "2025-11-27"}),
        ("due tomorrow", {"due_date": "2025-11-22"}),
        ("starts on Friday at 3pm", {"starts_at": "2025-11-21T15:30:00Z"}),
        ("a ticket for the printer", {"priority": "medium"}),
        ("a ticket for the printer", {"private": False}),
        ("labels bug", {"labels": ["wontfix"]}),
        ("reference ab-12", {"reference_id": "12"}),
        ("reference ab-12", {"reference_id": "cd-34"}),
        ("a ticket", {"fields": {"secret": "value"}}),
        ("in Rome", {"place": {"city": "Paris"}}),
    ],
)
def test_what_the_prompt_does_not_say_is_dropped(prompt: str, proposed: dict[str, Any]) -> None:
    """A value that nothing of the prompt stands for is made up, however likely it is."""
    assert {} == kept(prompt, **proposed)


@pytest.mark.parametrize(
    ("prompt", "value", "is_said"),
    [
        ("remind me tomorrow at 3pm", 1_763_737_200, True),
        ("remind me tomorrow", 1_763_683_200, True),
        ("remind me at 3pm", 1_763_650_800, True),
        ("remind me tomorrow at 3pm", 1_763_737_201, False),
        ("remind me tomorrow at 3pm", 1e20, False),
    ],
)
def test_unix_times(prompt: str, value: float, is_said: bool) -> None:
    """A number that is asked for as a Unix time is said by the moment that it stands for."""
    remind = function("tracker-remind", "Remind me.", (), at=number("When, as a Unix timestamp."))

    assert ({"at": value} if is_said else {}) == kept_arguments(remind, {"at": value}, read(prompt, NOW), NOW).arguments


def test_parts_of_lists_and_objects() -> None:
    """Of a list or an object what is said stays, and the rest goes."""
    assert {"labels": ["bug"], "place": {"floor": 3}} == kept(
        "label it bug, floor 3", labels=["bug", "urgent"], place={"city": "Paris", "floor": 3, "street": "bug"}
    )


def test_names_of_things_that_have_ids() -> None:
    """A name becomes no argument: only the app knows its id. An id that the prompt gives is one."""

    def found(prompt: str, project: str, assignee: object) -> tuple[dict[str, Any], dict[str, str]]:
        proposed = {"project_id": project, "assignee_id": assignee}
        kept = kept_arguments(CREATE_TICKET, proposed, read(prompt, NOW), NOW)
        return kept.arguments, kept.named

    by_name = "in project Office for Ana Ruiz"
    assert ({}, {"project_id": "Office", "assignee_id": "Ana Ruiz"}) == found(by_name, "office", "Ana Ruiz")
    assert ({"project_id": "p-12", "assignee_id": 7}, {}) == found("in project p-12 for user 7", "p-12", 7)
    assert ({}, {}) == found(by_name, "p-13", "Bob")


def test_how_sure_it_is() -> None:
    """The confidence is the share of what was proposed or is required that came through."""
    prompt = 'ticket "Broken printer" in project Office'
    proposed = {"title": "Broken printer", "project_id": "Office", "priority": "low", "estimate": 4}

    assert 0.5 == kept_arguments(CREATE_TICKET, proposed, read(prompt, NOW), NOW).confidence
