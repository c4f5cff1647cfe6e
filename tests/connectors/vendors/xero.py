"""Xero's Accounting API by the vendor's own client."""

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.openapi_generator import HEAD, NODE_CALLS, as_sent
from tests.connectors.descriptions.packages import npm

CHECK = compiled_client(
    npm("xero-node@20.0.0"),
    base_url="https://api.xero.com/api.xro/2.0",
    sources=("dist/gen/api/accountingApi.js",),
    reader=NODE_CALLS,
    head=HEAD,
    types=("dist/gen/api/accountingApi.d.ts", "dist/gen/model/accounting/*.js", "dist/gen/model/accounting/*.d.ts"),
    rewrite=as_sent,
)
