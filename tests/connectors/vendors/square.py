"""Square's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "square@46.0.0",
        "sha512-kxjA2w1ttzVPPojuwRnco0zIPBEfXOz7zaNsIy0YD1hmtryz92v1jGtw5VNoWb4H/hw9O0crsWnLFjZlJUUQYA==",
    ),
    base_url="https://connect.squareup.com",
    sources=("api/resources/*/client/Client.js",),
    reader=operations(
        r"Environment\.Production, (?P<quote>[`\"])(?P<path>v2/[^\n]*?)(?P=quote)\),\s*method: \"(?P<method>\w+)\"",
        names="file",
    ),
    # How the client's types are written in JSON.
    types=("serialization/types/*.d.ts", "serialization/resources/*/client/requests/*.d.ts"),
)
