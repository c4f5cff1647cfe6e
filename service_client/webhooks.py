"""
Reads the webhooks of the service: what an application's backend was sent becomes an `Event`, or is refused.

    event = verify(body, headers, secret)

The signature is that of Standard Webhooks, so that its libraries read the same.
"""

import hmac
import json
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from service_client.errors import InvalidArgumentError, WebhookVerificationError
from service_client.models.converter import CONVERTER
from service_client.models.event import AccountEvent, CallEvent, Event, EventType, webhook_key, webhook_signature

__all__ = [
    "TOLERANCE_SECONDS",
    "AccountEvent",
    "CallEvent",
    "Event",
    "EventType",
    "WebhookVerificationError",
    "verify",
]

TOLERANCE_SECONDS = 300.0
"""How far the moment of sending may be from this machine's clock."""

_MOST_SIGNATURES = 20
_LONGEST_NUMBER = 20


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> Event:
    """
    Return the event of a request, once it is certain that the service has sent it, and lately.

    `body` is the body as it came, not as it was parsed. `headers` are the request's; how their names are spelt doesn't
    matter. Several secrets may be given while one replaces another.

    Raises:
        WebhookVerificationError: it is not signed with the secret, or too old, or no event.
        InvalidArgumentError: a secret is none.
    """
    raw = _bytes(body) if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (event_id and timestamp and signatures):
        raise WebhookVerificationError("The headers webhook-id, webhook-timestamp and webhook-signature are needed.")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    _check_signature(raw, event_id, timestamp, signatures, secrets)
    _check_moment(timestamp, tolerance_seconds)
    return _event(event_id, raw)


def _check_signature(body: bytes, event_id: str, timestamp: str, signatures: str, secrets: list[str]) -> None:
    try:
        for each in secrets:
            webhook_key(each)
    except ValueError as error:
        raise InvalidArgumentError(f"{error}.") from None
    if not (event_id.isascii() and timestamp.isascii()):
        raise WebhookVerificationError("The headers webhook-id and webhook-timestamp are not the service's.")
    expected = [webhook_signature(each, event_id, timestamp, body).encode() for each in secrets]
    found = [_bytes(each) for each in signatures.split(" ")[:_MOST_SIGNATURES]]
    # Each is compared with each, so that the time says nothing of where they differ.
    if not sum(hmac.compare_digest(ours, theirs) for ours in expected for theirs in found):
        raise WebhookVerificationError("None of the signatures is by this secret.")


def _bytes(text: str) -> bytes:
    """A text's bytes; a server that takes any may have handed on some that are no UTF-8 as half surrogate pairs."""
    return text.encode("utf-8", "surrogatepass")


def _check_moment(timestamp: str, tolerance_seconds: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _LONGEST_NUMBER):
        raise WebhookVerificationError("The header webhook-timestamp is no whole number of seconds.")
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError(
            f"It was sent more than {tolerance_seconds:g} seconds ago, or this machine's clock is wrong."
        )


def _event(event_id: str, body: bytes) -> Event:
    try:
        content = json.loads(body)
        event_type: str = CONVERTER.structure(content["type"], str)
        return Event(
            id=event_id,
            type=event_type,
            timestamp=CONVERTER.structure(content["timestamp"], datetime),
            data=_data(event_type, content["data"]),
        )
    except Exception as error:  # cattrs and JSON have many; none may pass for an event
        raise WebhookVerificationError("It is signed, but it is no event that this client can read.") from error


def _data(event_type: str, data: Any) -> AccountEvent | CallEvent | Mapping[str, Any]:
    if event_type.startswith("account."):
        return CONVERTER.structure(data, AccountEvent)
    if event_type.startswith("call."):
        return CONVERTER.structure(data, CallEvent)
    return CONVERTER.structure(data, dict[str, Any])
