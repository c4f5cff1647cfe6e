"""WooCommerce's amounts of money, as the connector's hook writes them."""

import json
from typing import Any

import pytest

from tests.connectors.building import connector_of, request_of


def body_of(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("woocommerce")
    return json.loads(request_of(connector, connector.functions[f"woocommerce-{function}"], arguments).body)


@pytest.mark.parametrize(
    ("price", "expected"), [(12, "12"), (12.5, "12.5"), (0.1 + 0.2, "0.3"), (1234567.89, "1234567.89")]
)
def test_prices_are_texts(price: float, expected: str) -> None:
    """WooCommerce refuses numbers where it has texts, and a text has no more digits than somebody gave."""
    assert expected == body_of("create-product", name="Mug", price=price)["regular_price"]


def test_amounts_that_are_not_given_are_not_sent() -> None:
    """What isn't given isn't sent, so that a change leaves it as it is."""
    assert {"status": "draft"} == body_of("update-product", product_id=7, status="draft")
