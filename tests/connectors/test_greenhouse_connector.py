"""What Greenhouse makes of arguments and answers, and for whom it acts."""

import json
from typing import Any

from service_server.catalog.auth import ClientCredentials
from service_server.oauth.token_request import client_credentials_request
from tests.connectors.building import connector_of, prior_requests_of, request_of


def body_of(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("greenhouse")
    return json.loads(request_of(connector, connector.functions[f"greenhouse-{function}"], arguments).body)


def read(function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("greenhouse").functions[f"greenhouse-{function}"].pick(answer)


def test_tokens_act_for_the_user() -> None:
    """Greenhouse writes changes to the user whose number the account was connected with."""
    (way,) = connector_of("greenhouse").auth
    assert isinstance(way, ClientCredentials)
    context = {"creds": {"client_id": "a", "client_secret": "b"}, "vars": {"user": "4012345"}}

    assert b"grant_type=client_credentials&sub=4012345" == client_credentials_request(way, context).body


def test_contacts_are_lists() -> None:
    """One address and one number become the lists that Greenhouse has; without them nothing is sent of either."""
    named = {"first_name": "Ada", "last_name": "Lovelace"}

    assert named == body_of("create-candidate", **named)
    assert {
        **named,
        "email_addresses": [{"value": "ada@example.com", "type": "personal"}],
        "phone_numbers": [{"value": "555 0100", "type": "mobile"}],
    } == body_of("create-candidate", **named, email="ada@example.com", phone="555 0100")


def test_an_application_is_moved_from_where_it_is() -> None:
    """Greenhouse refuses a move out of another stage, so that the present one is asked for before."""
    connector = connector_of("greenhouse")
    function = connector.functions["greenhouse-move-application"]
    (prior,) = prior_requests_of(connector, function, {"application": 7})

    assert ("GET", "https://harvest.greenhouse.io/v3/applications?ids=7") == (prior.method, prior.url)
    assert {"from_stage_id"} == set(body_of("move-application", application=7))
    assert 5 == body_of("move-application", application=7, stage=5)["to_stage_id"]


def test_an_interview_has_a_panel_and_an_event() -> None:
    """Nobody on the panel has answered yet; an event that no calendar has gets an id of its own."""
    times = {"starts_at": "2026-12-01T10:00:00Z", "ends_at": "2026-12-01T11:00:00Z"}
    planned = {"application": 1, "interview": 2, "interviewers": [3, 4], **times}
    sent = body_of("schedule-interview", **planned)

    assert [(3, "needs_action"), (4, "needs_action")] == [
        (each["user_id"], each["response_status"]) for each in sent["interviewers"]
    ]
    assert sent["external_event_id"] != body_of("schedule-interview", **planned)["external_event_id"]
    assert "cal-1" == body_of("schedule-interview", **planned, calendar_event="cal-1")["external_event_id"]


def test_a_hire_begins_at_midnight() -> None:
    """Greenhouse wants a moment for the first day; without one it gets none."""
    assert {"start_date": "2027-01-04T00:00:00Z"} == body_of("hire-application", application=1, starts_on="2027-01-04")
    assert {} == body_of("hire-application", application=1)


def test_a_rejection_sends_no_e_mail_unless_one_is_chosen() -> None:
    """Without a template nothing is said of an e-mail."""
    assert {"rejection_reason_id": 5} == body_of("reject-application", application=1, reason=5)


def test_stages_are_in_the_order_of_the_plan() -> None:
    """The stages of a job come as the plan has them, whatever the order of the answer."""
    assert ["Review", "Onsite"] == [
        each["name"]
        for each in read("list-stages", [{"name": "Onsite", "sort_order": 2}, {"name": "Review", "sort_order": 1}])
    ]


def test_people_have_names_to_choose_by() -> None:
    """Candidates are shown with their company, where there is one."""
    people = [
        {"first_name": "Ada", "last_name": "Lovelace", "company": "Acme"},
        {"first_name": "Alan", "last_name": "Turing"},
    ]

    assert ["Ada Lovelace (Acme)", "Alan Turing"] == [each["label"] for each in read("list-candidates", people)]
