"""Xero's Accounting API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "xero-node@20.0.0",
        "sha512-pDC0/3WX9gN8g61lQ8EjLbdH8AnQyYE9qnkB4MhYxDYnczdL1nAtp90Gp7hgeasbatSz9HG8Dvi6aqOnie4JgQ==",
    ),
    base_url="https://api.xero.com/api.xro/2.0",
    sources=("dist/gen/api/accountingApi.js",),
    reader=operations(
        r"localVarPath = this\.basePath \+ '(?P<path>[^']+)'(?:(?!localVarPath = ).)*?method: '(?P<method>\w+)'"
    ),
    types=("dist/gen/model/accounting/*.js",),
)
