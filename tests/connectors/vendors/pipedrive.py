"""Pipedrive's API by the vendor's own client: its second version, and of the first what the second lacks."""

from tests.connectors.descriptions.compiled_types import Rewrite, amended, as_they_are, compiled_client
from tests.connectors.descriptions.description import Description, any_of
from tests.connectors.descriptions.openapi_generator import AXIOS_CALLS, HEAD
from tests.connectors.descriptions.packages import npm

# Told in answers, but refused where it is sent: the main one of the participants is this person.
_READ_ONLY = """    * The ID of the person linked to the activity
    * @type {number}
    */
    'person_id'?: number;
"""


def _version(number: str, rewrite: Rewrite = as_they_are) -> Description:
    return compiled_client(
        npm("pipedrive@33.7.0"),
        base_url=f"https://*.pipedrive.com/api/{number}",
        sources=(f"dist/versions/{number}/api/*-api.js",),
        reader=AXIOS_CALLS,
        head=HEAD,
        types=(f"dist/versions/{number}/*.d.ts",),
        rewrite=rewrite,
    )


CHECK = any_of(_version("v2", amended((_READ_ONLY, "    */\n"))), _version("v1"))
