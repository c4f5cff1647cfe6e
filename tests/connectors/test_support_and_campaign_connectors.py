"""Freshdesk's conditions and tickets, Zendesk's searches and ActiveCampaign's values, as the hooks write them."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(app: str, function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of(app)
    return request_of(connector, connector.functions[f"{app}-{function}"], arguments)


def test_all_conditions_have_to_hold() -> None:
    """Numbers stand as they are and texts in quotation marks, in a text that is itself in quotation marks."""
    sent = request("freshdesk", "filter-tickets", status=2, agent=7, tag="refund", created_after="2026-11-01")

    assert ["\"status:2 AND agent_id:7 AND tag:'refund' AND created_at:>'2026-11-01'\""] == (
        parse_qs(urlsplit(sent.url).query)["query"]
    )


@pytest.mark.parametrize(
    ("given", "field"), [({}, "status"), ({"tag": "a' OR status:2"}, "tag"), ({"type": 'a"'}, "type")]
)
def test_conditions_that_can_not_be_written_are_refused(given: dict[str, Any], field: str) -> None:
    """A quotation mark could end a text, and a search without a condition is none."""
    with pytest.raises(InvalidRequest) as problem:
        request("freshdesk", "filter-tickets", **given)

    assert field == problem.value.field


@pytest.mark.parametrize(("given", "expected"), [({}, (1, 2)), ({"priority": 4, "status": 3}, (4, 3))])
def test_a_ticket_has_a_priority_and_a_status(given: dict[str, Any], expected: tuple[int, int]) -> None:
    """A new ticket is of low priority and open unless somebody says otherwise."""
    sent = json.loads(request("freshdesk", "create-ticket", email="a@example.com", subject="S", text="T", **given).body)

    assert expected == (sent["priority"], sent["status"])


def test_types_of_tickets_are_told_by_the_field() -> None:
    """The types are the choices of one field among those of tickets."""
    function = connector_of("freshdesk").functions["freshdesk-list-ticket-types"]
    fields = [{"name": "status", "choices": {"2": ["Open"]}}, {"name": "ticket_type", "choices": ["Question"]}]

    assert [{"value": "Question"}] == function.pick(fields)


@pytest.mark.parametrize(("given", "value"), [({"value": 19.99}, 1999), ({}, None)])
def test_a_value_is_counted_in_hundredths(given: dict[str, Any], value: int | None) -> None:
    """People say 19.99, ActiveCampaign 1999; a deal whose value isn't changed keeps it."""
    sent = json.loads(request("activecampaign", "update-deal", deal="1", title="T", **given).body)

    assert value == sent["deal"].get("value")


@pytest.mark.parametrize(
    ("given", "expected"), [({"search": "ada"}, "ada"), ({"search": "ada", "role": "agent"}, "role:agent ada")]
)
def test_a_role_is_a_word_of_a_search(given: dict[str, Any], expected: str) -> None:
    """Zendesk's search for users has no parameter for their role; its syntax of searches has a word for it."""
    sent = parse_qs(urlsplit(request("zendesk", "list-users", **given).url).query)

    assert [expected] == sent["query"]
    assert "role" not in sent
