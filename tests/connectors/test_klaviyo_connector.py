"""Klaviyo's conditions and events, as the connector's hooks write them."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of("klaviyo")
    return request_of(connector, connector.functions[f"klaviyo-{function}"], arguments)


def filter_of(function: str, **arguments: Any) -> list[str]:
    """Return the conditions that a list is asked for with."""
    return parse_qs(urlsplit(request(function, **arguments).url).query).get("filter", [])


@pytest.mark.parametrize(
    ("search", "expected"), [("Sale", 'contains(name,"Sale")'), ('") or ("', r'contains(name,"\") or (\"")')]
)
def test_a_search_stays_a_text(search: str, expected: str) -> None:
    """A quotation mark that somebody searches for can't end the text; campaigns are those by e-mail if nobody says."""
    assert [f'equals(messages.channel,"email"),{expected}'] == filter_of("list-campaigns", search=search)


def test_conditions_are_all_asked_for() -> None:
    """Each argument narrows a list; without any there are no conditions."""
    assert ['equals(metric_id,"M1"),greater-or-equal(datetime,2026-11-01T00:00:00Z)'] == filter_of(
        "list-events", metric="M1", since="2026-11-01T00:00:00Z"
    )
    assert [] == filter_of("list-profiles")


def test_an_event_has_properties() -> None:
    """Klaviyo refuses an event without properties, also where there is nothing to say."""
    sent = json.loads(request("create-event", metric="Visited", email="ann@acme.example").body)

    assert {} == sent["data"]["attributes"]["properties"]
