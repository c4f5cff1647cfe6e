"""Freshdesk's API by a server for agents; what that hands on as it is given has the keys of another one's models."""

from tests.connectors.descriptions.compiled_types import amended
from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.python_client import python_client

CHECK = python_client(
    pypi("freshdesk-mcp-iplweb==1.3.0"),
    base_url="https://acme.freshdesk.com",
    sources=("freshdesk_mcp/server.py",),
    call=r"client\.(?P<method>get|post|put|delete)",
    beside=(pypi("airbyte-agent-freshdesk==0.1.27").keeping("airbyte_agent_freshdesk/models.py"),),
    rewrite=amended(
        (", Any] = Field(default=None", "] = Field(default=None"),
        # The server hands on whatever it is given; what is sent has the keys of what is answered.
        ("additional_fields: Optional[Dict[str, Any]]", "additional_fields: Ticket"),
        ("contact_fields: Dict[str, Any]", "contact_fields: Contact"),
        ("company_fields: Dict[str, Any]", "company_fields: Company"),
        ("ticket_fields: Dict[str, Any]", "ticket_fields: Ticket"),
        # If the one is left out, it is this, and a requester who is new may have a name.
        ('"source": source_val', '"source": 2'),
        ('        data["email"] = email', '        data["email"] = email\n        data["name"] = email'),
        ("for field, value in contact_fields.items():\n        data[field] = value", "data = contact_fields"),
        (
            "for field, value in ticket_fields.items():\n        update_data[field] = value",
            "update_data = ticket_fields",
        ),
    ),
    # See https://developers.freshdesk.com/api/
    documented="""
        def documented(client, body: str, text: str = "", number: int = 1, private: bool = False):
            client.post("/api/v2/tickets/{}/notes", json={"body": body, "private": private})
            client.get("/api/v2/tickets/{}", params={"include": text})
            client.put("/api/v2/tickets/merge", json={"primary_id": number, "ticket_ids": [number]})
            client.put("/api/v2/tickets/{}/restore")
            client.get("/api/v2/ticket_fields", params={"type": text})
            found = {"email": text, "page": number, "per_page": number}
            client.get("/api/v2/agents", params=found)
            found["company_id"] = number
            client.get("/api/v2/contacts", params=found)
    """,
)
