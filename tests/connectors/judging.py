"""Compares single made-up requests with a description."""

from typing import Any

from service_server.onward.values import OnwardRequest
from tests.connectors.descriptions.description import Judge
from tests.connectors.descriptions.sent import Sent

JSON = (("Content-Type", "application/json"),)
FORM = (("Content-Type", "application/x-www-form-urlencoded"),)


def faults(judge: Judge, method: str, url: str, body: bytes = b"", headers: Any = JSON) -> list[str]:
    """Say what a description has against a request."""
    return list(judge.faults(Sent.of(OnwardRequest(method, url, headers if body else (), body))))
