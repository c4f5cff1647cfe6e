"""Pipedrive's API by the vendor's own client: its second version, and of the first what the second lacks."""

from tests.connectors.descriptions.compiled_types import CompiledClient
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.openapi_generator import AXIOS_CALLS, HEAD
from tests.connectors.descriptions.packages import npm


def _version(number: str) -> CompiledClient:
    return CompiledClient(
        npm("pipedrive@33.7.0"),
        base_url=f"https://*.pipedrive.com/api/{number}",
        sources=(f"dist/versions/{number}/api/*-api.js",),
        reader=AXIOS_CALLS,
        head=HEAD,
        types=(f"dist/versions/{number}/*.d.ts",),
    )


CHECK = AnyOf(_version("v2"), _version("v1"))
