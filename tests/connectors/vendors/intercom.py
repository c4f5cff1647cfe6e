"""Intercom's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "intercom-client@7.0.3",
        "sha512-2rsNxBNqDqA0rZ0E/VsWa+/Ao+/nOxKNj9P7gUiQoOGY88eULTJUNtT9oNnT4Dq2+6dr0vvvo+I8ZNzN30Xj7A==",
    ),
    base_url="https://api.intercom.io",
    sources=("dist/cjs/api/resources/*/Client.js",),
    reader=operations(r"url: core\.url\.join\([^\n]*?, [`\"](?P<path>[^`\"]+)[`\"]\),\s*method: \"(?P<method>\w+)\""),
    types=("dist/cjs/api/*.d.ts",),
)
