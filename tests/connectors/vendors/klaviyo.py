"""Klaviyo's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "klaviyo-api@23.0.0",
        "sha512-YUNYLC0tVItOKpujhvm5SgD07ffqEPhx47P/r6Pk/HvRLLY1NvvZAMFUXKt6GlAMEVJEgI4IkGqyZIKAKe2QWA==",
    ),
    base_url="https://a.klaviyo.com",
    sources=("dist/api/*Api.js",),
    reader=operations(
        r"localVarPath = this\.basePath \+ '(?P<path>[^']+)'(?:(?!localVarPath = ).)*?method: '(?P<method>\w+)'"
    ),
    types=("dist/model/*.d.ts",),
    free=frozenset({"properties"}),
)
