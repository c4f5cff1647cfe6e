"""Zoom by its own client for Node."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "@zoom/rivet@0.4.0",
        "sha512-bsY3PuPDmZWQtol1IWojUDye6SeaOdD+WF5B+MlWSV2VD/9+LNpBkayb4YuUp0lksANHBcNROo1QxQKPWH7IEw==",
    ),
    base_url="https://api.zoom.us/v2",
    sources=("meetings/meetings.mjs", "users/users.mjs"),
    reader=operations(
        r'buildEndpoint\(\{\s*method: "(?P<method>[A-Z]+)",\s*urlPathBuilder: \([^)]*\) => `(?P<path>[^`]+)`'
    ),
    types=("meetings/meetings.d.ts",),
)
