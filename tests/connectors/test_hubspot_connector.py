"""What the HubSpot connector sends of deals."""

import json

import pytest

from tests.connectors.building import connector_of, request_of


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
