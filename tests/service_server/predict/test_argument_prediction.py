"""Which arguments a prompt gives, and which it does not, read by the installed model."""

from datetime import UTC, datetime
from typing import Any, Protocol

import pytest
from attrs import evolve

from service_client.models import FieldMeta, FunctionApp, FunctionMeta, Source
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import Reader
from tests.service_server.predict.catalogue import CATALOGUE, array, candidate, flag, number, text

NOW = datetime(2025, 11, 20, 10, 0, tzinfo=UTC)  # a Thursday


class ArgumentsFor(Protocol):
    """Predicts the arguments of a function of its own."""

    def __call__(self, properties: dict[str, Any], prompt: str, required: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return what a prompt gives for these parameters."""


@pytest.fixture(scope="module")
def predictor(installed_reader: Reader) -> Predictor:
    """Predicts over the catalogue of these tests."""
    return Predictor(CATALOGUE, reader=installed_reader)


@pytest.fixture
def arguments_for(installed_reader: Reader) -> ArgumentsFor:
    """Predict for a function of its own."""

    def predicted(properties: dict[str, Any], prompt: str, required: tuple[str, ...] = ()) -> dict[str, Any]:
        one = candidate("sandbox-do-it", "mutation", "Do it", "Do it.", properties, required)
        return Predictor([one], reader=installed_reader).predict_arguments("sandbox-do-it", prompt, now=NOW).arguments

    return predicted


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
            {
                "title": "broken printer",
                "private": False,
                "estimate_hours": 2.5,
                "reporter_email": "ann@example.org",
            },
        ),
        (
            "sandbox-create-ticket",
            'New ticket "VPN" priority=urgent severity: 4 browser: Firefox',
            {
                "title": "VPN",
                "priority": "urgent",
                "fields": {"severity": 4, "browser": "Firefox"},
            },
        ),
        ("sandbox-create-ticket", "create ticket: the login button is dead", {"title": "the login button is dead"}),
        ("sandbox-list-tickets", "Show the first 5 closed tickets", {"limit": 5, "status": "closed"}),
        (
            "sandbox-list-tickets",
            "list twenty-five tickets in progress",
            {"limit": 25, "status": "in_progress"},
        ),
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
    ],
)
def test_arguments_are_read(predictor: Predictor, name: str, prompt: str, arguments: dict[str, Any]) -> None:
    """The values a prompt gives reach the parameters they are meant for, and nothing else does."""
    assert arguments == predictor.predict_arguments(name, prompt, now=NOW).arguments


def test_missing_and_evidence_are_told(predictor: Predictor) -> None:
    """Required parameters without a value are listed, and each value comes with the exact words it was read from."""
    prompt = "Open an issue titled “Crash” with labels bug and p1"
    prediction = predictor.predict_arguments("github-create-issue", prompt, now=NOW)

    assert ("owner", "repo") == prediction.missing
    assert {"title": "Crash", "labels": "bug and p1"} == prediction.evidence


def test_evidence_of_a_nested_value_has_its_path(predictor: Predictor) -> None:
    """A field of an object parameter has its evidence under the dotted path."""
    prediction = predictor.predict_arguments("sandbox-create-ticket", "severity: 4", now=NOW)

    assert {"fields.severity": "4"} == prediction.evidence


def test_confidence_falls_with_missing_values(predictor: Predictor) -> None:
    """A prompt that leaves required parameters open is less sure than one that fills them."""
    full = predictor.predict_arguments("github-get-issue", "get issue 12 of acme/web", now=NOW)
    half = predictor.predict_arguments("github-get-issue", "get issue 12", now=NOW)
    none = predictor.predict_arguments("github-get-issue", "get it", now=NOW)

    assert 1 >= full.confidence > half.confidence > none.confidence == 0


def test_name_does_not_become_an_id(predictor: Predictor) -> None:
    """A parameter whose ids a source function lists gets no name for an id, only what looks like one."""
    by_name = predictor.predict_arguments("sandbox-list-tickets", "list the tickets of the project Website", now=NOW)
    by_id = predictor.predict_arguments("sandbox-list-tickets", "list the tickets of the project p-12", now=NOW)

    assert {} == by_name.arguments
    assert {"project_id": "p-12"} == by_id.arguments


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


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("make it urgent", {"urgent": True}),
        ("make it not urgent", {"urgent": False}),
        ("it isn't urgent", {"urgent": False}),
        ("urgent: no", {"urgent": False}),
        ("urgent=true", {"urgent": True}),
        ('say "urgent"', {}),
        ("do it", {}),
    ],
)
def test_booleans_know_negation(arguments_for: ArgumentsFor, prompt: str, expected: dict[str, Any]) -> None:
    """A boolean is true when it is said, false when it is denied, and absent when it is not spoken of."""
    assert expected == arguments_for({"urgent": flag()}, prompt)


@pytest.mark.parametrize(
    ("name", "prompt", "expected"),
    [
        ("is_private", "a private one", True),
        ("is_private", "a public one", False),
        ("include_archived", "with archived ones", True),
        ("include_archived", "without archived ones", False),
        ("exclude_archived", "without archived ones", True),
    ],
)
def test_booleans_know_their_prefix_and_opposite(
    arguments_for: ArgumentsFor, name: str, prompt: str, expected: bool
) -> None:
    """The prefix of a boolean's name and the opposite of its word are understood."""
    assert {name: expected} == arguments_for({name: flag()}, prompt)


def test_value_that_does_not_validate_is_left_out(arguments_for: ArgumentsFor) -> None:
    """A number out of range, a fraction of a whole number, a wrong form: the parameter stays empty."""
    assert {} == arguments_for({"limit": number(maximum=10, multipleOf=1)}, "limit 50")
    assert {} == arguments_for({"limit": number(maximum=10, multipleOf=1)}, "limit 2.5")
    assert {} == arguments_for({"code": text(pattern="^[A-Z]{3}$")}, "code: abcd", ("code",))
    assert {"code": "ABC"} == arguments_for({"code": text(pattern="^[A-Z]{3}$")}, "code: ABC", ("code",))


def test_a_time_of_day_is_filled_and_has_no_offset(arguments_for: ArgumentsFor) -> None:
    """A time of day is read where the prompt says one; one with an offset says more than the parameter takes."""
    at = {"at": {"type": "string", "format": "time", "description": "When it begins."}}
    assert {"at": "14:30:00"} == arguments_for(at, "begin it at 14:30", ("at",))
    assert {} == arguments_for(at, "begin it on 2025-12-01T14:30:00+02:00", ("at",))


def test_a_file_is_an_address_that_is_said(arguments_for: ArgumentsFor) -> None:
    """A file is filled with the https address in a prompt, one or several, and with nothing else."""
    file = {"type": "string", "format": "file", "description": "The file to upload."}
    several = {"type": "array", "items": {"type": "string", "format": "file"}, "description": "The files to attach."}
    assert {"file": "https://a.example/b.pdf"} == arguments_for({"file": file}, "upload https://a.example/b.pdf now")
    assert {} == arguments_for({"file": file}, 'upload "report.pdf" from http://a.example/b.pdf')
    assert {"files": ["https://a.example/b", "https://a.example/c"]} == arguments_for(
        {"files": several}, "attach https://a.example/b and https://a.example/c"
    )


def test_broken_schema_is_never_filled(arguments_for: ArgumentsFor) -> None:
    """A parameter whose schema cannot be used, or refers elsewhere, is left out instead of failing the prediction."""
    assert {} == arguments_for({"code": text(pattern="(")}, "code: abc")
    assert {} == arguments_for({"code": {"$ref": "http://127.0.0.1:9/schema"}}, "code: abc")


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


def test_percentage_of_a_share_is_divided(arguments_for: ArgumentsFor) -> None:
    """A percentage is a share where the schema ends at 1, and the number before the sign elsewhere."""
    assert {"discount": 0.2} == arguments_for({"discount": number(maximum=1)}, "a discount of 20%")
    assert {"discount": 20} == arguments_for({"discount": number(maximum=100)}, "a discount of 20%")


def test_options_of_a_list_are_collected(arguments_for: ArgumentsFor) -> None:
    """An array of options takes all options that the prompt names."""
    days = array(enum=["monday", "tuesday", "friday"])

    assert {"days": ["monday", "friday"]} == arguments_for({"days": days}, "on monday and friday")


def test_word_that_says_what_to_do_is_no_option(arguments_for: ArgumentsFor) -> None:
    """The verb of the request does not fill a parameter that has an option of the same name."""
    assert {} == arguments_for({"state": text(enum=["open", "closed"])}, "Open a ticket")


def test_closing_sets_the_state(arguments_for: ArgumentsFor) -> None:
    """To close something is to set a state of that name."""
    assert {"state": "closed"} == arguments_for({"state": text(enum=["open", "closed"])}, "close the ticket")


def test_verb_introduces_no_value(arguments_for: ArgumentsFor) -> None:
    """The verb of the request is not the name of a parameter: "search GitHub" does not search for GitHub."""
    assert {"search": "leaks"} == arguments_for({"search": text()}, "search GitHub for leaks", ("search",))


def test_words_are_used_once(arguments_for: ArgumentsFor) -> None:
    """What one parameter has taken does not fill another: the text is not the title as well."""
    fields = {"title": text(), "body": text()}

    assert {"body": "all fine"} == arguments_for(fields, 'send it with the body "all fine"')
    assert {"title": "Done", "body": "all fine"} == arguments_for(fields, 'titled "Done" with the body "all fine"')


def test_unknown_function_is_an_error(predictor: Predictor) -> None:
    """Arguments are predicted for functions of the catalogue only."""
    with pytest.raises(KeyError):
        predictor.predict_arguments("sandbox-nothing", "do it")


def test_a_no_inside_a_title_denies_nothing(arguments_for: ArgumentsFor) -> None:
    """A word of the quoted data, or of another clause, is no negation."""
    properties = {"title": text("What it is about."), "urgent": flag("Whether it cannot wait.")}

    for prompt in ('ticket called "No coffee", urgent', "There is no light. Urgent ticket"):
        assert arguments_for(properties, prompt)["urgent"] is True
    assert arguments_for(properties, "a ticket that is not urgent")["urgent"] is False
