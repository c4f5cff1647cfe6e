"""Notion's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "@notionhq/client@5.26.0",
        "sha512-Oc3438nQ5YmZkVO7YJG8fcTYl0V46CirdCvO33azZ9f7ZfD2rsHE4fUVANJiBB9Xf1sqpCs82nd8oKPxeXLmMg==",
    ),
    base_url="https://api.notion.com/v1",
    sources=("build/src/api-endpoints/*.js",),
    reader=operations(r'method: "(?P<method>\w+)",(?:(?!method:).)*?path: \(\w*\) => `(?P<path>[^`]+)`'),
    types=("build/src/api-endpoints/*.d.ts",),
    free=frozenset({"properties", "filter"}),
)
