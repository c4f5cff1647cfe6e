"""Which arguments a prompt gives, and which it does not, read by the installed model."""

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

from service_client.models import FieldMeta, FunctionApp, FunctionMeta, Source
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import Reader
from tests.service_server.predict.catalogue import CATALOGUE, array, candidate, flag, number, text

NOW = datetime(2025, 11, 20, 10, 0, tzinfo=UTC)  # a Thursday


@pytest.fixture(scope="module")
def predictor(installed_reader: Reader) -> Predictor:
    """Predicts over the catalogue of these tests."""
    return Predictor(CATALOGUE, reader=installed_reader)


def predicted(reader: Reader, properties: dict[str, Any], prompt: str) -> dict[str, Any]:
    """Return what a prompt gives for these parameters."""
    plain = {name.removesuffix("!"): schema for name, schema in properties.items()}
    required = tuple(name.removesuffix("!") for name in properties if name.endswith("!"))
    one = candidate("sandbox-do-it", "mutation", "Do it", "Do it.", plain, required)
    return Predictor([one], reader=reader).predict_arguments("sandbox-do-it", prompt, now=NOW).arguments


@pytest.mark.parametrize(
    ("name", "prompt", "arguments"),
    [
        (
            "sandbox-create-ticket",
            'Create a ticket titled "Printer is broken" with high priority and labels hardware, office and network',
            {"title": "Printer is broken", "priority": "high", "labels": ["hardware", "office", "network"]},
        ),
        (
            "sandbox-create-ticket",
            "Open a private ticket called Crash on start in project Website due tomorrow",
            {"title": "Crash on start", "private": True, "due_date": "2025-11-21"},
        ),
        (
            "sandbox-create-ticket",
            "Add a ticket for the broken printer, not private, estimate 2.5 hours, reporter email ann@example.org",
            {"title": "broken printer", "private": False, "estimate_hours": 2.5, "reporter_email": "ann@example.org"},
        ),
        (
            "sandbox-create-ticket",
            'New ticket "VPN" priority=urgent severity: 4 browser: Firefox',
            {"title": "VPN", "priority": "urgent", "fields": {"severity": 4, "browser": "Firefox"}},
        ),
        ("sandbox-create-ticket", "create ticket: the login button is dead", {"title": "the login button is dead"}),
        ("sandbox-list-tickets", "Show the first 5 closed tickets", {"limit": 5, "status": "closed"}),
        ("sandbox-list-tickets", "list twenty-five tickets in progress", {"limit": 25, "status": "in_progress"}),
        ("sandbox-update-ticket", 'Rename ticket 12 to "New name"', {"ticket_id": 12, "title": "New name"}),
        ("sandbox-update-ticket", "make ticket 12 urgent", {"ticket_id": 12, "priority": "urgent"}),
        (
            "sandbox-add-comment",
            "Add a comment to ticket 7 saying we are looking into it",
            {"ticket_id": 7, "body": "we are looking into it"},
        ),
        (
            "sandbox-add-comment",
            "comment on ticket 7: fixed in the next release",
            {"ticket_id": 7, "body": "fixed in the next release"},
        ),
        (
            "github-create-issue",
            'Open an issue in octo/repo titled "Crash on start" with labels bug and p1, assign @alice and @bob',
            {
                "owner": "octo",
                "repo": "repo",
                "title": "Crash on start",
                "labels": ["bug", "p1"],
                "assignees": ["alice", "bob"],
            },
        ),
        (
            "github-merge-pull-request",
            "Merge pull request 12 of acme/web with squash",
            {"owner": "acme", "repo": "web", "pull_number": 12, "merge_method": "squash"},
        ),
        (
            "github-create-repository",
            "Create a private repository called secret-stuff without wiki",
            {"name": "secret-stuff", "private": True, "has_wiki": False},
        ),
        (
            "teamchat-send-message",
            "Tell the #ops channel that the server is back up",
            {"channel": "#ops", "text": "the server is back up"},
        ),
        (
            "teamchat-schedule-message",
            "Schedule a message tomorrow at 9am: standup is cancelled",
            {"text": "standup is cancelled", "post_at": 1763715600},
        ),
        ("teamchat-search-messages", 'search messages for "budget 2025"', {"query": "budget 2025"}),
        (
            "agenda-create-event",
            "Put a meeting called Budget review on my calendar on Friday at 3pm",
            {"summary": "Budget review", "start": "2025-11-21T15:00:00Z"},
        ),
        (
            "agenda-create-event",
            'Add "Lunch" from tomorrow 12:30 to 2pm with ann@example.org and bob@example.org',
            {
                "summary": "Lunch",
                "start": "2025-11-21T12:30:00Z",
                "end": "2025-11-21T14:00:00Z",
                "attendees": ["ann@example.org", "bob@example.org"],
            },
        ),
        ("agenda-delete-event", "Delete the event abc123", {"event_id": "abc123"}),
        ("sandbox-list-projects", "list the projects called X with 5 things", {}),
        # Where a source function lists the ids, a name is none.
        ("sandbox-list-tickets", "list the tickets of the project Website", {}),
        ("sandbox-list-tickets", "list the tickets of the project p-12", {"project_id": "p-12"}),
    ],
)
def test_arguments_are_read(predictor: Predictor, name: str, prompt: str, arguments: dict[str, Any]) -> None:
    """The values a prompt gives reach the parameters they are meant for, and nothing else does."""
    assert arguments == predictor.predict_arguments(name, prompt, now=NOW).arguments


@pytest.mark.parametrize(
    ("name", "prompt", "missing", "evidence"),
    [
        (
            "github-create-issue",
            "Open an issue titled “Crash” with labels bug and p1",
            ("owner", "repo"),
            {"title": "Crash", "labels": "bug and p1"},
        ),
        ("sandbox-create-ticket", "severity: 4", ("title", "project_id"), {"fields.severity": "4"}),
    ],
)
def test_missing_and_evidence_are_told(
    predictor: Predictor, name: str, prompt: str, missing: tuple[str, ...], evidence: dict[str, str]
) -> None:
    """Required parameters without a value, and the exact words of each value, of a nested one under its path."""
    prediction = predictor.predict_arguments(name, prompt, now=NOW)

    assert (missing, evidence) == (prediction.missing, prediction.evidence)


def test_confidence_falls_with_missing_values(predictor: Predictor) -> None:
    """A prompt that leaves required parameters open is less sure than one that fills them."""
    full = predictor.predict_arguments("github-get-issue", "get issue 12 of acme/web", now=NOW)
    half = predictor.predict_arguments("github-get-issue", "get issue 12", now=NOW)
    none = predictor.predict_arguments("github-get-issue", "get it", now=NOW)

    assert 1 >= full.confidence > half.confidence > none.confidence == 0


def test_source_that_lists_names_takes_names(installed_reader: Reader) -> None:
    """A parameter whose source function lists the very words people say is filled from them."""
    plain = candidate("sandbox-tag-it", "mutation", "Tag it", "", {"color": text()}, ("color",))

    def with_source(value: str) -> Predictor:
        source = Source(function="sandbox-list-colors", value=value, label="name")
        fields = {"color": FieldMeta(title="Color", widget="select", source=source)}
        app = FunctionApp(name="sandbox", title="Sandbox", icon_url="")
        meta = FunctionMeta(app=app, title="Tag it", type="mutation", fields=fields)
        return Predictor([evolve(plain, function=evolve(plain.function, meta=meta))], reader=installed_reader)

    prompt = 'tag it with the color "sky blue"'

    assert {"color": "sky blue"} == with_source("name").predict_arguments("sandbox-tag-it", prompt).arguments
    assert {} == with_source("id").predict_arguments("sandbox-tag-it", prompt).arguments


DAYS = array(enum=["monday", "tuesday", "friday"])
STATE = text(enum=["open", "closed"])
LIMIT = number(maximum=10, multipleOf=1)
CODE = text(pattern="^[A-Z]{3}$")
AT = text("When it begins.", format="time")
FILE = {"file": text("The file to upload.", format="file")}
FILES = {"files": array("The files to attach.", format="file")}
ASIDE = {"title": text("What it is about."), "urgent": flag("Whether it cannot wait.")}


@pytest.mark.parametrize(
    ("properties", "prompt", "expected"),
    [
        # A boolean is true when it is said, false when it is denied, and absent when it is not spoken of.
        ({"urgent": flag()}, "make it urgent", {"urgent": True}),
        ({"urgent": flag()}, "make it not urgent", {"urgent": False}),
        ({"urgent": flag()}, "it isn't urgent", {"urgent": False}),
        ({"urgent": flag()}, "urgent: no", {"urgent": False}),
        ({"urgent": flag()}, "urgent=true", {"urgent": True}),
        ({"urgent": flag()}, 'say "urgent"', {}),
        ({"urgent": flag()}, "do it", {}),
        # The prefix of its name and the opposite of its word are understood.
        ({"is_private": flag()}, "a private one", {"is_private": True}),
        ({"is_private": flag()}, "a public one", {"is_private": False}),
        ({"include_archived": flag()}, "with archived ones", {"include_archived": True}),
        ({"include_archived": flag()}, "without archived ones", {"include_archived": False}),
        ({"exclude_archived": flag()}, "without archived ones", {"exclude_archived": True}),
        # A number out of range, a fraction of a whole number, a wrong form: the parameter stays empty.
        ({"limit": LIMIT}, "limit 50", {}),
        ({"limit": LIMIT}, "limit 2.5", {}),
        ({"code!": CODE}, "code: abcd", {}),
        ({"code!": CODE}, "code: ABC", {"code": "ABC"}),
        # A schema that can't be used, or refers elsewhere, doesn't fail the prediction.
        ({"code": text(pattern="(")}, "code: abc", {}),
        ({"code": {"$ref": "http://127.0.0.1:9/schema"}}, "code: abc", {}),
        # A time of day with an offset says more than the parameter takes.
        ({"at!": AT}, "begin it at 14:30", {"at": "14:30:00"}),
        ({"at!": AT}, "begin it on 2025-12-01T14:30:00+02:00", {}),
        # A file is the https address in a prompt, one or several, and nothing else.
        (FILE, "upload https://a.example/b.pdf now", {"file": "https://a.example/b.pdf"}),
        (FILE, 'upload "report.pdf" from http://a.example/b.pdf', {}),
        (
            FILES,
            "attach https://a.example/b and https://a.example/c",
            {"files": ["https://a.example/b", "https://a.example/c"]},
        ),
        # A percentage is a share where the schema ends at 1, and the number before the sign elsewhere.
        ({"discount": number(maximum=1)}, "a discount of 20%", {"discount": 0.2}),
        ({"discount": number(maximum=100)}, "a discount of 20%", {"discount": 20}),
        # An array of options takes all that the prompt names; to close something is to set a state of that name.
        ({"days": DAYS}, "on monday and friday", {"days": ["monday", "friday"]}),
        ({"state": STATE}, "Open a ticket", {}),
        ({"state": STATE}, "close the ticket", {"state": "closed"}),
        # The verb of the request is not the name of a parameter.
        ({"search!": text()}, "search GitHub for leaks", {"search": "leaks"}),
        # What one parameter has taken does not fill another.
        ({"title": text(), "body": text()}, 'send it with the body "all fine"', {"body": "all fine"}),
        (
            {"title": text(), "body": text()},
            'titled "Done" with the body "all fine"',
            {"title": "Done", "body": "all fine"},
        ),
    ],
)
def test_what_a_parameter_takes(
    installed_reader: Reader, properties: dict[str, Any], prompt: str, expected: dict[str, Any]
) -> None:
    """Of a function of its own; those marked with "!" are required."""
    assert expected == predicted(installed_reader, properties, prompt)


@pytest.mark.parametrize(
    ("prompt", "urgent"),
    [
        ('ticket called "No coffee", urgent', True),
        ("There is no light. Urgent ticket", True),
        ("a ticket that is not urgent", False),
    ],
)
def test_a_no_inside_a_title_denies_nothing(installed_reader: Reader, prompt: str, urgent: bool) -> None:
    """A word of the quoted data, or of another clause, is no negation."""
    assert predicted(installed_reader, ASIDE, prompt)["urgent"] is urgent


def test_object_is_left_out_when_one_field_is_missing(installed_reader: Reader) -> None:
    """An object parameter that lacks a required field is not sent half filled, and shows no evidence."""
    size = {
        "type": "object",
        "description": "",
        "properties": {"width": number(), "height": number()},
        "required": ["width", "height"],
    }
    one = Predictor(
        [candidate("sandbox-draw-it", "mutation", "Draw it", "", {"size": size}, ("size",))], reader=installed_reader
    )
    half = one.predict_arguments("sandbox-draw-it", "width 5", now=NOW)
    full = one.predict_arguments("sandbox-draw-it", "width 5, height 7", now=NOW)

    assert ({}, ("size",), {}) == (half.arguments, half.missing, half.evidence)
    assert {"size": {"width": 5, "height": 7}} == full.arguments


def test_unknown_function_is_an_error(predictor: Predictor) -> None:
    """Arguments are predicted for functions of the catalogue only."""
    with pytest.raises(KeyError):
        predictor.predict_arguments("sandbox-nothing", "do it")
