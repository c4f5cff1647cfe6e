"""Intercom's API by the vendor's own client."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, amended, compiled_client
from tests.connectors.descriptions.fern import HEAD, fern_calls
from tests.connectors.descriptions.packages import npm

_CALLS = fern_calls(r"Environment\.UsProduction")


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read the calls of the version that we use; the unstable one's bodies may be anything."""
    yield from _CALLS({file: text for file, text in sources.items() if "/unstable/" not in file})


CHECK = compiled_client(
    npm("intercom-client@7.0.3"),
    base_url="https://api.intercom.io",
    sources=("dist/cjs/api/resources/*/Client.js",),
    reader=_read,
    untyped=("body.ticket_attributes.*",),
    head=HEAD,
    types=("dist/cjs/*.d.ts",),
    # In the vendor's example of the call, and in the client where a ticket changes.
    rewrite=amended(
        (
            "export interface CreateTicketRequestBody {",
            "export interface CreateTicketRequestBody { ticket_attributes?: Record<string, unknown>;",
        )
    ),
)
