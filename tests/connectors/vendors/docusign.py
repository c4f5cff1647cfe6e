"""DocuSign's eSignature API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "docusign-esign@10.0.0",
        "sha512-RtoNNCsYfBnJ8idlO1H/QLzBk2ELiFtHm3kITzWXwl/XaUUwhgmqG5tdKgpLWSL4VgacDbPizEL7AIaBns+dFQ==",
    ),
    base_url="https://*.docusign.net/restapi",
    sources=("src/api/*.js",),
    reader=operations(r"callApi\(\s*'(?P<path>[^']+)', '(?P<method>\w+)'", names="before"),
    types=("src/model/*.js",),
)
