"""Square's API by the vendor's own client."""

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.fern import HEAD, fern_calls
from tests.connectors.descriptions.packages import npm

CHECK = compiled_client(
    npm("square@46.0.0"),
    base_url="https://connect.squareup.com",
    sources=("api/resources/*/client/Client.js",),
    reader=fern_calls(r"Environment\.Production"),
    head='import * as serializers from "./serialization"; ' + HEAD,
    types=("*.d.ts",),
)
