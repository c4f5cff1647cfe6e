"""A user's call and account as values, for tests of single steps."""

from typing import Any

from service_server.catalog.catalog import Catalog
from service_server.invoke import CallRequest, FormBody, JsonBody
from service_server.store import Account


def request_of(
    catalog: Catalog,
    function: str,
    body: JsonBody | FormBody | None = None,
    *,
    app: str = "acme",
    request_id: str = "r",
) -> CallRequest:
    """A call of Ann's, of a function of an app."""
    connector = catalog.connectors[app]
    return CallRequest(
        application_id=1,
        user_id="ann",
        connector=connector,
        function=connector.functions[function],
        body=body or JsonBody({}),
        connected_account_id=None,
        request_id=request_id,
    )


def account_of(account_id: int = 3, **changes: Any) -> Account:
    """An account of Ann's in that app."""
    values: dict[str, Any] = {
        "application_id": 1,
        "user_id": "ann",
        "app_name": "acme",
        "auth_id": "key",
        "external_id": None,
        "display_name": f"Account {account_id}",
        "state": "active",
        "state_reason": None,
        "sealed_credentials": "",
        "variables": {},
        "expires_at": None,
        "version": 1,
        "modified_at": "2026",
    }
    return Account(id=account_id, **values | changes)
