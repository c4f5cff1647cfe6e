"""What to ask the service and what to make of its answers, without doing any I/O; see README.md in this folder."""

from service_client.plans.credentials import Credentials
from service_client.plans.drivers import AsyncSession, AsyncTransport, Session, Transport
from service_client.plans.exchange import Settings, exchange
from service_client.plans.lifetime import Lifetime
from service_client.plans.operation import AsyncResource, SyncResource, listed, operation, paged
from service_client.plans.pages import AsyncPage, AsyncPages, Page
from service_client.plans.reading import error_of, read, read_lines
from service_client.plans.values import (
    AskTime,
    AskToken,
    HttpRequest,
    Items,
    ItemsAt,
    PatientPlan,
    Plan,
    Request,
    Response,
    Upload,
    Wait,
)

__all__ = [
    "AskTime",
    "AskToken",
    "AsyncPage",
    "AsyncPages",
    "AsyncResource",
    "AsyncSession",
    "AsyncTransport",
    "Credentials",
    "HttpRequest",
    "Items",
    "ItemsAt",
    "Lifetime",
    "Page",
    "PatientPlan",
    "Plan",
    "Request",
    "Response",
    "Session",
    "Settings",
    "SyncResource",
    "Transport",
    "Upload",
    "Wait",
    "error_of",
    "exchange",
    "listed",
    "operation",
    "paged",
    "read",
    "read_lines",
]
