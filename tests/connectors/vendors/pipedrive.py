"""Pipedrive's API by the vendor's own client: its second version, and of the first what the second lacks."""

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.description import Description, any_of
from tests.connectors.descriptions.openapi_generator import AXIOS_CALLS, HEAD
from tests.connectors.descriptions.packages import npm


def _version(number: str) -> Description:
    return compiled_client(
        npm("pipedrive@33.7.0"),
        base_url=f"https://*.pipedrive.com/api/{number}",
        sources=(f"dist/versions/{number}/api/*-api.js",),
        reader=AXIOS_CALLS,
        head=HEAD,
        types=(f"dist/versions/{number}/*.d.ts",),
    )


CHECK = any_of(_version("v2"), _version("v1"))
