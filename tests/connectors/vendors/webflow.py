"""Webflow's Data API by the vendor's own client."""

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.fern import HEAD, fern_calls
from tests.connectors.descriptions.packages import npm

CHECK = compiled_client(
    npm("webflow-api@3.3.4"),
    base_url="https://api.webflow.com/v2",
    sources=("dist/api/resources/*/client/Client.js",),
    reader=fern_calls(r"\.base"),
    head='import * as serializers from "./dist/serialization"; ' + HEAD,
    types=("dist/*.d.ts",),
)
