"""How shipped connectors go on in lists of a kind of their own, and what their hooks add to answers."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.load import SHIPPED, load_connector
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.onward.values import OnwardRequest, OnwardResponse
from tests.connectors.building import request_of


def function_of(app: str, name: str) -> tuple[Connector, FunctionDefinition]:
    """Load a function of a shipped connector."""
    connector, problems = load_connector(SHIPPED / app)
    assert [] == problems
    assert connector is not None
    return connector, connector.functions[f"{app}-{name}"]


def next_request(app: str, name: str, arguments: dict[str, Any], answer: Any) -> OnwardRequest | None:
    """Return the request for the page after an answer, None where that was the last one."""
    connector, function = function_of(app, name)
    assert function.pagination is not None
    request = request_of(connector, function, arguments)
    output = function.picker(answer) if function.picker is not None else answer
    response = OnwardResponse(status=200, headers={}, body=json.dumps(answer).encode(), url=request.url)
    following = function.pagination.following(None, request, response, answer, output)
    return None if following.position is None else function.pagination.apply(request, following.position)


def test_stripe_goes_on_behind_the_last_object() -> None:
    """Stripe's lists have no cursor: the last object's id is one, as long as there is more."""
    page = {"data": [{"id": "cus_1"}, {"id": "cus_2"}], "has_more": True}
    following = next_request("stripe", "list-customers", {}, page)

    assert following is not None
    assert ["cus_2"] == parse_qs(urlsplit(following.url).query)["starting_after"]
    assert next_request("stripe", "list-customers", {}, {**page, "has_more": False}) is None
    assert next_request("stripe", "list-customers", {}, {"data": [], "has_more": False}) is None


def test_shopify_goes_on_by_a_variable_of_the_query() -> None:
    """The cursor of a GraphQL connection is sent as a variable beside the others."""
    page = {"data": {"orders": {"nodes": [{"id": "o1"}], "pageInfo": {"hasNextPage": True, "endCursor": "c1"}}}}
    following = next_request("shopify", "list-orders", {"query": "status:open"}, page)

    assert following is not None
    assert {"query": "status:open", "after": "c1"} == json.loads(following.body)["variables"]


def test_salesforce_goes_on_at_a_path() -> None:
    """Salesforce names the next records by a path on the org's own host."""
    page = {"records": [{"Id": "1"}], "nextRecordsUrl": "/services/data/v64.0/query/01g-2000"}
    following = next_request("salesforce", "list-accounts", {}, page)

    assert following is not None
    assert "https://acme.my.salesforce.com/services/data/v64.0/query/01g-2000" == following.url


@pytest.mark.parametrize("name", ["list-meetings", "list-invitees"])
def test_calendly_gives_ids_beside_uris(name: str) -> None:
    """Calendly's addresses ask for ids that stand only at the end of URIs, so they are picked out of them."""
    _, function = function_of("calendly", name)
    body = {"collection": [{"uri": "https://api.calendly.com/scheduled_events/E1/invitees/I1"}, {"name": "no uri"}]}
    assert function.reshape is not None

    assert ["I1", None] == [item.get("id") for item in function.reshape(body)["collection"]]


def test_sendgrid_takes_moments_as_unix_times() -> None:
    """A moment with its time zone becomes the seconds since 1970; one that isn't given is left out."""
    connector, function = function_of("sendgrid", "list-bounces")
    request = request_of(connector, function, {"start_time": "2026-11-21T11:00:00+01:00"})

    assert {"start_time": ["1795255200"], "limit": ["100"]} == parse_qs(
        urlsplit(function.pagination.apply(request, None).url if function.pagination else request.url).query
    )
