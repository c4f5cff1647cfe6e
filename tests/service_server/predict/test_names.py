"""The names that a prompt gives in place of ids, and what they mean among the entries of a list."""

from typing import Any

import pytest

from service_client.models import FieldMeta, Function, FunctionApp, FunctionMeta, Parameters, Source
from service_server.predict.candidate import Candidate
from service_server.predict.label_matching import Entry, match
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import Reader
from service_server.predict.source_values import NotYet, entries_of, fitting, source_arguments
from tests.service_server.predict.catalogue import array, number, text

_SOURCE = Source(function="tracker-list", value="id", label="name")
_PROPERTIES: dict[str, Any] = {
    "subject": text("What it is about."),
    "project_id": text("Where it belongs.", title="Project"),
    "priority_id": number("How soon.", title="Priority"),
    "assigned_to_id": number("Who does it.", title="Assignee"),
    "channel": text("Where to tell of it.", title="Channel"),
    "label_ids": array("Its labels."),
    "where": {"type": "object", "properties": {"office_id": text("The office.", title="Office")}},
}
_OPAQUE = ("project_id", "priority_id", "assigned_to_id", "channel", "where.office_id")
_FUNCTION = Function(
    name="tracker-create-issue",
    description="Create an issue.",
    type="mutation",
    parameters=Parameters(properties=_PROPERTIES, required=("subject", "project_id")),
    meta=FunctionMeta(
        app=FunctionApp(name="tracker", title="Tracker Pro", icon_url=""),
        title="Create an issue",
        type="mutation",
        fields={path: FieldMeta(title="", widget="select", source=_SOURCE) for path in _OPAQUE},
    ),
)


@pytest.fixture(scope="module")
def predictor(installed_reader: Reader) -> Predictor:
    """Predicts for that function alone, with the installed model."""
    title = "Create an issue"
    one = Candidate(function=_FUNCTION, title=title, app_name="tracker", app_title="Tracker Pro")
    return Predictor([one], reader=installed_reader)


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("create an issue in project Office", {"project_id": "Office"}),
        ("create an issue about the broken printer in project Office, high priority",
         {"project_id": "Office", "priority_id": "high"}),
        ("new issue in the Office project with priority urgent", {"project_id": "Office", "priority_id": "urgent"}),
        ("create an issue in the website project", {"project_id": "website"}),
        ("create an issue in the Tracker project shop", {"project_id": "shop"}),
        ("create an issue in the Tracker Pro project shop", {"project_id": "shop"}),
        ("create an issue, priority: high", {"priority_id": "high"}),
        ("create an issue assigned to Ana Ruiz", {"assigned_to_id": "Ana Ruiz"}),
        ("create an issue for me and assign it to @ana.ruiz", {"assigned_to_id": "@ana.ruiz"}),
        ("create an issue and tell #general", {"channel": "#general"}),
        ("create an issue at the office Berlin", {"where.office_id": "Berlin"}),
        ('create an issue titled "Project Office has no priority"', {}),
        ("create a new project", {}),
        ("create an issue in the same project", {}),
        ("create an issue", {}),
    ],
)  # fmt: skip
def test_names_are_said(predictor: Predictor, prompt: str, named: dict[str, str]) -> None:
    """A name is noted by the place it is meant for, in its own words, and is no argument."""
    found = predictor.predict_arguments(_FUNCTION.name, prompt)

    assert named == found.named
    assert set(named).isdisjoint(found.arguments)


def test_an_id_is_no_name(predictor: Predictor) -> None:
    """What the prompt gives as an id is an argument, and nobody has to be asked for it."""
    by_id = predictor.predict_arguments(_FUNCTION.name, "create an issue, project_id=p-12, priority_id=3")
    by_name = predictor.predict_arguments(_FUNCTION.name, "create an issue, project: Office")

    assert ({"project_id": "p-12", "priority_id": 3}, {}) == (by_id.arguments, by_id.named)
    assert ({}, {"project_id": "Office"}) == (by_name.arguments, by_name.named)


def entries(*labels: str) -> list[Entry]:
    """Entries whose ids are their places."""
    return [Entry(place, label) for place, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("name", "labels", "meant"),
    [
        ("Office", ["Home", "Office"], 1),
        ("office", ["Home", "OFFICE"], 1),
        ("#general", ["general-chat", "general"], 1),
        ("general", ["#general", "#general-chat"], 0),
        ("@ana", ["bob", "ana"], 1),
        ("Zoe Muller", ["Zoë Müller", "Zoë Miller"], 0),
        ("Ana  Ruiz.", ["Ana Ruiz"], 0),
        ("ana", ["Bob Reed", "Ana Ruiz"], 1),
        ("Ruiz", ["Bob Reed", "Ana Ruiz"], 1),
        ("market", ["Marketing", "Sales"], 0),
        ("1", ["Home", "Office"], 1),
        ("Off", ["Office", "Off-site"], None),
        ("Ana", ["Ana Ruiz", "Ana Silva"], None),
        ("Ana Ruiz", ["Ana Ruiz", "ana ruiz"], None),
        ("ho", ["Home"], None),
        ("Garden", ["Home", "Office"], None),
        ("#", ["Home"], None),
    ],
)
def test_what_a_name_means(name: str, labels: list[str], meant: int | None) -> None:
    """The whole label first, without case, signs and accents; then a part that fits no other; never a guess."""
    found = match(name, entries(*labels), complete=True)

    assert meant == (found.entry.value if found.entry else None)


def test_what_else_it_may_mean() -> None:
    """Where several fit these are the alternatives; the same entry twice is one."""
    ambiguous = match("Ana", entries("Ana Ruiz", "Bob", "Ana Silva"), complete=True)
    twice = match("Ana", [Entry("a", "Ana Ruiz"), Entry("a", "Ana Ruiz")], complete=True)

    assert ["Ana Ruiz", "Ana Silva"] == [entry.label for entry in ambiguous.alternatives]
    assert Entry("a", "Ana Ruiz") == twice.entry


def test_a_part_counts_only_in_a_whole_list() -> None:
    """Where a list goes on, another entry may fit as well: the whole label counts, a part is asked about."""
    part = match("Ana", entries("Ana Ruiz"), complete=False)

    assert Entry(0, "Ana") == match("Ana", entries("Ana", "Ana Ruiz"), complete=False).entry
    assert (None, (Entry(0, "Ana Ruiz"),)) == (part.entry, part.alternatives)


def test_what_a_source_is_called_with() -> None:
    """References take the arguments' values; one that has none yet waits, one that may be absent is left out."""
    source = Source(
        function="f",
        value="id",
        label="name",
        arguments={"project": "${project_id}", "page": 1, "text": "in ${a.b}!", "maybe": "${gone?}"},
    )
    given = {"project_id": 7, "a": {"b": "x"}}

    assert {"project": 7, "page": 1, "text": "in x!"} == source_arguments(source, given, set())
    with pytest.raises(NotYet):
        source_arguments(source, {"project_id": 7}, set())
    with pytest.raises(NotYet):
        source_arguments(source, given, {"project_id"})


def test_what_a_source_lists() -> None:
    """Values and labels stand at keys or paths; entries without a value are left out."""
    source = Source(function="f", value="id", label="profile.name")
    output = [{"id": 1, "profile": {"name": "Ana"}}, {"id": "b"}, {"profile": {}}, {"id": None}, {"id": True}, "plain"]

    assert [Entry(1, "Ana"), Entry("b", "b"), Entry("plain", "plain")] == entries_of(source, output)


def test_an_id_as_its_parameter_takes_it() -> None:
    """Numbers stand as texts where ids are texts; what the schema refuses is no value."""
    assert 7 == fitting({"type": "number"}, 7)
    assert "7" == fitting({"type": "string"}, 7)
    assert ["7"] == fitting({"type": "array", "items": {"type": "string"}}, [7])
    assert fitting({"type": "number"}, "x") is None
