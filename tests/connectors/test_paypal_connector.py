"""PayPal's amounts of money, as the connector's hooks write them."""

import json
from typing import Any

import pytest

from service_server.catalog.hooks import InvalidRequest
from tests.connectors.building import connector_of, request_of


def body_of(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("paypal")
    return json.loads(request_of(connector, connector.functions[f"paypal-{function}"], arguments).body)


@pytest.mark.parametrize(("amount", "expected"), [(24, "24"), (24.5, "24.50"), (1200.0, "1200"), (0.1 + 0.2, "0.30")])
def test_money_is_a_text(amount: float, expected: str) -> None:
    """An amount is written without cents where it has none, as yen are, and otherwise with two digits."""
    sent = body_of("refund-payment", capture_id="2GG279541U471931P", amount=amount, currency="EUR")

    assert {"amount": {"currency_code": "EUR", "value": expected}} == sent


def test_a_whole_refund_names_no_amount() -> None:
    """Without an amount everything is refunded; an amount without its currency is refused before it is sent."""
    assert {} == body_of("refund-payment", capture_id="2GG279541U471931P")
    with pytest.raises(InvalidRequest, match="with an amount"):
        body_of("refund-payment", capture_id="2GG279541U471931P", amount=5)


def test_lines_of_invoices_have_the_currency() -> None:
    """Each line has its price in the currency of the invoice, and the tax where one is given."""
    lines = [{"name": "Design", "price": 500, "tax_percent": 19}, {"name": "Lamp", "price": 39.9, "quantity": 2}]
    sent = body_of("create-invoice", currency="EUR", lines=lines, due_date="2026-12-31")

    assert {"name": "Tax", "percent": "19"} == sent["items"][0]["tax"]
    assert {"currency_code": "EUR", "value": "39.90"} == sent["items"][1]["unit_amount"]
    assert "2" == sent["items"][1]["quantity"]
    assert {"term_type": "DUE_ON_DATE_SPECIFIED", "due_date": "2026-12-31"} == sent["detail"]["payment_term"]


def test_a_trial_comes_before_the_price() -> None:
    """A plan with a trial has two cycles in their order, one without has one."""
    plan = {"product_id": "PROD-1", "name": "Gold", "price": 9.99, "currency": "EUR", "unit": "MONTH"}
    cycles = body_of("create-plan", **plan, trial_days=14)["billing_cycles"]

    assert [("TRIAL", 1), ("REGULAR", 2)] == [(cycle["tenure_type"], cycle["sequence"]) for cycle in cycles]
    assert [1] == [cycle["sequence"] for cycle in body_of("create-plan", **plan)["billing_cycles"]]


def test_invoices_are_searched_between_two_days() -> None:
    """PayPal wants both days of a search or none."""
    sent = body_of("list-invoices", since="2026-11-01", until="2026-11-30")

    assert {"start": "2026-11-01", "end": "2026-11-30"} == sent["invoice_date_range"]
    with pytest.raises(InvalidRequest, match="too"):
        body_of("list-invoices", since="2026-11-01")
