"""What applications are told by webhooks, and how it is signed: Standard Webhooks, with symmetric keys."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from attrs import field, frozen

EventType = Literal[
    "account.connected",
    "account.disconnected",
    "account.reconnect_required",
    "account.refresh_failed",
    "call.finished",
    "webhook.test",
]
"""Today's types; a newer service may tell of more."""

SECRET_PREFIX = "whsec_"  # noqa: S105  what secrets begin with
_SHORTEST_KEY_BYTES = 24


@frozen(kw_only=True)
class AccountEvent:
    """
    Something happened to a connected account.

    `reason` says in words why it must be reconnected, or why its access could not be renewed.
    """

    user_id: str
    app: str
    connected_account_id: int
    reason: str | None = None


@frozen(kw_only=True)
class CallEvent:
    """
    A call ended; it has neither arguments nor output.

    `outcome` is `finished` if the app answered or failed to, and `unknown` if the service was cut off before it could
    know. `network_code` and `duration_ms` are None then.
    """

    call_id: str
    request_id: str
    function: str
    app: str
    user_id: str
    connected_account_id: int
    outcome: Literal["finished", "unknown"] | str
    network_code: str | None = None
    duration_ms: float | None = None
    started_at: datetime


@frozen(kw_only=True)
class Event:
    """
    One event. `id` is the same each time it is sent, so that it can be told whether it was handled before.

    `data` is an `AccountEvent` or a `CallEvent`; of a type that this client doesn't know it is what came.
    """

    id: str
    type: EventType | str
    timestamp: datetime
    data: AccountEvent | CallEvent | Mapping[str, Any] = field(repr=False)


def webhook_key(secret: str) -> bytes:
    """The key in a secret such as `whsec_…`; ValueError for anything else, which is not quoted."""
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(SECRET_PREFIX) or len(key) < _SHORTEST_KEY_BYTES:
        raise ValueError("a webhook's secret is whsec_ and 24 bytes or more as base64")
    return key


def webhook_signature(secret: str, event_id: str, timestamp: str, body: bytes) -> str:
    """The signature of a body that is sent at a moment (whole seconds since 1970, in digits), such as `v1,…`."""
    signed = b".".join((event_id.encode(), timestamp.encode(), body))
    return "v1," + base64.b64encode(hmac.new(webhook_key(secret), signed, hashlib.sha256).digest()).decode()
