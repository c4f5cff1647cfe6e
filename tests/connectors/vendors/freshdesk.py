"""Freshdesk's API by a server for agents, since the vendor keeps neither a description nor a client with paths."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import pypi

_read = operations(
    r"url = f\"https://\{FRESHDESK_DOMAIN\}/api/v2(?P<path>/[^\"]*)\"",
    method=r"client\.(get|post|put|delete)\(",
    names="file",
)


def _paths(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Leave out a query that stands in a path."""
    for operation in _read(sources):
        yield evolve(operation, path=operation.path.partition("?")[0])


CHECK = ClientSources(
    pypi(
        "freshdesk-mcp-iplweb==1.3.0",
        "sha256:02224d58fe056d789ab7a00d97c886e806e19f24e4a3c4e31103f9f6cd2c9938",
    ),
    base_url="https://acme.freshdesk.com/api/v2",
    sources=("freshdesk_mcp/server.py",),
    reader=_paths,
    # Documented by the vendor at https://developers.freshdesk.com/api/; the server hands on whatever it is given.
    extra=frozenset({"domains", "job_title", "tags"}),
)
