"""The signature that proves a request comes from the application's backend."""

import hashlib
import hmac


def sign(user_id: str, secret: str) -> str:
    """Return the `Hash` header for a user: hex HMAC-SHA256 of the User-ID as UTF-8, keyed with the secret."""
    return hmac.new(secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()
