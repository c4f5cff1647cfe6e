"""Sentry's API by the vendor's own client, which is made of its OpenAPI document."""

from tests.connectors.descriptions.generated_clients import GeneratedClient
from tests.connectors.descriptions.packages import npm

CHECK = GeneratedClient(
    npm(
        "@sentry/api@0.1.0",
        "sha512-MD7fuza1n+dkLT+rCbom3GX4/IvwI36WBWdjCZxmNJbxUH/PXzBZN7leoK5q/5KrtrzdxrBHVV5OA03HBf1SqA==",
    ),
    base_url="https://sentry.io",
    calls="dist/index.js",
    types="dist/types.gen.d.ts",
    call=r"^var (?P<name>\w+) = \(options\) => [^\n]*\.(?P<method>\w+)\(\{[^}]*\}\],\s*url: \"(?P<path>[^\"]+)\"",
)
