"""One attempt to deliver an event: signed, sent, and what came of it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

from attrs import frozen

from service_server.catalog.answers import RetryRule
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.onward.values import Interrupted, OnwardRequest, OnwardResponse, Unanswered, Unsent
from service_server.store import WebhookDelivery, WebhookEndpoint
from service_server.store.clock import now
from service_server.vault import Unsealable, Vault
from service_server.webhooks.destination import AS_APP, problem_with, rules_for
from service_server.webhooks.retrying import LONGEST_REQUESTED_PAUSE_SECONDS
from service_server.webhooks.secrets import secrets_of, signature_header

TIMEOUT_SECONDS = 15.0
_MAX_RESPONSE_BYTES = 64 * 1024
_BODY_SECONDS = 1.0
_GONE = 410
_ASKING_FOR_PATIENCE = frozenset({429, 503})


@frozen(kw_only=True)
class Attempt:
    """
    What came of one attempt: delivered unless there is a `problem`.

    `gone` if the endpoint wants no more, for ever; otherwise it wants to be left alone for `pause_seconds`.
    """

    status: int | None = None
    problem: str | None = None
    gone: bool = False
    pause_seconds: float = 0.0


def sender_for_webhooks(allow_hosts: Sequence[str]) -> Sender:
    """The way out for events: as checked as that for apps, but quicker to give up, and following no redirect."""
    return Sender(
        OnwardSettings(
            timeout_seconds=TIMEOUT_SECONDS,
            max_response_bytes=_MAX_RESPONSE_BYTES,
            max_redirects=0,
            pours_every_answer=True,
            allow_hosts=tuple(allow_hosts),
        )
    )


async def attempt(
    endpoint: WebhookEndpoint, delivery: WebhookDelivery, vault: Vault, sender: Sender, allow_hosts: Sequence[str]
) -> Attempt:
    """Send a delivery once."""
    if problem := problem_with(endpoint.url, allow_hosts):
        return Attempt(problem=problem)
    body, timestamp = delivery.body.encode(), str(int(now()))
    try:
        signature = signature_header(secrets_of(vault, endpoint), delivery.event_id, timestamp, body)
    except Unsealable:
        return Attempt(problem="The endpoint's secret can't be opened: remove the endpoint and create it again.")
    headers = (
        ("content-type", "application/json"),
        ("webhook-id", delivery.event_id),
        ("webhook-timestamp", timestamp),
        ("webhook-signature", signature),
    )
    request = OnwardRequest("POST", endpoint.url, headers, body)
    bound = sender.on_behalf_of(AS_APP, endpoint.application_id, endpoint.id)
    came = await bound.send(request, rules_for(endpoint.url), pour=_read_a_little)
    if isinstance(came, OnwardResponse):
        return _answered(came)
    return Attempt(problem=_in_words(came))


async def _read_a_little(response: OnwardResponse, chunks: AsyncIterator[bytes]) -> None:
    """
    Read the body if it is small and comes soon, since its connection can be used again only after that.

    What it says is nobody's concern, nor whether it comes to its end: the status tells whether the event was taken.
    """
    size = 0
    with contextlib.suppress(TimeoutError, Interrupted):
        async with asyncio.timeout(_BODY_SECONDS):
            async for chunk in chunks:
                size += len(chunk)
                if size > _MAX_RESPONSE_BYTES:
                    return


def _answered(response: OnwardResponse) -> Attempt:
    status = response.status
    if 200 <= status < 300:
        return Attempt(status=status)
    asked = RetryRule().wait_seconds(response, now()) if status in _ASKING_FOR_PATIENCE else None
    pause = min(asked or 0.0, LONGEST_REQUESTED_PAUSE_SECONDS)
    return Attempt(status=status, problem=f"It answered {status}.", gone=status == _GONE, pause_seconds=pause)


def _in_words(came: Unsent | Unanswered) -> str:
    if isinstance(came, Unanswered):
        return {
            "timed_out": f"It did not answer within {TIMEOUT_SECONDS:g} seconds.",
            "broken_off": "The connection broke before it answered.",
            "too_large": f"Its answer was larger than {_MAX_RESPONSE_BYTES // 1024} KiB.",
        }[came.kind]
    return f"Nothing could be sent: {came.reason}."
