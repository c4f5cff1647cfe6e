"""Square's money, lines and variations, as the connector's hooks write and read them."""

import json
from typing import Any

import pytest

from service_server.catalog.hooks import reshaped
from tests.connectors.building import connector_of, request_of


def body_of(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("square")
    return json.loads(request_of(connector, connector.functions[f"square-{function}"], arguments).body)


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [(12.5, "USD", 1250), (19.99, "EUR", 1999), (0.29, "GBP", 29), (500, "JPY", 500)],
)
def test_money_is_in_the_smallest_unit(amount: float, currency: str, expected: int) -> None:
    """An amount is sent in cents, and in whole yen."""
    sent = body_of("refund-payment", payment_id="p1", amount=amount, currency=currency)

    assert {"amount": expected, "currency": currency} == sent["amount_money"]


def test_each_request_has_a_key_of_its_own() -> None:
    """Square takes a key that it has seen for the same request, so that two refunds have two of them."""
    refund = {"payment_id": "p1", "amount": 5, "currency": "USD"}
    keys = {body_of("refund-payment", **refund)["idempotency_key"] for _ in range(2)}

    assert 2 == len(keys)


def test_lines_are_items_or_have_a_price() -> None:
    """A line names a variation of the catalogue, or has a name and a price; quantities are texts."""
    lines = [{"variation_id": "V1", "quantity": 2}, {"name": "Gift wrap", "price": 1.5, "quantity": 0.5}]
    sent = body_of("create-order", location_id="L1", currency="USD", lines=lines)["order"]["line_items"]

    assert {"quantity": "2", "catalog_object_id": "V1"} == sent[0]
    assert {"quantity": "0.5", "name": "Gift wrap", "base_price_money": {"amount": 150, "currency": "USD"}} == sent[1]


def test_variations_are_called_by_their_items() -> None:
    """What can be sold is called by its item, and by its variation where there is more than the regular one."""
    variations = [
        {"id": "V1", "item_variation_data": {"name": "Small", "price_money": {"amount": 300}}},
        {"id": "V2", "item_variation_data": {"name": "Regular"}},
    ]
    reshape = connector_of("square").functions["square-list-variations"].reshape
    assert reshape is not None
    read = reshaped(reshape, {"items": [{"item_data": {"name": "Coffee", "variations": variations}}], "cursor": "c"})

    assert [("V1", "Coffee – Small"), ("V2", "Coffee")] == [(each["id"], each["label"]) for each in read["items"]]
    assert "c" == read["cursor"]
