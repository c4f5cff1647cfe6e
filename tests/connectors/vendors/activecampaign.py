"""ActiveCampaign's API by a server for agents, since the vendor keeps neither a description nor a client."""

from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.python_client import python_client

CHECK = python_client(
    pypi("mcp-activecampaign==0.2.0"),
    base_url="https://*.api-us1.com/api/3",
    sources=("mcp_activecampaign/server.py",),
    call=r"ac\.(?P<method>get|post|put|delete)",
    # See https://developers.activecampaign.com/reference/list-all-contacts
    documented="""
        def documented(ac, text: str = "", number: int = 1):
            params = {"search": text, "listid": text, "tagid": text, "status": text, "limit": number, "offset": number}
            ac.get("/contacts", params=params)
    """,
)

UNDESCRIBED = {"test": "https://developers.activecampaign.com/reference/get-user-loggedin"}
