"""The secrets that deliveries are signed with: made here, kept sealed, and opened only to sign."""

import base64
from collections.abc import Iterable
from secrets import token_bytes

from service_client.models.event import SECRET_PREFIX, webhook_signature
from service_server.store import WebhookEndpoint
from service_server.vault import Kept, Vault

_KEY_BYTES = 32


def new_secret() -> str:
    """A secret as Standard Webhooks writes it."""
    return SECRET_PREFIX + base64.b64encode(token_bytes(_KEY_BYTES)).decode()


def seal_secret(vault: Vault, application_id: int, endpoint_id: str, secret: str) -> str:
    """A secret as it may be kept."""
    return vault.seal(secret, Kept.WEBHOOK_SECRET, application_id, endpoint_id)


def secrets_of(vault: Vault, endpoint: WebhookEndpoint) -> list[str]:
    """The live secrets of an endpoint; raises `Unsealable`."""
    return [
        vault.open(each, Kept.WEBHOOK_SECRET, endpoint.application_id, endpoint.id) for each in endpoint.sealed_secrets
    ]


def signature_header(secrets: Iterable[str], event_id: str, timestamp: str, body: bytes) -> str:
    """The header `webhook-signature`: a signature by each of the live secrets, so that one can replace the other."""
    return " ".join(webhook_signature(secret, event_id, timestamp, body) for secret in secrets)
