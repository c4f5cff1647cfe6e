"""Klaviyo's API by the vendor's own client."""

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.openapi_generator import HEAD, NODE_CALLS, as_sent
from tests.connectors.descriptions.packages import npm

CHECK = compiled_client(
    npm("klaviyo-api@23.0.0"),
    base_url="https://a.klaviyo.com",
    sources=("dist/api/*Api.js",),
    reader=NODE_CALLS,
    head=HEAD,
    types=("dist/api/*.d.ts", "dist/model/*.js", "dist/model/*.d.ts"),
    rewrite=as_sent,
    flat=True,
    commas=True,
    untyped=("body.data.attributes.properties",),
)
