"""Dropbox's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "dropbox@10.34.0",
        "sha512-5jb5/XzU0fSnq36/hEpwT5/QIep7MgqKuxghEG44xCu7HruOAjPdOb3x0geXv5O/hd0nHpQpWO+r5MjYTpMvJg==",
    ),
    base_url="https://api.dropboxapi.com/2",
    sources=("lib/routes.js",),
    reader=operations(r"this\.request\('(?P<path>[^']+)'", always="POST"),
    types=("types/dropbox_types.d.ts",),
)
