"""ServiceNow's conditions, as the connector's hooks write them."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of("servicenow")
    return request_of(connector, connector.functions[f"servicenow-{function}"], arguments)


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        ("list-incidents", {}, "ORDERBYDESCsys_updated_on"),
        (
            "list-incidents",
            {"search": "no net", "state": "1"},
            "numberLIKEno net^ORshort_descriptionLIKEno net^state=1^ORDERBYDESCsys_updated_on",
        ),
        ("list-users", {"search": "Ada"}, "nameLIKEAda^ORemailLIKEAda^active=true^ORDERBYname"),
        ("list-groups", {}, "ORDERBYname"),
        ("list-tables", {"search": "asset"}, "labelLIKEasset^ORnameLIKEasset^ORDERBYlabel"),
        ("search-knowledge", {"search": "VPN"}, "short_descriptionLIKEVPN^ORtextLIKEVPN^workflow_state=published"),
    ],
)
def test_conditions(function: str, given: dict[str, Any], expected: str) -> None:
    """What is asked for is written in ServiceNow's language, with an order."""
    assert [expected] == parse_qs(urlsplit(request(function, **given).url).query)["sysparm_query"]


@pytest.mark.parametrize("search", ["a^ORpriority=1", "javascript:gs.log(1)", " JavaScript:x"])
def test_a_search_stays_a_text(search: str) -> None:
    """What would be a condition, or a script, is refused at the search."""
    with pytest.raises(InvalidRequest) as problem:
        request("list-users", search=search)

    assert "search" == problem.value.field


def test_a_resolved_incident_says_how() -> None:
    """An incident is resolved by its state, the kind of solution and what was done."""
    sent = request("resolve-incident", incident="9c57", code="Workaround provided", notes="Restarted it")

    assert "https://acme.service-now.com/api/now/table/incident/9c57" == sent.url
    assert {"state": "6", "close_code": "Workaround provided", "close_notes": "Restarted it"} == json.loads(sent.body)
