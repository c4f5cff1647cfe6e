"""Airtable's API by the client in an MCP server of others."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm

_PATH = r"(?:fetchFromAPI\(|endpoint = )['`](?P<path>/v0/(?:\$\{\w+\}|[\w/])+)"
_OTHERS = operations(_PATH, method=r"method: '(\w+)'")
_READING = operations(_PATH + r"(?:(?!method: |async ).)*?\n    \}", always="GET")


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    yield from _OTHERS(sources)
    yield from _READING(sources)


CHECK = ClientSources(
    npm(
        "airtable-mcp-server@1.14.0",
        "sha512-OYUwkrIhXsYRqx39wQ5R7OAM5R0RdDWJRb8CBMLFU8OGPAB1Jmm4oOrLtaH3Qmtd+UG2IAT+nFlFrqfs//2klA==",
    ),
    base_url="https://api.airtable.com",
    sources=("dist/airtableService.js",),
    reader=_read,
    types=("dist/types.js", "dist/airtableService.js"),
    free=frozenset({"fields"}),
    # As the client pyairtable writes them.
    extra=frozenset({"performUpsert", "fieldsToMergeOn"}),
)

UNDESCRIBED = {
    "update-record": "the client changes records by the dozen; the client pyairtable 3.5 has this (Table.update)",
    "delete-record": "the client deletes records by the dozen; the client pyairtable 3.5 has this (Table.delete)",
}
