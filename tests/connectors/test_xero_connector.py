"""Xero's conditions, as the connector's hooks write them, and whose organisation a request is for."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(name: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of("xero")
    return request_of(connector, connector.functions[f"xero-{name}"], arguments)


def where(name: str, **arguments: Any) -> list[str]:
    """Return the conditions that a list is asked for with."""
    return parse_qs(urlsplit(request(name, **arguments).url).query).get("where", [])


def test_days_are_written_as_xero_has_them() -> None:
    """Days become Xero's DateTime, beside the condition that tells invoices from bills."""
    assert ['Type=="ACCREC" AND DueDate<DateTime(2026, 12, 01)'] == where("list-invoices", due_before="2026-12-01")
    assert ['Type=="ACCPAY"'] == where("list-bills")
    assert [] == where("list-payments")


def test_accounts_are_told_apart() -> None:
    """Only active accounts are listed, of a type and a class where they are asked for."""
    assert ['Status=="ACTIVE" AND Type=="BANK"'] == where("list-accounts", type="BANK")
    assert ['Status=="ACTIVE" AND Class=="EXPENSE"'] == where("list-accounts", **{"class": "EXPENSE"})


def test_a_request_names_its_organisation() -> None:
    """One token may open several organisations, so that each request names the one it is for."""
    assert "xero-tenant-id" in {name.lower() for name, _ in request("list-contacts").headers}
