"""What to ask the service and what to make of its answers, without doing any I/O; see README.md in this folder."""

from service_client.plans.credentials import Credentials
from service_client.plans.drivers import AsyncSession, AsyncTransport, Session, Transport
from service_client.plans.exchange import Settings, exchange
from service_client.plans.operation import AsyncResource, SyncResource, operation, paged
from service_client.plans.reading import read
from service_client.plans.values import AskToken, HttpRequest, Page, PageOf, Plan, Request, Response, Wait

__all__ = [
    "AskToken",
    "AsyncResource",
    "AsyncSession",
    "AsyncTransport",
    "Credentials",
    "HttpRequest",
    "Page",
    "PageOf",
    "Plan",
    "Request",
    "Response",
    "Session",
    "Settings",
    "SyncResource",
    "Transport",
    "Wait",
    "exchange",
    "operation",
    "paged",
    "read",
]
