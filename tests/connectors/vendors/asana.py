"""Asana's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "asana@3.2.0",
        "sha512-1g2USPFHHmyW8rZF++x+Oc8ibNnWdHybfW+XMy2yWwPx9LKzJgrTov1oegQ39LAZzC04Cr646dMLp+/SiIwzSw==",
    ),
    base_url="https://app.asana.com/api/1.0",
    sources=("src/api/*.js",),
    reader=operations(r"callApi\(\s*'(?P<path>[^']+)', '(?P<method>\w+)'", names="file"),
    # The client takes bodies of any keys; these two are in no other place of it, but in the vendor's OpenAPI document.
    extra=frozenset({"notes", "default_view"}),
)
