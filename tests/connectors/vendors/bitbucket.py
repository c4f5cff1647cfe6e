"""Bitbucket's REST API by the client that most of its users of Node take, which is made of the vendor's document."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "bitbucket@2.12.0",
        "sha512-YqaiTPEmn5mkwdU2gGcJZcQ6B8/DhCHhc3SSYqSpnef6nSTTSa/2GSBoLEgPLqAuqrQITGKq8MgYkfDMtnJPuw==",
    ),
    base_url="https://api.bitbucket.org/2.0",
    sources=("lib/index.js",),
    reader=operations(r'method:"(?P<method>\w+)"(?:(?!method:").)*?url:"(?P<path>[^"]+)"', names="before"),
    types=("lib/bitbucket.d.ts",),
    # Documented by the vendor, and younger than the client.
    extra=frozenset({"draft"}),
)
