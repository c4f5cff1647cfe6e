"""Turns the service's answers into resources and errors."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any, TypeVar

from cattrs.errors import BaseValidationError

from service_client.errors import (
    CallRefusedError,
    MalformedAnswerError,
    ServiceClientError,
    ServiceUnreachableError,
    error_type,
)
from service_client.models import CONVERTER, ErrorEnvelope
from service_client.plans.values import Response

T = TypeVar("T")

_GATEWAY_STATUSES = (502, 503, 504)


def read(response: Response, resource: type[T]) -> T:
    """Return the resource that a successful answer holds."""
    try:
        return _structure(json.loads(response.content), resource)
    except (ValueError, RecursionError) as error:
        raise MalformedAnswerError(
            f"The answer holds no {resource.__name__} as this version of the client knows it. Check that base_url "
            "is the service's address and that client and service are of the same generation.",
            response.status,
            response.headers.get("request-id", ""),
        ) from error


def read_lines(response: Response, count: int) -> list[Response]:
    """Return each line of an answer as an answer of its own with its own status, in their order."""
    try:
        values = [json.loads(line) for line in response.content.splitlines()]
        if list(range(count)) != [value["index"] for value in values]:
            raise ValueError("not a line for each")
        return [_answer_in_line(value, response) for value in values]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise MalformedAnswerError(
            f"The answer does not have {count} lines in their order, though calls may have been executed.",
            response.status,
            response.request_id,
        ) from error


def _answer_in_line(value: dict[str, Any], response: Response) -> Response:
    headers = {"content-type": "application/json", "request-id": response.request_id}
    if "retry_after" in value:
        headers["retry-after"] = str(value["retry_after"])
    if value.get("replayed") is True:
        headers["idempotency-replayed"] = "true"
    return Response.of_json(value, int(value["status"]), headers)


def error_of(response: Response, is_call: bool) -> ServiceClientError:
    """Return the exception for an answer that is not a success."""
    status = response.status
    try:
        envelope = _structure(json.loads(response.content), ErrorEnvelope)
    except (ValueError, RecursionError):
        return _error_without_envelope(response)
    error_class = CallRefusedError if is_call and status == 400 else error_type(status)
    return error_class(status, envelope, retry_after(response))


def retry_after(response: Response) -> float | None:
    """Return the seconds that the answer's `Retry-After` asks to wait; a date counts from the answer's own date."""
    value = response.headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
        return seconds if isfinite(seconds) and seconds >= 0 else None
    except ValueError:
        until = _moment(value)
        since = _moment(response.headers.get("date", ""))
        return max(0.0, (until - since).total_seconds()) if until and since else None


def _moment(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # the latter for a zone that is further away than any
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _structure(value: Any, resource: type[T]) -> T:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    try:
        return CONVERTER.structure(value, resource)
    except (BaseValidationError, TypeError, AttributeError, LookupError) as error:
        raise ValueError("not the expected object") from error


def _error_without_envelope(response: Response) -> ServiceClientError:
    status = response.status
    if status in _GATEWAY_STATUSES:
        return ServiceUnreachableError(
            f"A gateway answered {status} in the service's place. Check that the service is running.", status=status
        )
    # A browser shows a redirect that it does not follow as status 0.
    if 300 <= status < 400 or status == 0:
        problem = "The address redirects, which the service never does. Check base_url (https, no other host)."
    else:
        problem = "The answer is not one of the service. Check that base_url is the service's address."
    return MalformedAnswerError(problem, status, response.headers.get("request-id", ""))
