"""QuickBooks' query language and lines, as its hooks write them."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.connectors.building import connector_of, request_of


def query_of(name: str, **arguments: Any) -> str:
    """Return the query that a function asks."""
    connector = connector_of("quickbooks")
    request = request_of(connector, connector.functions[f"quickbooks-{name}"], arguments)
    return parse_qs(urlsplit(request.url).query)["query"][0]


def body_of(name: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("quickbooks")
    return json.loads(request_of(connector, connector.functions[f"quickbooks-{name}"], arguments).body)


@pytest.mark.parametrize(
    ("search", "expected"), [("O'Brien", r"'%O\'Brien%'"), ("\\", r"'%\\%'"), ("' OR Id > '0", r"'%\' OR Id > \'0%'")]
)
def test_a_search_stays_a_text(search: str, expected: str) -> None:
    """An apostrophe or a backslash that somebody searches for can't end the text in a query."""
    query = query_of("list-customers", search=search)

    assert f"SELECT * FROM Customer WHERE Active = true AND DisplayName LIKE {expected}" in query


def test_conditions_are_all_asked_for() -> None:
    """Each argument of a list narrows it, and a page goes on behind the one before."""
    query = query_of("list-invoices", customer_id="7", unpaid=True, due_before="2026-12-01", page=3)
    conditions = "CustomerRef = '7' AND Balance > '0' AND DueDate < '2026-12-01'"

    assert f"SELECT * FROM Invoice WHERE {conditions} STARTPOSITION 401 MAXRESULTS 200" == query
    assert "SELECT * FROM Invoice STARTPOSITION 1 MAXRESULTS 200" == query_of("list-invoices", unpaid=False)


def test_lines_of_sales_have_their_amount() -> None:
    """A line costs its price times its quantity, rounded to cents; without a quantity it is one."""
    lines = [{"item_id": "3", "unit_price": 0.1, "quantity": 3}, {"item_id": "4", "unit_price": 80, "tax_code": "2"}]
    sent = body_of("create-invoice", customer_id="7", lines=lines)["Line"]

    assert [0.3, 80] == [line["Amount"] for line in sent]
    assert {"ItemRef": {"value": "4"}, "Qty": 1, "UnitPrice": 80, "TaxCodeRef": {"value": "2"}} == (
        sent[1]["SalesItemLineDetail"]
    )


def test_a_payment_pays_an_invoice_or_none() -> None:
    """A payment names the invoice that it pays; without one it has no lines."""
    paid = body_of("create-payment", customer_id="7", amount=120, invoice_id="9")

    assert [{"Amount": 120, "LinkedTxn": [{"TxnId": "9", "TxnType": "Invoice"}]}] == paid["Line"]
    assert "Line" not in body_of("create-payment", customer_id="7", amount=120)
