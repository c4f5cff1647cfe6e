"""ServiceNow's Table and Attachment API by a client for Python, since the vendor keeps neither in a package."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import pypi

CHECK = ClientSources(
    pypi(
        "servicenow-api==2.4.11",
        "sha256:726d51c810a6d324e592e9c40cd63aad6e3073fb158224f61a7b574686cf61d6",
    ),
    base_url="https://acme.service-now.com/api",
    sources=("servicenow_api/api/*.py",),
    reader=operations(
        r"_session\.(?P<method>get|post|put|patch|delete)\(\s*url=f\"\{self\.url\}(?P<path>/[^\"]*)\"", names="file"
    ),
    types=("servicenow_api/servicenow_models.py",),
)
