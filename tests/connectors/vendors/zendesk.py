"""Zendesk's Support API by the client that most of its users of Node take."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm


def _calls(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read the calls of a minified client: `this.getAll(["tickets",e,"comments"])`."""
    path = r"\((?P<path>\[[^\]{]*)"
    yield from operations(rf"this\.(?:get|getAll){path}", always="GET", names="file")(sources)
    yield from operations(rf"(?:this|super)\.(?P<method>post|put|delete){path}", names="file")(sources)


CHECK = ClientSources(
    npm(
        "node-zendesk@6.0.1",
        "sha512-WWXF9NisTZR766J9Mzaxl3q3L+DR9TqrN4PZTiQoVBwtWCWQ3eChDMJbNxy98En6F/ZqJWHs9ojRd7R5gOtdoA==",
    ),
    base_url="https://*.zendesk.com/api/v2",
    sources=("dist/index.js",),
    reader=_calls,
    types=("dist/types/clients/core/*.d.ts",),
    # Documented by the vendor, but not typed by the client.
    extra=frozenset({"per_page", "domain_names"}),
)
