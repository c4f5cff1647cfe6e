"""Webhooks are read as Standard Webhooks signs them, and nothing else passes."""

import base64
import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import standardwebhooks

from service_client import InvalidArgumentError, WebhookVerificationError
from service_client.models.event import webhook_signature
from service_client.webhooks import AccountEvent, CallEvent, verify

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 32).decode()
NO_UTF_8 = b"v1,\xff".decode("utf-8", "surrogateescape")  # as some servers hand on any bytes in a header
ACCOUNT = {"user_id": "ann", "app": "github", "connected_account_id": 7, "reason": None}
CALL = {
    "call_id": "c",
    "request_id": "r",
    "function": "github-create-issue",
    "app": "github",
    "user_id": "ann",
    "connected_account_id": 7,
    "outcome": "finished",
    "network_code": "201",
    "duration_ms": 12.5,
    "started_at": "2026-01-01T00:00:00.000000Z",
}


def sent(event_type: str, data: Any, *, at: float | None = None, secret: str = SECRET) -> tuple[str, dict[str, str]]:
    """A body as the service sends it, and its headers."""
    body = json.dumps({"type": event_type, "timestamp": "2026-01-01T00:00:00.000000Z", "data": data})
    timestamp = str(int(time.time() if at is None else at))
    return body, {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": webhook_signature(secret, "evt_1", timestamp, body.encode()),
    }


def test_events_are_typed() -> None:
    """By their types; keys and types that are new are no trouble."""
    account = verify(*sent("account.connected", {**ACCOUNT, "new": 1}), SECRET)
    call = verify(*sent("call.finished", CALL), SECRET)
    other = verify(*sent("moon.full", {"bright": True}), SECRET)

    assert AccountEvent(user_id="ann", app="github", connected_account_id=7) == account.data
    assert isinstance(call.data, CallEvent)
    assert ("201", datetime(2026, 1, 1, tzinfo=UTC)) == (call.data.network_code, call.data.started_at)
    assert ("evt_1", "moon.full", {"bright": True}) == (other.id, other.type, other.data)


@pytest.mark.parametrize("secret", [SECRET, [OTHER, SECRET]])
def test_what_the_published_library_signs_is_read(secret: Any) -> None:
    """Its signature is ours, also where it is one of several, and one of several secrets."""
    body, headers = sent("account.connected", ACCOUNT)
    moment = datetime.now(UTC)
    theirs = standardwebhooks.Webhook(SECRET).sign("evt_1", moment, body)
    signed = {**headers, "Webhook-Timestamp": str(int(moment.timestamp())), "Webhook-Signature": f"v1,AAAA {theirs}"}

    assert "evt_1" == verify(body.encode(), signed, secret).id


def test_the_published_library_reads_what_is_signed_here() -> None:
    """A receiver needs nothing of ours."""
    body, headers = sent("account.connected", ACCOUNT)

    assert ACCOUNT == standardwebhooks.Webhook(SECRET).verify(body, headers)["data"]
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(OTHER).verify(body, headers)


@pytest.mark.parametrize(
    ("header", "changes"),
    [
        ("Webhook-Id", ("evt_2", "", NO_UTF_8)),
        ("Webhook-Timestamp", ("soon", "9" * 30, NO_UTF_8)),
        ("Webhook-Signature", ("", "v1,", "v1,Zörn", NO_UTF_8, webhook_signature(OTHER, "evt_1", "1", b""))),
    ],
)
def test_another_id_moment_or_signature_is_refused(header: str, changes: tuple[str, ...]) -> None:
    """They are signed together."""
    body, headers = sent("account.connected", ACCOUNT)
    for change in changes:
        with pytest.raises(WebhookVerificationError):
            verify(body, headers | {header: change}, SECRET)


def test_another_body_or_secret_is_refused() -> None:
    """By all of the secrets that are live."""
    body, headers = sent("account.connected", ACCOUNT)
    for changed, secret in ((body.replace("ann", "bob"), SECRET), (body, OTHER), (f"{body}{NO_UTF_8}", SECRET)):
        with pytest.raises(WebhookVerificationError, match="None of the signatures"):
            verify(changed, headers, secret)


@pytest.mark.parametrize("seconds", [-301, 301])
def test_what_was_kept_for_later_is_refused(seconds: float) -> None:
    """Five minutes are allowed, in both directions, or what the caller says."""
    late = sent("account.connected", ACCOUNT, at=time.time() + seconds + (2 if seconds > 0 else 0))
    with pytest.raises(WebhookVerificationError, match="clock"):
        verify(*late, SECRET)

    assert "evt_1" == verify(*late, SECRET, tolerance_seconds=3600).id


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"type": 1}', '{"type": "x", "timestamp": "today", "data": {}}', "\ud83d"]
)
def test_what_is_signed_but_no_event_is_refused(body: str) -> None:
    """A secret that is used for something else doesn't make events."""
    raw = body.encode("utf-8", "surrogatepass")
    timestamp = str(int(time.time()))
    headers = {"webhook-id": "e", "webhook-timestamp": timestamp}
    headers["webhook-signature"] = webhook_signature(SECRET, "e", timestamp, raw)
    with pytest.raises(WebhookVerificationError, match="no event"):
        verify(raw, headers, SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_!", "whsec_c2hvcnQ=", SECRET.removeprefix("whsec_")])
def test_a_secret_that_is_none_is_said(secret: str) -> None:
    """Rather than to refuse every webhook; it is not repeated in the message."""
    with pytest.raises(InvalidArgumentError) as refused:
        verify(*sent("account.connected", ACCOUNT), secret)
    assert "a webhook's secret is whsec_ and 24 bytes or more as base64." == str(refused.value)
