"""What the HubSpot connector sends of deals and activities, and how it goes on in lists."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service_server.onward.values import OnwardResponse
from tests.connectors.building import connector_of, request_of


def sent(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("hubspot")
    return json.loads(request_of(connector, connector.functions[f"hubspot-{function}"], arguments).body)


@pytest.mark.parametrize(("amount", "expected"), [(5000, "5000"), (12.5, "12.5"), (1e21, "1000000000000000000000")])
def test_amounts_are_texts(amount: float, expected: str) -> None:
    """HubSpot has the values of all properties as texts, amounts too, and takes no powers of ten."""
    connector = connector_of("hubspot")
    arguments = {"name": "Acme", "pipeline_id": "default", "stage_id": "won", "amount": amount}
    request = request_of(connector, connector.functions["hubspot-create-deal"], arguments)

    assert expected == json.loads(request.body)["properties"]["amount"]


def test_an_amount_may_be_left_out() -> None:
    """A deal that changes keeps its amount where none is given."""
    connector = connector_of("hubspot")
    request = request_of(connector, connector.functions["hubspot-update-deal"], {"deal_id": "1", "name": "Acme"})

    assert {"properties": {"dealname": "Acme"}} == json.loads(request.body)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("notes", "hs_note_body"), ("calls", "hs_call_body"), ("meetings", "hs_meeting_body"), ("tasks", "hs_task_body")],
)
def test_activities_come_with_what_they_say(kind: str, text: str) -> None:
    """HubSpot gives back of activities only what is asked for by name, so texts and times are asked for."""
    body = sent("list-contact-activities", contact_id="151", kind=kind)

    assert {"hs_timestamp", text, "hubspot_owner_id"} <= set(body["properties"])
    assert [{"propertyName": "associations.contact", "operator": "EQ", "value": "151"}] == body["filterGroups"][0][
        "filters"
    ]


def test_what_is_noted_down_without_a_time_happened_now() -> None:
    """HubSpot refuses an activity without a place on the timeline, and nobody says one who writes a note."""
    said = sent("create-note", contact_id="151", text="Called", time="2026-11-21T10:00:00Z")
    unsaid = sent("create-note", contact_id="151", text="Called")

    assert "2026-11-21T10:00:00Z" == said["properties"]["hs_timestamp"]
    assert datetime.now(UTC) - datetime.fromisoformat(unsaid["properties"]["hs_timestamp"]) < timedelta(minutes=1)


def test_tasks_can_be_told_apart() -> None:
    """Tasks that are chosen from a list have their titles, whatever else is asked for, and each name once."""
    assert "hs_task_subject" in sent("search-tasks")["properties"]
    assert ["hs_task_subject", "hs_queue_membership_ids"] == sent(
        "search-tasks", properties=["hs_queue_membership_ids"]
    )["properties"]
    assert ["hs_task_subject"] == sent("search-tasks", properties=["hs_task_subject"])["properties"]


def test_lists_go_on_where_hubspot_says() -> None:
    """Lists of other objects are left out of the results, but the next page begins behind them all the same."""
    connector = connector_of("hubspot")
    function = connector.functions["hubspot-list-lists"]
    request = request_of(connector, function, {})
    contacts = {"listId": "31", "name": "Fair", "processingType": "MANUAL", "objectTypeId": "0-1"}
    companies = {"listId": "32", "name": "Partners", "processingType": "MANUAL", "objectTypeId": "0-2"}
    assert function.pagination is not None
    assert function.picker is not None
    for lists, expected in (([contacts, companies], ["31"]), ([companies], [])):
        answer = {"lists": lists, "offset": 100, "hasMore": True}
        output = function.picker(answer)
        response = OnwardResponse(status=200, headers={}, body=json.dumps(answer).encode(), url=request.url)
        following = function.pagination.following(None, request, response, answer, output)

        assert expected == [each["id"] for each in output]
        assert 100 == following.position
        assert 100 == json.loads(function.pagination.apply(request, following.position).body)["offset"]

    last = {"lists": [contacts], "offset": 101, "hasMore": False}
    assert function.pagination.following(None, request, response, last, function.picker(last)).position is None


def test_records_of_any_kind_have_names() -> None:
    """Tasks and notes that are chosen among records are asked for with their texts; other records show theirs."""
    assert "hs_task_subject" in sent("list-records", object_type="tasks", search="offer")["properties"]
    assert "hs_note_body" in sent("list-records", object_type="notes", search="offer")["properties"]
    assert "properties" not in sent("list-records", object_type="deals", search="offer")
    assert ["amount"] == sent("list-records", object_type="deals", search="offer", properties=["amount"])["properties"]
