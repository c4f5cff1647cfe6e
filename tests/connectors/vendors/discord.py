"""Discord by the routes and types that the makers of discord.js keep."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "discord-api-types@0.38.57",
        "sha512-R1CTSSt4RshqCq23j2Xq2ZscvzB4LzG9OB1CYQdKUGdw8Ti/oF/72EEtK2mNpagG/Vj9NcBT7dw9lKLf+Dacfg==",
    ),
    base_url="https://discord.com/api/v10",
    sources=("_generated_/rest/v10/interfaces.d.ts",),
    reader=operations(r"- (?P<method>[A-Z]+) +`(?P<path>/[^`]+)`"),
    types=("rest/v10/*.d.ts", "payloads/v10/*.d.ts"),
)
