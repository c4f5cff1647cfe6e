"""WhatsApp's Cloud API by the client that most of its users of Python take."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import pypi

CHECK = ClientSources(
    pypi(
        "pywa==4.5.0",
        "sha256:7de26b9a883bda3d9830de3325c9178e6153baecc184cbe8b4fb32e0c495a5fa",
    ),
    base_url="https://graph.facebook.com/v24.0",
    sources=("pywa/api.py",),
    reader=operations(
        r"method=\"(?P<method>\w+)\",\s*endpoint=f\"/(?P<path>\{(?:phone_id|sender|waba_id)\}[^\"]*)\"", names="file"
    ),
    types=("pywa/client.py", "pywa/types/*.py"),
)
