"""
For tests of applications that use this client: a service in memory.

    service = FakeService()
    service.add_app("desk", accounts=["Ann's desk"])

    @service.function("desk-create-ticket", properties={"title": {"type": "string"}}, required=["title"])
    def create_ticket(arguments):
        return {"id": 7, **arguments}

    client = service.client()

It knows one user and their accounts. It checks names, required and unknown arguments, the five JSON types and the
choice of account as the service does, and predicts what it was told to. It does not check credentials.
"""

from service_client.plans import HttpRequest, Response
from service_client.testing.fake_service import FakeService, RecordedCall
from service_client.transports.memory import AsyncMemoryTransport, MemoryTransport

__all__ = ["AsyncMemoryTransport", "FakeService", "HttpRequest", "MemoryTransport", "RecordedCall", "Response"]
