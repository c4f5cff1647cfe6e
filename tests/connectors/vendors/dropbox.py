"""Dropbox's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.packages import npm

_PACKAGE = npm(
    "dropbox@10.34.0",
    "sha512-5jb5/XzU0fSnq36/hEpwT5/QIep7MgqKuxghEG44xCu7HruOAjPdOb3x0geXv5O/hd0nHpQpWO+r5MjYTpMvJg==",
)


def _routes(host: str) -> ClientSources:
    """The routes of one of the hosts: what is known of files goes over "api", files themselves over "content"."""
    return ClientSources(
        _PACKAGE,
        base_url=f"https://{host}.dropboxapi.com/2",
        sources=("lib/routes.js",),
        reader=operations(rf"this\.request\('(?P<path>[^']+)', \w+, '[^']+', '{host}'", always="POST"),
        types=("types/dropbox_types.d.ts",),
    )


CHECK = AnyOf(_routes("api"), _routes("content"))
