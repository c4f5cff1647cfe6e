"""The one or two live secrets that an application or a webhook endpoint has, newest first."""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from attrs import evolve

from service_server.administration.failures import AdministrationError
from service_server.store import Application, WebhookEndpoint

_Holder = TypeVar("_Holder", Application, WebhookEndpoint)


def secret_fingerprint(sealed_secret: str) -> str:
    """Name a live secret without revealing anything about it."""
    return hashlib.sha256(sealed_secret.encode()).hexdigest()[:16]


def adding(sealed_secret: str) -> Callable[[_Holder], _Holder]:
    """What gives its holder a second live secret beside the one it has."""

    def add(current: _Holder) -> _Holder:
        if len(current.sealed_secrets) > 1:
            raise AdministrationError("There are two live secrets already. Retire the old one first.")
        return evolve(current, sealed_secrets=(sealed_secret, *current.sealed_secrets))

    return add


def retiring(fingerprint: str) -> Callable[[_Holder], _Holder]:
    """What ends the older of two live secrets; the fingerprint must name it, so that a newer one is never ended."""

    def retire(current: _Holder) -> _Holder:
        if len(current.sealed_secrets) < 2 or secret_fingerprint(current.sealed_secrets[-1]) != fingerprint:
            raise AdministrationError("The secrets have changed in the meantime. Look at them again.")
        return evolve(current, sealed_secrets=current.sealed_secrets[:1])

    return retire
