"""HubSpot's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "@hubspot/api-client@13.5.0",
        "sha512-zZ9ybOqudSgAZSow5dgYWRkslDPfqA2fWnERMqWQm6ASlM/XCFS6zoec0zD3d6OxeoLOfiovVo39gVpK+KWQ9Q==",
    ),
    base_url="https://api.hubapi.com",
    sources=("lib/codegen/*Api.js",),
    reader=operations(r"localVarPath = '(?P<path>[^']+)'(?:(?!localVarPath = ).)*?HttpMethod\.(?P<method>\w+)"),
    types=("lib/codegen/crm/*/models/*.js",),
    free=frozenset({"properties"}),
    # The client types what results are sorted by as texts, the vendor documents objects.
    extra=frozenset({"direction"}),
)

UNDESCRIBED = {"test": "HubSpot documents it as Account Information; the client has no such call"}
