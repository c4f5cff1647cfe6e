"""Options are known by what people call them: "lost" is "2" where an app says so."""

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

from service_client.models import FieldMeta, FunctionApp, FunctionMeta
from service_server.predict.candidate import Candidate
from service_server.predict.option_labels import MULTILINE, PLACEHOLDER, labelled_properties, names_of, shown
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import Reader
from tests.connectors.building import connector_of
from tests.service_server.predict.catalogue import array, candidate, number, text

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


def field(**labels: str) -> FieldMeta:
    """Return a field whose options, `_2` for 2, have these labels."""
    options = tuple({"value": value.removeprefix("_"), "label": label} for value, label in labels.items())
    return FieldMeta(title="Title", widget="select", options=options)


@pytest.fixture
def deals() -> Candidate:
    """A function whose options are bare digits, words, numbers, and those of a list."""
    plain = candidate(
        "sandbox-change-deal",
        "mutation",
        "Change a deal",
        "Change a deal.",
        {
            "status": text("Whether it is open, won or lost.", enum=["0", "1", "2"]),
            "access": text("Who sees it.", enum=["all", "own_team"]),
            "urgency": number("How soon it is needed.", enum=[1, 2]),
            "channels": array("Where it is told.", enum=["10", "20"]),
            "inner": {"type": "object", "properties": {"mood": text("Its mood.", enum=["7", "8"])}},
        },
    )
    fields = {
        "status": field(_0="Open", _1="Won", _2="Lost"),
        "access": field(all="Everybody", own_team="Own team"),
        "urgency": field(_1="Relaxed", _2="Pressing"),
        "channels[]": field(_10="Newsletter", _20="Billboard"),
        "inner.mood": field(_7="Gloomy", _8="Sunny"),
    }
    app = FunctionApp(name="sandbox", title="Sandbox", icon_url="")
    meta = FunctionMeta(app=app, title=plain.title, type="mutation", fields=fields)
    return evolve(plain, function=evolve(plain.function, meta=meta))


SAID = [
    ("the deal is lost", {"status": "2"}),
    ("mark the deal as won, it's pressing", {"status": "1", "urgency": 2}),
    ("change the deal's access to everybody", {"access": "all"}),
    ("change the deal's access to own team", {"access": "own_team"}),
    ("set the deal's channels to newsletter and billboard", {"channels": ["10", "20"]}),
    ("the deal's mood is gloomy", {"inner": {"mood": "7"}}),
]


@pytest.mark.parametrize(("prompt", "expected"), SAID)
def test_the_reader_knows_labels(
    deals: Candidate, installed_reader: Reader, prompt: str, expected: dict[str, Any]
) -> None:
    """The model chooses among labels, and says by which word."""
    found = Predictor([deals], reader=installed_reader).predict_arguments("sandbox-change-deal", prompt, now=NOW)

    assert expected == found.arguments
    assert all(words in prompt for words in found.evidence.values())


def test_a_shipped_function_says_what_its_form_shows() -> None:
    """Which texts have several lines, and the examples in empty fields, of connectors as they are loaded."""
    notion = connector_of("notion").functions["notion-replace-page-content"].public("", "Notion", include_meta=True)
    gitlab = connector_of("gitlab").functions["gitlab-list-issues"].public("", "GitLab", include_meta=True)

    assert labelled_properties(notion)["content"][MULTILINE]
    assert MULTILINE not in labelled_properties(notion)["page"]
    assert "group/project" == labelled_properties(gitlab)["project"][PLACEHOLDER]


def test_functions_without_labels_stay_as_they_are() -> None:
    """Nothing is added to a function that nobody has labelled."""
    function = candidate("sandbox-change-deal", "mutation", "", "", {"status": text(enum=["a", "b"])}).function

    assert function.parameters.properties == labelled_properties(function)


def test_what_is_offered() -> None:
    """A bare number is offered by its label alone; a word keeps its own name beside another label."""
    schema = {"x-labels": {"2": "Lost", "all": "Everybody", "in_work": "In work"}}

    assert ["Lost", "all, Everybody", "in work", "3"] == [shown(each, schema) for each in ("2", "all", "in_work", "3")]
    assert ("in_work",) == names_of("in_work", schema)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "prompt", "expected"),
    [
        ("activecampaign-update-deal", "change the stage of the Globex deal to won", {"status": "1"}),
        ("activecampaign-update-deal", "the Initech deal is lost", {"status": "2"}),
        ("freshdesk-update-ticket", "set the priority of ticket 812 to urgent", {"ticket": 812, "priority": 4}),
        ("freshdesk-update-ticket", "ticket 44 is resolved", {"ticket": 44, "status": 4}),
        ("jira-log-work", "log 2h30 on WEB-412", {"issue": "WEB-412", "time_spent": "2h 30m"}),
        ("discord-create-channel", "create a voice channel called Lounge", {"type": 2, "name": "Lounge"}),
    ],
)
def test_shipped_functions(shipped_predictor: Predictor, name: str, prompt: str, expected: dict[str, Any]) -> None:
    """What an app knows by a digit, or in a notation of its own, is filled from the words for it."""
    found = shipped_predictor.predict_arguments(name, prompt, now=NOW)

    assert expected == found.arguments
