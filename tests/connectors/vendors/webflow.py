"""Webflow's Data API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "webflow-api@3.3.4",
        "sha512-GqKhOR4oUGsPX/gvOZIItBRLhCdNlPP3ind/PCR9Tj5YHeus5EWpamimiCW14SxHAa2BKQLJfxU1jvG6n5OLUw==",
    ),
    base_url="https://api.webflow.com/v2",
    sources=("dist/api/resources/*/client/Client.js",),
    reader=operations(
        r"\.base, (?P<quote>[`\"])(?P<path>[^\n]*?)(?P=quote)\),\s*method: \"(?P<method>\w+)\"", names="file"
    ),
    # How the client's types are written in JSON.
    types=("dist/serialization/types/*.d.ts", "dist/serialization/resources/*/client/requests/*.d.ts"),
    free=frozenset({"fieldData"}),
)
