"""HubSpot's API by the vendor's own client."""

from tests.connectors.descriptions.compiled_types import amended, compiled_client
from tests.connectors.descriptions.openapi_generator import FETCH_CALLS, HEAD, as_sent
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware

_PARTS = (
    "associations/v4",
    "companies",
    "contacts",
    "deals",
    "lists",
    "objects",
    "objects/calls",
    "objects/emails",
    "objects/meetings",
    "objects/notes",
    "objects/tasks",
    "owners",
    "pipelines",
    "properties",
    "tickets",
)

# The client types what results are sorted by as texts, the vendor documents objects.
_SORTED = amended(
    ("'sorts'?: Array<string>", "'sorts'?: { propertyName: string; direction: 'ASCENDING' | 'DESCENDING' }[]")
)

CHECK = compiled_client(
    npm("@hubspot/api-client@13.5.0"),
    base_url="https://api.hubapi.com",
    sources=(*(f"lib/codegen/crm/{part}/apis/*Api.js" for part in _PARTS),),
    reader=FETCH_CALLS,
    head=HEAD,
    types=(
        *(f"lib/codegen/crm/{part}/*.d.ts" for part in _PARTS),
        *(f"lib/codegen/crm/{part}/models/*.js" for part in _PARTS),
    ),
    rewrite=lambda texts: _SORTED(as_sent(texts)),
)

UNDESCRIBED = {"test": "HubSpot documents it as Account Information; the client has no such call"}

RUN = RunningSoftware("an emulator of ours", ("tests/emulators/test_emulated_hubspot.py",))
