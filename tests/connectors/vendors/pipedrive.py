"""Pipedrive's API by the vendor's own client: its second version, and of the first what the second lacks."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.packages import npm

_PACKAGE = npm(
    "pipedrive@33.7.0",
    "sha512-uOviNs7zW5hrVlVuWyHTNcKxU8r0WrYcPL5A6FTSADKsYFxNabgEWBls3dYRFN/hiDdJpZz4uu9YuQef/ZuzmA==",
)


def _version(number: str) -> ClientSources:
    return ClientSources(
        _PACKAGE,
        base_url=f"https://*.pipedrive.com/api/{number}",
        sources=(f"dist/versions/{number}/api/*-api.js",),
        reader=operations(r"localVarPath = `(?P<path>[^`]+)`(?:(?!localVarPath = ).)*?method: '(?P<method>\w+)'"),
        types=(f"dist/versions/{number}/models/*.d.ts",),
        free=frozenset({"custom_fields"}),
    )


CHECK = AnyOf(_version("v2"), _version("v1"))
