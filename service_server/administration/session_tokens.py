"""Session tokens: short-lived stand-ins for the three headers, limited to what they are for."""

import hmac
import time
from collections.abc import Collection
from hashlib import sha256

from service_server.administration.administration import SECRET_PURPOSE
from service_server.store import Application
from service_server.vault import Vault

TOKEN_PURPOSE = "session token"  # noqa: S105  a name, not a token


def secret_name(secret: bytes) -> str:
    """What a session token remembers of the secret that it was minted with, so that both end together."""
    return hmac.new(secret, b"name of this secret", sha256).hexdigest()[:16]


def mint(
    vault: Vault,
    application: Application,
    user_id: str,
    secret: str,
    *,
    seconds: float,
    functions: Collection[str] | None = None,
    apps: Collection[str] | None = None,
    origin: str | None = None,
    allows_origin: bool = False,
) -> tuple[str, float]:
    """
    A token for a user, and when it ends, in seconds since 1970; `secret` is the name of the one that vouches for it.

    With `allows_origin` pages of the `origin` may use it although the application does not list that.
    """
    expires_at = time.time() + seconds
    claims = {
        "app_key": application.app_key,
        "user_id": user_id,
        "secret": secret,
        "functions": functions,
        "apps": apps,
        "origin": origin,
        "allows_origin": allows_origin,
        "expires_at": expires_at,
    }
    return vault.seal(claims, TOKEN_PURPOSE), expires_at


def newest_secret_name(vault: Vault, application: Application) -> str:
    """The name of an application's newest secret; raises Unsealable."""
    return secret_name(vault.open(application.sealed_secrets[0], SECRET_PURPOSE, application.app_key).encode())
