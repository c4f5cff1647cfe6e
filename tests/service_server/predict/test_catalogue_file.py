"""What a catalogue's file doesn't say of its functions is guessed without harm."""

from typing import Any

import pytest

from service_server.predict.catalogue_file import candidates_in, guessed_type
from service_server.predict.predictor import Predictor
from tests.service_server.predict.conftest import chosen


def entry(name: str, description: str = "", **more: Any) -> dict[str, Any]:
    """Return an entry of a catalogue."""
    return {"name": name, "description": description, "parameters": {"properties": {}, "required": []}, **more}


@pytest.mark.parametrize(
    ("kind", "name", "description"),
    [
        ("mutation", "create-issue", ""),
        ("mutation", "repo-removal", "Delete a repository."),
        ("mutation", "transfer-money", "Move an amount."),
        ("query", "finance-dividend-per-share", "Calculates what is paid."),
        ("mutation", "share-dividend", "Calculates and sends what is paid."),
        ("query", "list-issues", ""),
        ("query", "weather-forecast", "The weather of the next days."),
        ("query", "calculate-dividend-per-share", ""),
        ("query", "translate-text", ""),
    ],
)
def test_type_is_guessed_by_verbs(kind: str, name: str, description: str) -> None:
    """What has a verb of change is taken for one that changes something."""
    assert kind == guessed_type(name, description)


def test_what_is_said_counts() -> None:
    """A type, a danger and an app's title that an entry has are not guessed, and its further names are known."""
    names = {"app_title": "Acme Tickets", "app_also_called": ["the desk"]}
    said = entry("acme-purge-job", type="mutation", destructive=True, **names)

    (found,) = candidates_in([said])

    assert ("mutation", "acme", "Acme Tickets") == (found.function.type, found.app_name, found.app_title)
    assert found.function.meta is not None
    assert found.function.meta.destructive
    assert ("the desk",) == found.app_also_called


def test_apps_in_several_words_are_present() -> None:
    """An app that the functions' names begin with is none that the catalogue lacks, however it is written."""
    entries = [entry("google_calendar-list-events", "List the events of a calendar."), entry("monday-list-items")]
    entries += [entry(f"github-list-{things}", f"List {things}.") for things in ("issues", "forks", "tags")]

    found = candidates_in(entries)

    assert ["Google Calendar", "Monday", "Github"] == [candidate.app_title for candidate in found[:3]]
    assert chosen(Predictor(found), "list the events in Google Calendar") is not None


def test_first_words_are_no_apps() -> None:
    """A catalogue without apps gets none: "get" of "get-weather" is a verb."""
    assert [""] == [candidate.app_name for candidate in candidates_in([entry("get-weather")])]


@pytest.mark.parametrize("wrong", [{"type": "magic"}, {"parameters": 7}])
def test_what_is_no_function_is_an_error(wrong: dict[str, Any]) -> None:
    """A wrong entry is told, not taken."""
    with pytest.raises((ValueError, AttributeError)):
        candidates_in([entry("acme-x") | wrong])
