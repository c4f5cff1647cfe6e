"""WooCommerce's REST API by a server for agents that is written over the vendor's client, which knows no paths."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "@amitgurbani/mcp-server-woocommerce@1.2.0",
        "sha512-WWxzwwoyQxu37ipzwQ3azZgmd2/+wanGZbaWtbuStN6ET/O+a+XuZHF4pInWMkjY7GS0sGPjNwUIMd9IrvnUBg==",
    ),
    base_url="https://shop.example.com/wp-json/wc/v3",
    sources=("build/tools/*.js",),
    # What a call takes is declared in front of it.
    reader=operations(
        r"wooApi\.(?P<method>get|post|put|delete)\((?P<quote>[`'])(?P<path>.*?)(?P=quote)", names="before"
    ),
    # Keys that the server leaves out.
    types_elsewhere=npm(
        "woocommerce-rest-ts-api@8.0.0",
        "sha512-V/2e5oGtbnmw0bTq3DiqPRY2M7WdBGtVLcRVgcnj6Y0TYHCg8kQcudSfCGNkWyY+ruGukSlGsPYhmsY3hAUrBw==",
    ).keeping("dist/src/types/models/index.d.ts"),
    # Documented by the vendor for variations as for everything else.
    extra=frozenset({"search"}),
)

UNDESCRIBED = {
    "test": "https://woocommerce.github.io/woocommerce-rest-api-docs/#retrieve-current-currency",
}
